"""DOCX, HTML, Markdown and passages."""

import io
import json
from collections.abc import Sequence
from itertools import cycle, islice

import docx
import pytest
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls

from corpora.parsers.reasons import FileRefused
from corpora.types import ParsedDocument
from tests.corpora.parsers.builders import DATA, all_words, find, parse, words_of


def policy(name: str) -> ParsedDocument:
    return parse((DATA / "policies" / name).read_bytes(), name)


def test_markdown_headings_lists_and_tables() -> None:
    document = policy("cookies.md")
    assert document.title == "Cookies"
    table = find(document, "Provider of Cookie\tCookie Name")
    assert table.kind == "table"
    assert "GitHub\ttz\tThis cookie allows us to customize" in document.text
    assert "](/" not in document.text


def test_markdown_items_are_under_their_headings() -> None:
    document = policy("security-incidents.md")
    items = [span for span in document.paragraphs if span.kind == "list"]
    assert items
    assert all(span.heading_path for span in items)
    assert "**" not in document.text


def test_items_keep_the_numbers_that_the_file_gives_them() -> None:
    nested = "5. Review:\n\n  1. The manager asks.\n  2. The officer signs.\n\n6. Archive.\n"  # two blanks do not nest
    alike = "1. Ask.\n1. Sign.\n1. File.\n"

    assert all_words(parse(nested.encode(), "access.md")) == [
        "5. Review:",
        "1. The manager asks.",
        "2. The officer signs.",
        "6. Archive.",
    ]
    twice = "3. Review:\n\n  5. The manager asks.\n  5. The officer signs.\n"

    assert all_words(parse(alike.encode(), "steps.md")) == ["1. Ask.", "2. Sign.", "3. File."]
    assert all_words(parse(twice.encode(), "twice.md"))[1:] == ["5. The manager asks.", "5. The officer signs."]


def test_front_matter_gives_the_title_only() -> None:
    matter = "---\ntitle: Leave policy\nowner: x\n---\n"
    text = "\nSome [words](http://evil.example) and ![a picture](x.png).\n\n3. third\n"
    document = parse((matter + text).encode(), "leave.md")
    assert document.title == "Leave policy"
    assert all_words(document) == ["Some words and a picture.", "3. third"]


def test_html_inside_markdown_gives_its_words() -> None:
    text = "# Fees\n\n<div class='note'>Pay <b>now</b>.<!-- a secret --><script>run()</script></div>\n\nLater."
    assert all_words(parse(text.encode(), "fees.md")) == ["Fees", "Pay now.", "Later."]


def test_html_keeps_words_and_drops_what_runs() -> None:
    page = """<html><head><title>Terms</title><style>p{}</style></head><body><nav>Menu</nav>
    <h1>Terms of use</h1><p>You <b>must</b> pay.<script>alert(1)</script></p>
    <h2>Fees</h2><ol type="a"><li>Rent</li><li>Costs<ul><li>of heating</li></ul></li></ol>
    <iframe src="http://evil.example">frame</iframe>
    <table><tr><th>Fee</th><th>Due</th></tr><tr><td>10</td><td>now</td></tr></table></body></html>"""
    document = parse(page.encode(), "terms.html")
    assert all_words(document) == [
        "Terms of use",
        "You must pay.",
        "Fees",
        "a. Rent",
        "b. Costs",
        "• of heating",
        "Fee\tDue\n10\tnow",
    ]
    assert document.title == "Terms"
    assert find(document, "b. Costs").heading_path == ("Terms of use", "Fees")
    assert document.warnings == ()


@pytest.mark.parametrize(
    "style", ["display:none", "visibility: hidden", "font-size:0", "color:#FFF", "opacity: 0", "color: white"]
)
def test_hidden_text_is_read_and_flagged(style: str) -> None:
    document = parse(f'<html><body><p>Seen.</p><p style="{style}">Unseen.</p></body></html>'.encode(), "page.html")
    assert document.warnings == ("hidden_text",)
    assert "Unseen." in document.text


def test_an_element_with_thousands_of_attributes_is_refused_before_it_takes_any_time() -> None:
    attributes = " ".join(f'a{n}="{n}"' for n in range(300_000))
    with pytest.raises(FileRefused, match="1,000 attributes") as refused:
        parse(f"<html><body><p {attributes}>Hello</p></body></html>".encode(), "bomb.html")
    assert refused.value.code == "damaged"


def test_a_long_picture_and_a_long_script_in_a_page_are_no_attributes() -> None:
    script = "if (a <b && c) { " + "x = x + 1; " * 3_000 + "}"
    page = f"<p>Before.<img src='data:image/png;base64,{'A' * 50_000}'>{'word ' * 2_000}</p><script>{script}</script>"
    assert "Before." in parse(f"<html><body>{page}<p>After.</p></body></html>".encode(), "page.html").text


def test_html_names_its_character_set() -> None:
    page = '<html><head><meta charset="iso-8859-2"></head><body><p>Łódź</p></body></html>'
    assert parse(page.encode("iso-8859-2"), "lodz.html").text == "Łódź"


