"""List numbers as they are printed: "4", "d", "iv"."""

_LETTERS = 26
_ROMAN_END = 4_000
_ROMAN = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"),
    (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip


def numeral(number: int, style: str) -> str:
    """Print the number of a list item.

    Args:
        number: From 1.
        style: As HTML says it: "1", "a", "A", "i" or "I".

    Returns:
        The number; in figures where the style cannot print it. Letters continue with "aa" after "z".
    """
    if number < 1:
        return str(number)
    if style in {"a", "A"}:
        return chr(ord(style) + (number - 1) % _LETTERS) * ((number - 1) // _LETTERS + 1)
    if style in {"i", "I"} and number < _ROMAN_END:
        out = ""
        for value, letters in _ROMAN:
            times, number = divmod(number, value)
            out += letters * times
        return out if style == "i" else out.upper()
    return str(number)
