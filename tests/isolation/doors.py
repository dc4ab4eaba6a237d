"""Who may do what: the roles, the callers, and a door for each of them."""

from dataclasses import dataclass

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")

OWNER = frozenset({"owner"})
MANAGERS = frozenset({"owner", "manager"})
REVIEWERS = frozenset({"owner", "manager", "lawyer"})
MEMBERS = frozenset({"owner", "manager", "lawyer", "annotator"})
OUTSIDERS = frozenset({"removed", "operator", "stranger"})  # signed in, and no members of this organisation
CALLERS = (*sorted(MEMBERS), *sorted(OUTSIDERS), "anonymous")
TOKENS = (*sorted(MEMBERS), "removed", "revoked", "stranger", "none", "nonsense")

GET, POST, PUT, PATCH, DELETE = "GET", "POST", "PUT", "PATCH", "DELETE"
REDIRECT = 302
CONFLICT = 409  # the world's answers have ended: there is nothing to cancel
INVALID = 422  # the world's gold set asks one thing, on one document: too little to train on
LAST_ANSWER = 286  # htmx stops asking: the document is ready


@dataclass(frozen=True)
class Door:
    """A method of an address: who may use it, and what they get when they send what it asks for."""

    allowed: frozenset[str]
    status: int


# Pages under /o/<slug>/: other roles 403, everybody who is no member 404, anonymous to the sign-in page.
