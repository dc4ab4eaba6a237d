"""Rules that differ because they are for different people, things or cases contradict nothing."""

import re
from functools import lru_cache

# Words of one row exclude each other: a rule for one is not a rule for another. Ours.
_ROWS = [
    ["full-time|full time", "part-time|part time", "temporary|seasonal|casual"],
    ["privileged|administrators?|administrative accounts?|admins?|root|service accounts?",
     "standard|ordinary|non-privileged|end[- ]users?|user passwords|users"],
    ["critical(?!\\s+(?:infrastructure|systems?))", "high(?:[- ]risk|[- ]severity|[- ]priority)", "medium|moderate",
     "low(?:[- ]risk|[- ]severity|[- ]priority)?", "minor"],
    ["domestic|national", "international|foreign|cross-border"],
    ["first|initial(?:ly)?|original", "subsequent|repeat(?:ed)?|second|further|renewals?|later violations?", "third"],
    ["deposit|down payment|advance", "balance|remainder"],
    ["personal data|personal information", "financial|accounting|transaction", "health|medical|clinical"],
    ["provider|providers", "deployers?", "distributors?", "importers?"],
    ["controllers?", "processors?"], ["buyer|purchaser", "seller|vendor"], ["landlord|lessor", "tenant|lessee"],
    ["licensor", "licensee"], ["employer", "employees?"],
    ["visitors?|guests?", "employees?|staff|personnel|workforce"],
    ["contractors?|freelancers?", "employees?|staff", "interns?|trainees?|apprentices?", "candidates?|applicants?"],
    ["minors?|children|child", "adults?"], ["paper|printed|hard[- ]copy|physical", "electronic|digital|online"],
    ["daily|incremental", "weekly", "monthly", "full|annual|yearly"],
    ["suppliers?|vendors?|clients?|customers?", "colleagues?|co-workers?"],
    ["suppliers?|vendors?", "clients?|customers?"], ["premium|paid plans?|paying", "free (?:accounts?|plans?|users?)"],
    ["production|live", "test|testing|staging|development"],
    ["internal", "external"], ["inbound|incoming", "outbound|outgoing"],
    ["public|unclassified", "confidential|secret|restricted"],
    ["natural persons?|individuals?", "legal persons?|undertakings?|companies"],
    ["small|micro|smes?|start-ups?", "large"], ["weekdays?|working days", "weekends?|holidays"],
    ["supervisory authorit(?:y|ies)|regulators?|authorit(?:y|ies)", "insurers?",
     "data subjects?|affected individuals?", "customers?|clients?"],
    ["first (?:year|month|week)s?", "after (?:\\w+ )?(?:years?|months?)|thereafter"],
    ["germany|german", "france|french", "united states|u\\.s\\.|us|american", "united kingdom|uk|british", "spain",
     "italy", "switzerland|swiss", "canada", "california", "european union|eu|eea", "new york", "texas", "india",
     "japan", "china"],
    ["mothers?|maternity|birthing", "fathers?|paternity|non-birthing"], ["hourly", "salaried|exempt"],
    ["annual leave|vacation|holiday", "sick leave|sickness", "parental leave|maternity leave"],
    ["drafts?", "final|signed|executed"], ["written|in writing", "oral|orally|verbal"],
]  # fmt: skip
_CLASSES = [[re.compile(rf"\b(?:{words})\b", re.IGNORECASE) for words in row] for row in _ROWS]
# A backup, a review or a log is daily or weekly as such; "takes place weekly" is how often.
_AS_ATTRIBUTE = re.compile(
    r"\b(?:daily|weekly|monthly|yearly|annual|incremental|full)\s+(?:\w+\s+)?"
    r"(?:backups?|logs?|reports?|reviews?|snapshots?|subscriptions?|plans?)\b",
    re.IGNORECASE,
)
_OTHER_THAN = re.compile(
    r"\b(?:other\s+than|except(?:\s+for)?|excluding|but\s+not|apart\s+from)\s+(?:the\s+)?(\w+)", re.IGNORECASE
)
_OFTEN = frozenset(("daily|incremental", "weekly", "monthly", "full|annual|yearly"))


@lru_cache(maxsize=4_000)
def _places(text: str) -> tuple[frozenset[int], ...]:
    attributes = " ".join(match.group() for match in _AS_ATTRIBUTE.finditer(text))
    return tuple(
        frozenset(n for n, (words, pattern) in enumerate(zip(row, patterns, strict=True))
                  if pattern.search(attributes if words in _OFTEN else text))
        for row, patterns in zip(_ROWS, _CLASSES, strict=True)
    )  # fmt: skip


def other_scope(a: str, b: str) -> tuple[str, str] | None:
    """The words by which two provisions are for different people, things or cases; None where there are none."""
    for one, other in ((a, b), (b, a)):
        for match in _OTHER_THAN.finditer(one):
            same = re.search(rf"\b{re.escape(match.group(1))}\b", other, re.IGNORECASE)
            if same and not _OTHER_THAN.search(other):
                return (match.group(), same.group()) if one is a else (same.group(), match.group())
    for row, ours, theirs in zip(_CLASSES, _places(a), _places(b), strict=True):
        if ours and theirs and not ours & theirs:
            first, second = row[min(ours)].search(a), row[min(theirs)].search(b)
            if first and second:
                return first.group(), second.group()
    return None
