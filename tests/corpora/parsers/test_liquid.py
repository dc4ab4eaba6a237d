"""Markdown files of websites with Liquid marks: no reader of the page sees them, and no quote shows them."""

from time import perf_counter

import pytest

from corpora.parsers.liquid import liquid_stripped
from tests.corpora.parsers.builders import all_words, parse

# 18F's guides (public domain).
LEAVE = (
    'You can use [Docusign templates]({% page "/tools/digital-signatures#use-docusign-templates" %}) for Paid Parental'
    " Leave.\n"
)


def words(text: str) -> list[str]:
    return all_words(parse(text.encode(), "leave.md"))


def test_a_link_to_a_template_mark_keeps_its_words() -> None:
    assert words(LEAVE) == ["You can use Docusign templates for Paid Parental Leave."]
    assert words("Please [contact our Support team]({{ site.email_support }}) soon.") == [
        "Please contact our Support team soon."
    ]
    assert words('To return, [read the\nguide]({% page "/travel/" %}).') == ["To return, read the guide."]


def test_marks_on_lines_of_their_own_and_comments_are_left_out() -> None:
    page = '{% alert "", "warning" %}\n\nAsk first.\n\n{% comment %} draft {% endcomment %}\n\n{% endalert %}\n'

    assert words(page) == ["Ask first."]


def test_a_mark_that_names_something_is_that_name() -> None:
    assert words('Ask in {% slack_channel "travel" %} first.\n\n* {% slack_channel "parents" %}\n* Slack\n') == [
        "Ask in travel first.",
        "• parents",
        "• Slack",
    ]


def test_words_that_the_site_would_put_in_a_sentence_are_marked_as_missing() -> None:
    assert words("Contact {% data variables.contact.contact_support %} or {{ site.email }}.") == ["Contact […] or […]."]


def test_words_between_marks_that_only_steer_stay() -> None:
    assert words("Leave is {% if paid %}paid{% else %}unpaid{% endif %}.") == ["Leave is paidunpaid."]


def test_code_keeps_its_marks() -> None:
    page = "Write `{{ name }}` here.\n\n```\n{% page %}\n```\n\nDone {% if x %}now{% endif %}.\n"

    assert words(page) == ["Write {{ name }} here.", "{% page %}", "Done now."]


def test_an_item_that_was_only_a_mark_gives_its_bullet_to_nobody() -> None:
    assert words("* {{ a.b }}\n* One\n\nText.\n") == ["• One", "Text."]
    assert words("* One\n* {{ a.b }}\n\nText.\n") == ["• One", "Text."]


@pytest.mark.parametrize(
    "part", ["{%", "{{", "`", "](", "]({% ", "{% comment %}", "- ", "` ", "{% if ", "```\n", '{% "']
)
def test_marks_that_never_end_are_read_in_no_time(part: str) -> None:
    start = perf_counter()
    liquid_stripped("{%" + part * (4_000 // len(part)))

    assert perf_counter() - start < 0.5
