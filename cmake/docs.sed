# Markdown as it is read beside the sources, for Doxygen, whose pages and images lie in one folder.
s#\]\([^)]*/([A-Za-z0-9_]+\.png)\)#](\1)#g
# Places within a page have names of their own.
s#\]\([^)]*\.md\#([a-z_]+)\)#](@ref \1)#g
# Files that are no pages, and folders, are named only.
s#\[([^]]+)\]\([^):]*\.(cpp|hpp|c|F90|py|txt|geo|yaml|sh)\)#\1#g
s#\[([^]]+)\]\([^):]*CMakeLists\.txt\)#\1#g
s#\[([^]]+)\]\(\.\./([0-9a-z_]+)\)#[\1](../\2/README.md)#g
