"""Ways to answer a question, one class each (`base.Strategy`), and what they have in common.

`quoted` and `written` are the ones that people choose. To add one: write its file, register it in
`legalqa.answering.apps`, and name it in `tests/contracts/test_strategies.py`.
"""
