"""Gold questions of a JSONL text, as the importers read them."""

from judging.gold.files import GoldFileError, GoldRow, gold_rows_of
from legalqa.common.json_lines import json_lines


def gold_rows_read(text: str) -> list[GoldRow]:
    lines = list(json_lines(text, refused=GoldFileError))
    return gold_rows_of([document for _, document in lines], lines=[line for line, _ in lines])
