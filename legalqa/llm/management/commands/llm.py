"""Testing language models and listing their calls: `manage.py llm test`, `manage.py llm calls`."""

from argparse import ArgumentParser
from typing import Any

from legalqa.accounts.models import Organization
from legalqa.accounts.scoping import organization_scope
from legalqa.accounts.selectors import organization_get
from legalqa.common.commands import LegalQACommand
from legalqa.common.errors import ApplicationError
from legalqa.llm.connection import candidate_test
from legalqa.llm.pricing import amount_text
from legalqa.llm.selectors import call_list, candidate_list
from legalqa.llm.types import Outcome, Role

SHOWN = ("role", "provider", "model", "prompt", "outcome", "reason", "input_tokens", "output_tokens", "milliseconds")


class Command(LegalQACommand):
    help = "Test an organisation's language models (test), or list their calls (calls)."
    acts = {"test": ("role",), "calls": ("role", "outcome", "limit")}

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("action", choices=list(self.acts))
        parser.add_argument("--organization", metavar="SLUG")
        parser.add_argument("--role", choices=[role.value for role in Role], help="only models, or calls, of this role")
        parser.add_argument(
            "--outcome", choices=[outcome.value for outcome in Outcome], help="only calls with this outcome"
        )
        parser.add_argument("--limit", type=int, default=20, help="number of calls to list, newest first")

    def run(self, options: dict[str, Any]) -> None:
        organization = organization_get(slug=options["organization"])
        if options["action"] == "test":
            self._test(organization, options)
        else:
            self._calls(organization, options)

    def _test(self, organization: Organization, options: dict[str, Any]) -> None:
        roles = [Role(options["role"])] if options["role"] else list(Role)
        with organization_scope(organization, user=None):
            candidates = [
                (role, each) for role in roles for each in candidate_list(organization=organization, role=role)
            ]
        if not candidates:
            raise ApplicationError("No language model is set up for this. See docs/llm.md.", code="not_configured")
        rows = []
        for role, candidate in candidates:
            tested = candidate_test(organization=organization, user=None, role=role, candidate=candidate)
            model = {"role": role.value, "provider": candidate.provider, "model": candidate.model}
            rows.append(model | {"works": tested.works, "said": tested.message})
        table = "\n".join(f"{row['role']:9} {row['provider']}: {row['model']}: {row['said']}" for row in rows)
        self.emit({"models": rows}, options, table)
        if not all(row["works"] for row in rows):
            raise SystemExit(1)

    def _calls(self, organization: Organization, options: dict[str, Any]) -> None:
        if options["limit"] < 1:
            raise ApplicationError(f"--limit is {options['limit']}, but must be at least 1.", code="bad_arguments")
        filters = {"role": options["role"], "outcome": options["outcome"]}
        with organization_scope(organization, user=None):
            calls = list(call_list(organization=organization, filters=filters)[: options["limit"]])
        rows = [
            {
                "id": call.pk,
                "started_at": call.started_at.isoformat(timespec="seconds"),
                **{name: getattr(call, name) for name in SHOWN},
                "cost": amount_text(call.cost),
            }
            for call in calls
        ]
        table = "\n".join(
            f"{row['started_at']} {row['role']:9} {row['model']:24} {row['outcome']:11} "
            f"{row['input_tokens']}/{row['output_tokens']} tokens {row['cost']}"
            for row in rows
        )
        self.emit({"calls": rows}, options, table or "No calls.")
