"""Tables of what varies along a line: rising positions in the first column, values beside them.

Between its rows a value is linear in s; before the first row and beyond the last one it is theirs.
"""

from railblocks.blocks.base.search import row_of


def value_along(table, column, s, otherwise):
    """A column's value at s; `otherwise` where the table has no rows."""
    if len(table) == 0:
        return otherwise
    row = row_of(table, s)
    if row == len(table) - 1 or s <= table[row, 0]:
        return table[row, column]
    slope = (table[row + 1, column] - table[row, column]) / (table[row + 1, 0] - table[row, 0])
    return table[row, column] + slope * (s - table[row, 0])
