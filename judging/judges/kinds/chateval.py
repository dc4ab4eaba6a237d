"""ChatEval: referees in roles discuss two answers over several rounds, then each scores both from 1 to 10."""

from collections.abc import Iterator
from typing import Any, Literal

from pydantic import Field, field_validator

from judging.judges.asking import Sitting, Unread, prompt_named
from judging.judges.kinds.faireval import HIGH, LOW, PLACES, QUALITY, WIN, PairJudge, PairSettings, scores_of_pair
from judging.judges.types import Status
from judging.measures.places import Pair
from legalqa.llm.types import Outcome

ROLES = {  # each with the file of what its referee is told
    "General Public": "chateval_role_general_public",
    "Critic": "chateval_role_critic",
    "News Author": "chateval_role_news_author",
    "Psychologist": "chateval_role_psychologist",
    "Scientist": "chateval_role_scientist",
}
SUMMARY = "Summary of the discussion so far"
NO_ANSWER = frozenset({Outcome.UNAVAILABLE, Outcome.QUOTA, Outcome.OVERFLOW, Outcome.CANCELLED})
Said = list[tuple[str, str]]  # role and words


class ChatEvalSettings(PairSettings):
    """What a judge by ChatEval may be set to.

    Attributes:
        temperature: As of `ModelSettings`; 0 unless it is set.
        roles: The referees, 1 to 5, in the order in which they speak.
        rounds: Rounds of the discussion, 1 to 5; in each of them every referee speaks once.
        order: "sequential": each hears what was said before, in this round too. "concurrent": each hears the rounds
            before. "summarised": as concurrent, but instead of the rounds before each hears their summary.
    """

    temperature: float = Field(default=0.0, ge=0, le=2)
    roles: tuple[str, ...] = Field(default=("General Public", "Critic"), min_length=1, max_length=5)
    rounds: int = Field(default=2, ge=1, le=5)
    order: Literal["sequential", "concurrent", "summarised"] = "sequential"

    @field_validator("roles")
    @classmethod
    def _roles_exist(cls, roles: tuple[str, ...]) -> tuple[str, ...]:
        if unknown := [role for role in roles if role not in ROLES]:
            raise ValueError(f"No role is called {unknown[0]!r}; choose of: {', '.join(ROLES)}.")
        return roles


class ChatEvalJudge(PairJudge[ChatEvalSettings]):
    """Source: Chan et al. 2023, ChatEval.

    Differs: turns are counted in rounds in every order, so scores are asked for in the last round and never before;
    a referee who gives no scores is left out and counted, where the published script turns it into a tie or a win;
    with `is_balanced` the whole discussion is led once more with the answers exchanged.
    """

    kind = "chateval"
    declared = {QUALITY: (LOW, HIGH), WIN: (0, 1), **PLACES}

    def prompts(self) -> tuple[str, ...]:
        more = ("chateval_summary",) if self.settings.order == "summarised" else ()
        return ("chateval", "chateval_final", *more, *(ROLES[role] for role in self.settings.roles))

    def in_order(self, question: str, first: str, second: str, sitting: Sitting) -> Iterator[Pair | Unread]:
        """The discussion, then one call for the scores of each referee.

        Yields:
            For each of `roles` the scores of first and second, LOW to HIGH each, or why there are none; one reason
            alone where the discussion broke off.
        """
        answers: dict[str, Any] = {"question": question, "first": first, "second": second}
        turns: Said = []
        for _ in range(self.settings.rounds - 1):
            more = self._round(turns, answers, sitting)
            if isinstance(more, Unread):
                yield more
                return
            turns = more
        final = prompt_named("chateval_final").text
        heard = list(turns)
        for place, role in enumerate(self.settings.roles):
            values = self._referee(role, heard, answers) | {"final": final}
            reply = sitting.read(scores_of_pair, prompt_named("chateval"), sample=place, **values)
            if isinstance(reply, Unread):
                yield reply
                continue
            if self.settings.order == "sequential":
                heard.append((role, reply[1].text.strip()))
            yield reply[0].values[0], reply[0].values[1]

    def _round(self, turns: Said, answers: dict[str, Any], sitting: Sitting) -> Said | Unread:
        """What was said, with a round more; a referee who declines says nothing."""
        whole = list(turns)
        for place, role in enumerate(self.settings.roles):
            heard = whole if self.settings.order == "sequential" else turns
            reply = sitting.say(prompt_named("chateval"), sample=place, final="", **self._referee(role, heard, answers))
            if reply.is_ok:
                whole.append((role, reply.text.strip()))
            elif reply.outcome in NO_ANSWER:
                return Unread(Status.FAILED, reply.reason)
        if self.settings.order != "summarised" or not whole:
            return whole
        question = answers["question"]
        reply = sitting.say(prompt_named("chateval_summary"), question=question, discussion=_discussion(whole))
        return [(SUMMARY, reply.text.strip())] if reply.is_ok else Unread(Status.FAILED, reply.reason)

    def _referee(self, role: str, heard: Said, answers: dict[str, Any]) -> dict[str, Any]:
        return {**answers, "role": prompt_named(ROLES[role]).text, "name": role, "discussion": _discussion(heard)}


def _discussion(turns: Said) -> str:
    if not turns:
        return ""
    return "Here is your discussion history:\n" + "\n".join(f"[{role}]: {text}" for role, text in turns)
