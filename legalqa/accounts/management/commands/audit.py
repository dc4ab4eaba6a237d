"""`audit`: verify the audit log, or copy it to another machine."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from legalqa.accounts.models import Organization
from legalqa.accounts.scoping import organization_scope
from legalqa.accounts.selectors import organization_get
from legalqa.accounts.services.audit_chain import ChainReport, audit_export, audit_verify, checkpoint_read
from legalqa.common.commands import LegalQACommand
from legalqa.common.errors import ApplicationError


class Command(LegalQACommand):
    help = "Verify the audit log's chain, or export it with its head, from which a later verification can start."
    acts = {"verify": ("against",), "export": ("out",)}

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("action", choices=list(self.acts))
        parser.add_argument("--organization", help="its slug; without it, verify checks all of them")
        parser.add_argument("--against", metavar="FILE", help="verify: an earlier export that must still match")
        parser.add_argument("--out", metavar="FILE", help="export: file to write instead of standard output")

    def run(self, options: dict[str, Any]) -> None:
        if options["against"] and options["organization"]:
            raise ApplicationError("The export names its organisation. Omit --organization.", code="bad_arguments")
        if options["action"] == "export":
            self._export(options)
        else:
            self._verify(options)

    def _verify(self, options: dict[str, Any]) -> None:
        against = checkpoint_read(path=options["against"]) if options["against"] else None
        if against is not None:
            organizations = list(Organization.objects.filter(pk=against.organization_id))
            if not organizations:
                raise ApplicationError(
                    "The export belongs to an organisation that is not here. Check it where it was exported.",
                    code="other_organization",
                )
        elif options["organization"]:
            organizations = [organization_get(slug=options["organization"])]
        else:
            organizations = list(Organization.objects.order_by("slug"))
        reports = []
        for organization in organizations:
            with organization_scope(organization, user=None):
                reports.append(audit_verify(organization=organization, against=against))
        document = {"ok": not any(report.broken for report in reports), "chains": [r.document() for r in reports]}
        self.emit(document, options, "\n".join(map(_line, reports)) or "There is no organisation yet.")
        if not document["ok"]:
            raise CommandError("The audit log was changed after it was written.", returncode=1)

    def _export(self, options: dict[str, Any]) -> None:
        organization = organization_get(slug=options["organization"])
        with organization_scope(organization, user=None):
            lines = list(audit_export(organization=organization))
        text = "\n".join(lines)
        if not options["out"]:
            self.stdout.write(text)
            return
        try:
            Path(options["out"]).write_text(text + "\n", encoding="utf-8")
        except OSError as error:
            raise ApplicationError(
                f"The export cannot be written to {options['out']}: {error.strerror}. Name another file with --out.",
                code="unwritable",
            ) from None
        document = {"organization": organization.slug, "rows": len(lines) - 1, "file": options["out"]}
        self.emit(document, options, f"{len(lines) - 1} rows of {organization.slug} are in {options['out']}.")


def _line(report: ChainReport) -> str:
    if report.broken:
        return f"{report.organization}: BROKEN at row {report.broken.sequence}. {report.broken.why}"
    return f"{report.organization}: {report.n_rows} rows, intact; the last digest is {report.head}"
