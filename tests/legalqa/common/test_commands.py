"""What every command shares: the file that it reads or writes, and which options go with which of its acts."""

from pathlib import Path

import pytest
from django.core.management import CommandError, call_command, get_commands, load_command_class

from legalqa.common.commands import LegalQACommand
from legalqa.common.errors import ApplicationError

APPS = ("corpora", "judging", "legalqa", "retrieval")
OURS = [(app, name) for name, app in get_commands().items() if str(app).partition(".")[0] in APPS]


def test_a_file_that_cannot_be_written_is_refused_in_a_sentence(tmp_path: Path) -> None:
    for place in (tmp_path, tmp_path / "nowhere" / "cases.jsonl"):
        with pytest.raises(ApplicationError, match="No file can be written at"):
            LegalQACommand().file_named({"file": place}, is_read=False)
    assert LegalQACommand().file_named({"file": tmp_path / "new.jsonl"}, is_read=False) == tmp_path / "new.jsonl"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("llm test --limit 20", "--limit does not go with test. Leave it out."),
        ("audit verify --out log.jsonl", "--out does not go with verify. Leave it out."),
        ("trained ranker list leases --number 2", "--number does not go with list. Leave it out."),
        ("trained ranker roll-back leases --number 2", "--number does not go with roll-back. Leave it out."),
        ("reader evaluate --data rows.jsonl --epochs 3", "--epochs does not go with evaluate. Leave it out."),
        ("reader passages --reader r.safetensors", "--reader does not go with passages. Leave it out."),
        ("encoder train leases --dense", "--dense does not go with train. Leave it out."),
        ("ranker evaluate --corpus leases", "--corpus does not go with evaluate. Leave it out."),
        ("complexity predict Why? --folds 5", "--folds does not go with predict. Leave it out."),
        ("complexity train Why? --data rows.csv", "'Why?' does not go with train. Leave it out."),
        ("cases approve leases --file cases.jsonl", "--file does not go with approve. Leave it out."),
        ("questions import leases --format csv", "--format does not go with import. Leave it out."),
        ("graph export leases --kind duty", "--kind does not go with export. Leave it out."),
        ("experiment list --corpus leases --budget 5", "--budget does not go with list. Leave it out."),
        ("goldset check leases mine --seed 144", "--seed does not go with check. Leave it out."),
        ("casebase pairs leases --file p.jsonl --answers", "--answers does not go with pairs. Leave it out."),
    ],
)
def test_an_option_of_another_act_is_refused_even_at_its_default(arguments: str, words: str) -> None:
    with pytest.raises(CommandError) as refused:
        call_command(*arguments.split())
    assert (refused.value.returncode, str(refused.value)) == (2, words)


@pytest.mark.parametrize(("app", "name"), OURS)
def test_every_act_of_a_command_says_what_it_reads_of_the_options_that_there_are(app: str, name: str) -> None:
    command = load_command_class(app, name)
    options = {option.dest: option for option in command.create_parser("manage.py", name)._actions}
    acts = command.acts if isinstance(command, LegalQACommand) else {}

    assert list(acts) == list(options["action"].choices or ()) if "action" in options else not acts
    assert {one for names in acts.values() for one in names} <= set(options)
