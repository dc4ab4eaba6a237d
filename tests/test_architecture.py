"""The house rules that a script can check: sizes, names, task strings, what is refused anywhere."""

import ast
import re
import tokenize
from collections.abc import Iterable
from io import StringIO
from pathlib import Path

import pytest
from django.utils.module_loading import import_string

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("legalqa", "corpora", "retrieval", "judging", "tests")
SOURCES = sorted(p for package in PACKAGES for p in (ROOT / package).rglob("*.py") if "migrations" not in p.parts)
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
PRODUCT = [p for p in SOURCES if not p.is_relative_to(ROOT / "tests")]

FORBIDDEN = {
    r"\bmark_safe\b|\|safe\b": "text of documents must be escaped",
    r"\bcsrf_exempt\b": "every form carries its token",
    r"\.raw\(": "raw SQL goes around the manager",
    r"execute\(\s*f[\"']": "SQL is composed with parameters, never with strings",
    r"\bpickle\b": "unpickling runs code",
    r"shell=True": "no shell",
    r"verify=False.*(http|url)|(http|url).*verify=False": "certificates are checked",
    r"except\s*:": "a bare except hides the reason",
    r"\b(TODO|FIXME|XXX|HACK)\b": "unfinished work belongs into an issue",
    r"raise NotImplementedError": "nothing half-built",
}


def functions(tree: ast.AST) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    return [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)]


def named(paths: Iterable[Path]) -> list[str]:
    return [str(path.relative_to(ROOT)) for path in paths]


def of(room: str, paths: Iterable[Path]) -> list[Path]:
    return [path for path in paths if path.is_relative_to(ROOT / room)]


@pytest.mark.parametrize("room", PACKAGES)
def test_files_and_functions_are_short(room: str) -> None:
    long_files: list[Path] = []
    long_functions: list[tuple[Path, str]] = []
    for path in of(room, SOURCES):
        text = path.read_text()
        if text.count("\n") > (500 if room == "tests" else 400):
            long_files.append(path)
        tree = ast.parse(text)
        long_functions += [(path, f.name) for f in functions(tree) if (f.end_lineno or 0) - f.lineno + 1 > 60]

    assert named(long_files) == []
    assert long_functions == []


@pytest.mark.parametrize(("pattern", "why"), FORBIDDEN.items())
def test_nothing_that_we_refuse_is_in_the_code(pattern: str, why: str) -> None:
    refused = re.compile(pattern)

    assert named(path for path in PRODUCT if refused.search(path.read_text())) == [], why


def test_every_module_says_what_it_is_for() -> None:
    silent = [
        path
        for path in PRODUCT
        if path.name != "apps.py" and path.read_text().strip() and not ast.get_docstring(ast.parse(path.read_text()))
    ]

    assert named(silent) == []


def test_no_file_has_a_name_that_says_nothing() -> None:
    said = {"utils", "helpers", "misc", "common_utils", "handler", "stuff"}

    assert named(path for path in PRODUCT if path.stem in said) == []


def test_the_settings_alone_read_our_variables_of_the_environment() -> None:
    reads = re.compile(r"\bgetenv\b|environ(\.get\(|\[)[\"']LEGALQA_")

    assert named(path for path in PRODUCT if reads.search(path.read_text())) == []


def test_services_and_selectors_take_their_arguments_by_name_the_organisation_first() -> None:
    wrong = []
    for path in PRODUCT:
        if not {"services", "selectors"} & {path.stem, path.parent.name}:
            continue
        for function in ast.parse(path.read_text()).body:
            if isinstance(function, ast.FunctionDef) and not function.name.startswith("_"):
                names = [argument.arg for argument in function.args.kwonlyargs]
                late = {"organization", "organization_id"} & set(names[1:])
                if function.args.args or function.args.posonlyargs or late:
                    wrong.append((str(path.relative_to(ROOT)), function.name))

    assert wrong == []


