"""The figures that are to be reached, measured row by row and compared with what was set beforehand.

To add a figure: give its row in `expected.yaml` a bar, return it from the row's function, and register a new row's
function in `rows`.
"""