def test_html_entities_of_the_file_are_not_fetched_or_expanded() -> None:
    page = '<!DOCTYPE html [<!ENTITY x SYSTEM "file:///etc/passwd">]><html><body><p>Words &x; end</p></body></html>'
    assert "root:" not in parse(page.encode(), "page.html").text


def deed() -> bytes:
    document = docx.Document()
    document.core_properties.title = "Deed of gift"
    document.add_heading("Deed", 0)
    document.add_heading("Parties", 1)
    document.add_paragraph("The donor gives.")
    document.add_paragraph("First item", style="List Number")
    document.add_paragraph("Second item", style="List Number")
    document.add_paragraph("A point", style="List Bullet")
    table = document.add_table(rows=2, cols=2)
    for cell, words in zip((c for row in table.rows for c in row.cells), ("Fee", "Due", "10", "now"), strict=True):
        cell.text = words
    document.add_paragraph("§ 4 Revocation. The gift may be revoked within a year.")
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def test_docx_headings_numbers_and_tables() -> None:
    document = parse(deed(), "deed.docx")
    assert document.title == "Deed of gift"
    assert all_words(document) == [
        "Deed",
        "Parties",
        "The donor gives.",
        "1. First item",
        "2. Second item",
        "• A point",
        "Fee\tDue\n10\tnow",
        "§ 4 Revocation.",
        "The gift may be revoked within a year.",
    ]
    assert find(document, "The gift may").heading_path == ("Deed", "Parties", "§ 4 Revocation")
    assert find(document, "2. Second").label == "2."


def test_docx_reads_insertions_and_leaves_deletions_out() -> None:
    document = docx.Document()
    line = document.add_paragraph("Rent is ")
    line._p.append(parse_xml(f"<w:del {nsdecls('w')}><w:r><w:delText>ten</w:delText></w:r></w:del>"))
    line._p.append(parse_xml(f"<w:ins {nsdecls('w')}><w:r><w:t>twelve</w:t></w:r></w:ins>"))
    hidden = document.add_paragraph().add_run("Hidden words")
    hidden.font.hidden = True
    out = io.BytesIO()
    document.save(out)
    read = parse(out.getvalue(), "rent.docx")
    assert all_words(read) == ["Rent is twelve", "Hidden words"]
    assert read.warnings == ("tracked_changes:2", "hidden_text")


def rows(*values: object) -> bytes:
    return "\n".join(json.dumps(value) for value in values).encode()


def test_each_passage_is_a_paragraph_with_its_id_title_and_page() -> None:
    document = parse(
        rows(
            {"id": "a::1", "text": "Fees are due.", "title": "Fees", "page": 1},
            {"id": 2, "text": "Costs\n are not.", "page": 3, "passage_id": "1.2.(3)"},
            {"id": "empty", "text": "  "},
            {"id": "b", "text": "Last.", "page": 3},
        ),
        "rules.jsonl",
    )
    assert [span.external_id for span in document.paragraphs] == ["a::1", "2", "b"]
    assert [span.heading_path for span in document.paragraphs] == [("Fees",), (), ()]
    assert [span.kind for span in document.paragraphs] == ["passage"] * 3
    assert [span.label for span in document.paragraphs] == ["", "1.2.(3)", ""]
    assert [(page.number, page.label) for page in document.pages] == [(1, "1"), (2, "3")]
    assert [span.page for span in document.paragraphs] == [1, 2, 2]
    assert document.warnings == ("empty_passages:1",)
    assert words_of(document, document.paragraphs[1]) == "Costs\nare not."


@pytest.mark.parametrize("turns", [(1, 2), range(1, 5_002)], ids=["back and forth", "rising"])
def test_passages_on_more_pages_than_the_limit_say_so(turns: Sequence[int]) -> None:
    pages = list(islice(cycle(turns), 5_001))
    lines = [{"id": number, "text": "Fees are due.", "page": page} for number, page in enumerate(pages)]
    assert len(parse(rows(*lines[:-1]), "rules.jsonl").pages) == 5_000
    with pytest.raises(FileRefused, match="more pages than the limit") as caught:
        parse(rows(*lines), "rules.jsonl")
    assert caught.value.code == "too_many_pages"


@pytest.mark.parametrize(
    ("line", "what"),
    [
        (b"not json", "is not JSON"),
        (b"[1]", "is not an object"),
        (b'{"text": "x"}', "has no id"),
        (b'{"id": true, "text": "x"}', "has no id"),
        (b'{"id": "a", "text": "x"}', "repeats the id"),
        (b'{"id": "b", "text": 3}', "has no text"),
        (b'{"id": "b", "text": "x", "page": -1}', "has a page"),
        (b"[" * 100_000, "is not JSON"),
    ],
)
def test_a_bad_line_is_named_by_its_number(line: bytes, what: str) -> None:
    data = rows({"id": "a", "text": "Fees."}) + b"\n\n" + line
    with pytest.raises(FileRefused, match=f"Line 3 .*{what}") as caught:
        parse(data, "rules.jsonl")
    assert caught.value.code == "bad_line"