def test_app_packages_stay_empty() -> None:
    for app in ("legalqa", "legalqa/accounts", "legalqa/answering", "legalqa/jobs", "corpora", "retrieval", "judging"):
        assert (ROOT / app / "__init__.py").read_text().strip() == ""


def test_the_queue_is_reached_through_the_ledger_only() -> None:
    users = [p for p in PRODUCT if "async_task" in p.read_text()]

    assert [str(p.relative_to(ROOT)) for p in users] == ["legalqa/jobs/supervisor.py", "legalqa/jobs/turns.py"]


def test_every_task_string_names_a_function() -> None:
    strings = {
        found for path in PRODUCT for found in re.findall(r"\"((?:legalqa\.)?\w+\.tasks\.\w+)\"", path.read_text())
    }

    assert "corpora.tasks.document_ingest" in strings
    for dotted in strings:
        assert callable(import_string(dotted))


def test_tasks_are_five_lines_at_most() -> None:
    for path in PRODUCT:
        if path.name == "tasks.py":
            for function in functions(ast.parse(path.read_text())):
                assert (function.end_lineno or 0) - function.lineno <= 5


def test_page_templates_have_at_most_150_lines() -> None:
    long = [p.name for p in TEMPLATES if p.read_text().count("\n") > 150]

    assert not long


def test_lines_of_templates_can_be_read() -> None:
    """At most 120 characters, and 60 on average: a template on few, long lines is not a short one."""
    lines = [(p.name, line) for p in TEMPLATES for line in p.read_text().splitlines() if line.strip()]

    assert not [(name, line) for name, line in lines if len(line) > 120]
    assert sum(len(line) for _, line in lines) <= 60 * len(lines)


TESTS = of("tests", SOURCES)
PATCHES = {"setattr", "setitem", "setenv", "delattr", "delitem", "delenv", "chdir"}  # of pytest's monkeypatch
SILENCED = re.compile(r"#\s*(?:type: ignore\[[^]]*\]|noqa: [A-Z]+[0-9]+(?:, [A-Z]+[0-9]+)*)\s*")


def comments(text: str) -> dict[int, str]:
    """The comments of a file by their line; what only silences a tool does not count."""
    found = {
        token.start[0]: SILENCED.sub("", token.string).lstrip("#- ")
        for token in tokenize.generate_tokens(StringIO(text).readline)
        if token.type == tokenize.COMMENT
    }
    return {line: comment for line, comment in found.items() if comment}


def is_patch(node: ast.AST) -> bool:
    """A call that puts something of the test's own in the place of something of the product's."""
    if not isinstance(node, ast.Call):
        return False
    if isinstance(node.func, ast.Attribute) and node.func.attr in PATCHES:
        return True
    return isinstance(node.func, ast.Name) and node.func.id == "patch"  # of unittest.mock


def test_each_patch_has_its_reason_on_its_lines_or_above_it() -> None:
    """A reason above patches that follow each other is that of them all."""
    bare = []
    for path in TESTS:
        text = path.read_text()
        if "patch" not in text:
            continue
        reasons = comments(text)
        calls = {
            n.lineno: n.end_lineno or 0 for n in ast.walk(ast.parse(text)) if isinstance(n, ast.Call) and is_patch(n)
        }
        begins = {end: start for start, end in calls.items()}
        for start, end in calls.items():
            first = start
            while first - 1 in begins:
                first = begins[first - 1]
            if not any(line in reasons for line in (first - 1, *range(start, end + 1))):
                bare.append(f"{path.relative_to(ROOT)}:{start}")

    assert bare == []


def test_each_exception_for_a_tool_has_its_reason_beside_it() -> None:
    bare = []
    for path in SOURCES:
        text = path.read_text()
        if not SILENCED.search(text):
            continue
        reasons = comments(text)
        tokens = tokenize.generate_tokens(StringIO(text).readline)
        silenced = [t.start[0] for t in tokens if t.type == tokenize.COMMENT and SILENCED.search(t.string)]
        bare += [f"{path.relative_to(ROOT)}:{line}" for line in silenced if line not in reasons]

    assert bare == []
