"""Whether a word can be a verb, by the vocabulary of the packaged encoder: it has no list of parts of speech."""

from legalqa.encoder.client import tokenizer


def can_be_verb(word: str) -> bool:
    """Whether a word in small letters has a form in -ing or -ed in the vocabulary: "refuse", and "report", too."""
    if word.endswith("ies"):
        return can_be_verb(f"{word[:-3]}y")
    if word.endswith("s") and not word.endswith("ss"):
        return can_be_verb(word[:-1])
    stems = (word, word.removesuffix("e"), f"{word}{word[-1]}", f"{word[:-1]}i")  # work, store, permit, carry
    forms = (f"{stem}{ending}" for stem in stems for ending in ("ing", "ed"))
    return any(tokenizer().token_to_id(form) is not None for form in forms)
