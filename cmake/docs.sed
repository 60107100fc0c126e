# Markdown as it is read beside the sources, for Doxygen, whose pages and images lie in one folder.
s#\]\([^)]*/([A-Za-z0-9_]+\.png)\)#](\1)#g
# A line that is nothing but a link to an example's file shows the file; with ": name" behind it, the part of that name.
s#^\[([A-Za-z0-9_./]+)\]\(\.\./\1\)$#\\include examples/\1#
s#^\[([A-Za-z0-9_./]+): ([a-z]+)\]\(\.\./\1\)$#\\snippet examples/\1 \2#
# Other files that are no pages are named only.
s#\[([^]]+)\]\([^):]*\.(cpp|hpp|h|c|F90|py|txt|geo|yaml|sh|cff)\)#\1#g
# A folder stands for its page.
s#\[([^]]+)\]\(\.\./([0-9a-z_]+)\)#[\1](../\2/README.md)#g
