"""Measures as pure functions: results, answers and silences compared with people's labels. No Django, no state.

Every measure returns a number or `Undefined` with the reason; none returns NaN and none averages over what is undefined
without counting it (`values.average`).
"""
