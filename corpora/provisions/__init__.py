"""The role of a passage (operative text, recital, example …), and the pieces of a provision with what each needs."""
