"""The library of blocks, one family a folder or file."""
