"""The documentation names what exists, and all of it."""

import ast
import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import get_commands, load_command_class
from django.urls import URLPattern, URLResolver, get_resolver

from corpora.chunkers import CHUNKERS
from corpora.parsers.reasons import REASONS, WARNINGS
from legalqa.answering.strategies.registry import STRATEGIES
from retrieval.fusion import FUSIONS
from retrieval.pipelines.presets import PRESETS
from retrieval.rerankers import RERANKERS
from retrieval.retrievers import RETRIEVERS
from retrieval.rewriters import REWRITERS
from retrieval.stages import STAGES

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted(DOCS.glob("*.md"))]
APPS = ("legalqa", "corpora", "retrieval", "judging")

every_page = pytest.mark.parametrize("page", PAGES, ids=lambda path: str(path.relative_to(ROOT)))


def read(*parts: str) -> str:
    return ROOT.joinpath(*parts).read_text(encoding="utf-8")


# -- Settings ---------------------------------------------------------------------------------------------------------


def settings_code() -> str:
    return read("legalqa", "settings.py") + read("legalqa", "settings_queue.py")


def settings_read() -> set[str]:
    """The variables that the settings read; a secret may also come from a file."""
    calls = re.findall(r"\benv_(\w+)\(\s*\"(\w+)\"", settings_code())
    return {name for _, name in calls} | {f"{name}_FILE" for kind, name in calls if kind.startswith("secret")}


def test_the_example_environment_lists_every_setting_and_nothing_else() -> None:
    listed = re.findall(r"^#?([A-Z][A-Z0-9_]+)=", read(".env.example"), re.MULTILINE)

    assert sorted(listed) == sorted(settings_read())


def test_the_example_environment_shows_the_defaults() -> None:
    shown = dict(re.findall(r"^#?([A-Z][A-Z0-9_]+)=(.*)$", read(".env.example"), re.MULTILINE))
    literal = r'\benv_\w+\(\s*"(\w+)",\s*(?:default=)?("[^"]*"|[\d._]+|True|False)[,)]'
    defaults = {name: str(ast.literal_eval(value)) for name, value in re.findall(literal, settings_code())}

    assert len(defaults) > 50
    assert {name: shown[name] for name, value in defaults.items() if shown[name].lower() != value.lower()} == {}


def test_the_operator_guide_explains_every_setting_and_nothing_else() -> None:
    explained = re.findall(r"^\| `([A-Z][A-Z0-9_]+)` \|", read("docs", "operator-guide.md"), re.MULTILINE)

    assert sorted(explained) == sorted(settings_read())


@every_page
def test_a_page_names_only_settings_that_exist(page: Path) -> None:
    named = set(re.findall(r"\b(?:LEGALQA|DATABASE)_[A-Z0-9_]+\b", page.read_text(encoding="utf-8")))

    assert named <= settings_read()


# -- Commands ---------------------------------------------------------------------------------------------------------


def our_commands() -> set[str]:
    found = (path for app in APPS for path in (ROOT / app).rglob("management/commands/*.py"))
    return {path.stem for path in found if path.stem != "__init__"}


def make_targets() -> set[str]:
    return set(re.findall(r"^([a-z][a-z-]*):", read("Makefile"), re.MULTILINE))


def console_lines(page: Path) -> Iterator[str]:
    text = page.read_text(encoding="utf-8").replace("\\\n", "")  # a line that is continued on the next one
    for block in re.findall(r"```console\n(.*?)```", text, re.DOTALL):
        yield from (line.removeprefix("$ ") for line in block.splitlines() if line.startswith("$ "))


def test_the_operator_guide_names_every_command_of_ours() -> None:
    guide = read("docs", "operator-guide.md")

    assert {name for name in our_commands() if f"manage.py {name}" not in guide} == set()


@every_page
def test_console_blocks_use_commands_that_exist(page: Path) -> None:
    lines = list(console_lines(page))
    commands = {line.split()[1] for line in lines if line.startswith("manage.py ")}
    targets = {line.split()[1] for line in lines if line.startswith("make ")}

    assert commands <= set(get_commands())
    assert targets <= make_targets()


@every_page
def test_console_blocks_use_options_that_exist(page: Path) -> None:
    unknown = []
    for line in console_lines(page):
        if line.startswith("manage.py "):
            name = line.split()[1]
            command = load_command_class(get_commands()[name], name)
            known = command.create_parser("manage.py", name)._option_string_actions
            unknown += [line for option in re.findall(r" (--[\w-]+)", line) if option not in known]

    assert unknown == []


@every_page
def test_a_page_names_only_make_targets_and_commands_that_exist(page: Path) -> None:
    text = page.read_text(encoding="utf-8")

    assert set(re.findall(r"`make ([a-z][a-z-]*)", text)) <= make_targets()
    assert set(re.findall(r"`manage\.py (\w+)", text)) <= set(get_commands())


def test_every_make_target_is_in_the_operator_guide() -> None:
    guide = read("docs", "operator-guide.md")

    assert {target for target in make_targets() - {"help"} if f"`make {target}`" not in guide} == set()


# -- Links ------------------------------------------------------------------------------------------------------------


