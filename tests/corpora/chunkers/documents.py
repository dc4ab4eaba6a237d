"""Documents as chunkers see them: paragraphs that tile a text."""

from collections.abc import Sequence
from zlib import crc32

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from corpora.chunkers import ParagraphText

Part = tuple[str, str, tuple[str, ...]]  # kind, text, heading path

DEFINED = ("Subchapter 25", "§ 20-870")
REQUIRED = ("Subchapter 25", "§ 20-871")

BIAS_AUDIT = """\
Bias audit. The term “bias audit” means an impartial evaluation by an independent auditor.
Such bias audit shall include but not be limited to the testing of an automated employment
decision tool to assess the tool’s disparate impact on persons of any component 1 category.

"""

LL144: tuple[Part, ...] = (
    ("heading", "Subchapter 25: Automated Employment Decision Tools\n", ()),
    ("heading", "§ 20-870 Definitions.\n", ("Subchapter 25",)),
    ("text", BIAS_AUDIT, DEFINED),
    ("text", "Employment decision. The term means to screen candidates for employment.\n\n", DEFINED),
    ("heading", "§ 20-871 Requirements.\n", ("Subchapter 25",)),
    ("text", "a. In the city, it shall be unlawful to use such a tool unless:\n", REQUIRED),
    ("list", "1. Such tool has been the subject of a bias audit within one year; and\n", REQUIRED),
    ("list", "2. A summary of the results has been made publicly available.\n\n", REQUIRED),
)


def document(parts: Sequence[Part]) -> tuple[ParagraphText, ...]:
    paragraphs = []
    start = 0
    for ordinal, (kind, text, path) in enumerate(parts):
        paragraphs.append(ParagraphText(ordinal, start, start + len(text), text, path, kind))
        start += len(text)
    return tuple(paragraphs)


def text_of(paragraphs: Sequence[ParagraphText]) -> str:
    return "".join(paragraph.text for paragraph in paragraphs)


def count_words(texts: Sequence[str]) -> list[int]:
    return [len(text.split()) for text in texts]


def encode_words(texts: Sequence[str]) -> NDArray[np.float32]:
    """Unit vectors [n, 16] whose cosine is the share of words in common, the words told apart by a checksum."""
    vectors = np.zeros((len(texts), 16), np.float32)
    for row, text in zip(vectors, texts, strict=True):
        row[[crc32(word.encode()) % 15 for word in text.lower().split()]] = 1
        row[15] = not row.any()
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), np.float32)


_texts = st.text(alphabet=st.sampled_from("aB1.;?( \n"), min_size=1, max_size=120).map(lambda text: text + "\n")

parts = st.lists(
    st.tuples(
        st.sampled_from(["heading", "text", "text", "list", "passage"]),
        _texts,
        st.sampled_from([(), ("Part 1",), ("Part 1", "§ 2")]),
    ),
    max_size=12,
)
