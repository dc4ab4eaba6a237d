"""Measures as pure functions: what was found, said or withheld, against what people labelled. No Django, no state.

Every measure returns a number or `Undefined` with the reason; none returns NaN and none averages over what is undefined
without counting it (`values.average`).
"""
