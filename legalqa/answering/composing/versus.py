"""A question that compares several things, put as one question on each of them.

Source: Min et al. 2019 (DecompRC), who take comparison questions apart in the same way. Differs: by rules, and
only where it is plain what is asked of the first: "What happens with X, versus Y and Z?".
"""

import re

_AGAINST = r"(?:versus|vs\.?|as opposed to|(?:as |when )?compared (?:to|with)|in contrast (?:to|with))"
_WHO = r"(?:i|we|you|they|he|she|it|one|people|somebody|someone)"
# The question proper ends before the first thing: after a preposition, or after "do we keep".
_ASKED = re.compile(
    rf"^(?P<asked>(?:[^?]{{0,200}}?, )?(?:what|which|how|when|where|who)\b[^?]{{1,160}}?"
    rf"(?:\s(?:with|to|for|of|on|by|from)|\s(?:do|does|did|must|may|can|should|shall) {_WHO} [\w-]+(?: for)?))"
    rf"\s+(?P<first>[^?,]{{2,60}}?),?\s+{_AGAINST}\s+(?P<others>[^?]{{2,120}}?)\s*\??$",
    re.IGNORECASE,
)
_APART = re.compile(r",\s*(?:and\s+)?|\s+and\s+", re.IGNORECASE)
_NO_THING = re.compile(
    r"^(?:(?:with|to|for|of|on|by|from) )?(?:(?:the|all|any|every) )?(?:rest|others?|ones?|that|those|it|them)\b",
    re.IGNORECASE,
)
MOST_COMPARED = 4  # ours: things that are asked about one by one at most


def each_thing_asked(question: str) -> tuple[str, ...]:
    """The question on each of the compared things; nothing if there are none, or the question is not plain.

    >>> each_thing_asked("When I leave, what happens with my bonus, versus travel time and credit hours?")[1:]
    ('When I leave, what happens with travel time?', 'When I leave, what happens with credit hours?')
    >>> each_thing_asked("How long do we keep contracts, compared with invoices?")
    ('How long do we keep contracts?', 'How long do we keep invoices?')
    >>> each_thing_asked("What do we owe on sales to small customers compared with the rest?")
    ()
    """
    match = _ASKED.match(question.strip())
    if match is None:
        return ()
    things = (match["first"], *_APART.split(match["others"]))
    if len(things) > MOST_COMPARED or any(not thing.strip() or _NO_THING.match(thing.strip()) for thing in things):
        return ()
    return tuple(f"{match['asked']} {thing.strip()}?" for thing in things)