def anchors(page: Path) -> set[str]:
    """What headings are called in a link: lower case, blanks to hyphens, other signs left out."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@every_page
def test_internal_links_and_images_resolve(page: Path) -> None:
    missing = []
    for link in re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8")):
        path, _, anchor = link.partition("#")
        if re.match(r"[a-z]+:", path):
            continue
        target = (page.parent / path).resolve() if path else page
        if not target.exists() or (anchor and anchor not in anchors(target)):
            missing.append(link)

    assert missing == []


# -- Tables that follow the code --------------------------------------------------------------------------------------


def component_names() -> set[str]:
    """All that a setting or a stored pipeline can name; a pipeline itself is none of its parts."""
    return {*CHUNKERS.names(), *STAGES.names(), *REWRITERS.names(), *STRATEGIES.names(), *PRESETS} - {"pipeline.v1"}


def test_the_readme_or_the_architecture_names_every_component() -> None:
    text = read("README.md") + read("docs", "architecture.md")

    assert {name for name in component_names() if f"`{name}`" not in text} == set()


def test_the_readme_has_a_row_for_every_chunker_retriever_reranker_and_preset() -> None:
    readme = read("README.md")
    names = {*CHUNKERS.names(), *RETRIEVERS.names(), *RERANKERS.names(), *FUSIONS.names(), *PRESETS}

    assert {name for name in names if f"`{name}`" not in readme} == set()


def test_the_readme_stays_short() -> None:
    readme = read("README.md")
    seen = re.sub(r"<details>.*?</details>|\]\([^)]*\)|^\|[ |-]+\|$", "", readme, flags=re.DOTALL | re.MULTILINE)

    assert readme.count("\n") < 150
    assert len(re.findall(r"\w[\w'.-]*", seen)) <= 350  # about two minutes aloud


def marked_table(name: str) -> dict[str, str]:
    """The rows between two marks of the user guide: code to sentence."""
    guide = read("docs", "user-guide.md")
    between = guide.partition(f"<!-- {name}:start")[2].partition(f"<!-- {name}:end")[0]
    return dict(re.findall(r"^\| `(\w+)` \| (.+) \|$", between, re.MULTILINE))


def test_the_user_guide_gives_every_reason_for_refusing_a_file_in_its_own_words() -> None:
    assert marked_table("reasons") == REASONS


def test_the_user_guide_gives_every_note_on_a_file_in_its_own_words() -> None:
    assert marked_table("warnings") == WARNINGS


def api_paths(patterns: list[URLPattern | URLResolver], prefix: str = "") -> Iterator[str]:
    for pattern in patterns:
        path = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from api_paths(pattern.url_patterns, path)
        elif (pattern.name or "").startswith("api_"):
            yield "/" + re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", path)


def test_the_api_guide_names_every_address_and_no_other() -> None:
    named = set(re.findall(r"`(/api/v1/[^`]+)`", read("docs", "api-guide.md")))

    assert named == set(api_paths(get_resolver().url_patterns))


def test_every_dependency_has_its_reason() -> None:
    project = tomllib.loads(read("pyproject.toml"))["project"]
    wanted = [*project["dependencies"], *(r for extra in project["optional-dependencies"].values() for r in extra)]
    names = {re.split(r"[\[<>=~ ]", requirement)[0] for requirement in wanted}
    explained = set(re.findall(r"^\| ([\w-]+) \|", read("docs", "dependencies.md"), re.MULTILINE)) - {"package", "---"}

    assert explained - {package for package, _ in vendored()} == names


def vendored() -> set[tuple[str, str]]:
    manifest = json.loads(read("static", "vendor", "MANIFEST.json"))
    return {(package["package"], package["version"]) for package in manifest["packages"]}


def test_every_vendored_package_has_its_reason_and_version() -> None:
    rows = re.findall(r"^\| ([@\w./-]+) \| ([\d.]+) \|", read("docs", "dependencies.md"), re.MULTILINE)

    assert set(rows) == vendored()


def test_every_result_has_a_figure_and_says_what_was_reached() -> None:
    rows = re.findall(r"^\| (.+) \|$", read("docs", "results.md"), re.MULTILINE)[2:]

    assert rows
    assert all(len(cells) == 4 and all(cells) for cells in (row.split(" | ") for row in rows))


def figures(text: str) -> set[str]:
    """The shares, counts and times of a cell; a share without its leading zero is the same one."""
    return {figure.removeprefix("0") for figure in re.findall(r"\d+ of \d+|\d+ s\b|\d?\.\d{2,3}\b", text)}


def test_the_readme_shows_the_figures_of_the_results() -> None:
    measured: dict[str, set[str]] = {}
    for row in re.findall(r"^\| (.+) \|$", read("docs", "results.md"), re.MULTILINE):
        *_, reached, how = row.split(" | ")
        measured.setdefault(how.split("`")[1] if "`" in how else "", set()).update(figures(reached))
    shown = re.findall(r"^\| .+ \| (.+) \| `(?:manage\.py results --only )?(.+)` \|$", read("README.md"), re.MULTILINE)

    assert len(shown) == 3
    assert {row: figures(reached) - measured[row] for reached, row in shown} == {row: set() for _, row in shown}
