# Converts Markdown pages with links relative to the sources for Doxygen: it puts pages and images into one folder.
s#\]\([^)]*/([A-Za-z0-9_]+\.png)\)#](\1)#g
# A line with only a link to a file of the examples shows this file; with ": name" after it, only the part of that name.
s#^\[([A-Za-z0-9_./]+)\]\(\.\./\1\)$#\\include examples/\1#
s#^\[([A-Za-z0-9_./]+): ([a-z]+)\]\(\.\./\1\)$#\\snippet examples/\1 \2#
# For other files that are not pages only the name is shown.
s#\[([^]]+)\]\([^):]*\.(cpp|hpp|h|c|F90|py|txt|geo|yaml|sh|cff)\)#\1#g
# A link to a folder becomes a link to its page.
s#\[([^]]+)\]\(\.\./([0-9a-z_]+)\)#[\1](../\2/README.md)#g
