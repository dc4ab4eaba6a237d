"""`doctor`: what is wrong with this installation, and what to do about it."""

import sys
from typing import Any

from legalqa.common.commands import LegalQACommand
from legalqa.operations.checks import ALL, Level, checks_run


class Command(LegalQACommand):
    help = "Report what is wrong with this installation and how to fix it; exit code 1 if something fails."

    def run(self, options: dict[str, Any]) -> None:
        checks = checks_run(ALL)
        n_failed, n_warned = (sum(check.level is level for check in checks) for level in (Level.FAIL, Level.WARN))
        lines = []
        for check in checks:
            lines.append(f"{check.level:<5} {check.name:<32} {check.result}")
            if check.advice:
                lines.append(f"      {'':<32} {check.advice}")
        lines.append(f"{len(checks)} checks: {n_failed} failed, {n_warned} warnings.")
        document = {
            "checks": [
                {"name": c.name, "level": str(c.level), "found": c.result, "advice": c.advice or None} for c in checks
            ],
            "failed": n_failed,
            "warned": n_warned,
        }
        self.emit(document, options, "\n".join(lines))
        if n_failed:
            sys.exit(1)
