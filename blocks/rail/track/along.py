"""What varies along a line, as a table: rising places in the first column, values beside them.

Between its rows a value is linear in s; before the first row and beyond the last one it is theirs.
"""


def row_of(table, s):
    """The last row that begins at or before s; the first one before all of them."""
    low, high = 0, len(table)
    while high - low > 1:
        middle = (low + high) // 2
        if table[middle, 0] <= s:
            low = middle
        else:
            high = middle
    return low


def value_along(table, column, s, otherwise):
    """A column's value at s; `otherwise` where the table has no rows."""
    if len(table) == 0:
        return otherwise
    row = row_of(table, s)
    if row == len(table) - 1 or s <= table[row, 0]:
        return table[row, column]
    slope = (table[row + 1, column] - table[row, column]) / (table[row + 1, 0] - table[row, 0])
    return table[row, column] + slope * (s - table[row, 0])
