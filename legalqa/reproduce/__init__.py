"""The figures to be reached, measured row by row and compared with bars that were set beforehand.

To add a figure: give its row in `expected.yaml` a bar, return it from the row's function, and register a new row's
function in `rows`.
"""
