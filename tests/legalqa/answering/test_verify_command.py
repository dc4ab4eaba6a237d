"""`manage.py verify`: claims with their evidence in, verdicts out."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from pytest_django import Settings

FIVE = "A tenant who pays late owes interest of five percent a year."


@pytest.fixture(autouse=True)
def no_reader(settings: Settings) -> None:
    settings.READER = "off"


def file_of(folder: Path, *rows: Any) -> str:
    file = folder / "claims.jsonl"
    file.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    return str(file)


def test_each_claim_has_its_verdict_score_and_reasons(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [
        {"id": "true", "claim": FIVE, "evidence": FIVE},
        {"id": "wrong", "claim": FIVE.replace("five", "six"), "evidence": ["The lease is long.", FIVE]},
        {"id": 3, "claim": FIVE, "evidence": []},
    ]
    call_command("verify", claims=file_of(tmp_path, *rows), json=True)
    claims = json.loads(capsys.readouterr().out)["claims"]

    assert [(claim["id"], claim["verdict"]) for claim in claims] == [
        ("true", "supported"),
        ("wrong", "unsupported"),
        (3, "unsupported"),
    ]
    assert all(0 <= claim["score"] <= 1 and claim["reasons"] for claim in claims)


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ({"id": "1", "claim": FIVE}, "neither a text nor a list"),
        ({"id": "1", "claim": FIVE, "evidence": [1]}, "neither a text nor a list"),
        ({"id": "1", "claim": " ", "evidence": FIVE}, "is empty"),
        ({"id": "1", "evidence": FIVE}, "Line 1"),
    ],
)
def test_a_bad_row_ends_with_code_2_and_says_which(row: dict[str, Any], words: str, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=words) as refused:
        call_command("verify", claims=file_of(tmp_path, row))

    assert refused.value.returncode == 2
