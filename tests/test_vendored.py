"""The vendored files are the ones their packages published, and the colours keep their contrast."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path

import pytest

STATIC = Path(__file__).resolve().parent.parent / "static"
VENDOR = STATIC / "vendor"
TEMPLATES = STATIC.parent / "templates"
MANIFEST = json.loads((VENDOR / "MANIFEST.json").read_text(encoding="utf-8"))
SIZE_LIMIT = 6 * 1024 * 1024
TEXT_RATIO = 4.5
CONTROL_RATIO = 3.0

TEXT_PAIRS = [
    *((ink, ground) for ink in ("ink", "ink-2", "ink-3") for ground in ("paper", "surface", "sunk")),
    *((ink, ground) for ink in ("accent", "accent-strong") for ground in ("paper", "surface", "accent-soft")),
    ("on-accent", "accent"),
    ("on-accent", "accent-strong"),
    ("mark-ink", "mark"),
    *(
        (tone, ground)
        for tone in ("ok", "partly", "withheld", "contra", "none", "fault")
        for ground in ("paper", "surface", f"{tone}-soft")
    ),
    *(("ink", f"{tone}-soft") for tone in ("ok", "partly", "withheld", "contra", "none", "fault")),
    *(("ink-2", f"{tone}-soft") for tone in ("withheld", "none", "fault")),
]
CONTROL_PAIRS = [("line-strong", "paper"), ("line-strong", "surface"), ("mark-line", "surface"), ("accent", "surface")]


def _colours() -> dict[str, tuple[str, str]]:
    text = (STATIC / "css" / "tokens.css").read_text(encoding="utf-8")
    found = re.findall(r"--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)", text)
    return {name: (light, dark) for name, light, dark in found}


def _luminance(colour: str) -> float:
    channels = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _contrast(first: str, second: str) -> float:
    """Contrast of two colours (WCAG 2.2, "contrast ratio")."""
    lighter, darker = sorted((_luminance(first), _luminance(second)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def test_every_vendored_file_matches_its_checksum() -> None:
    changed = [
        name
        for package in MANIFEST["packages"]
        for name, entry in package["files"].items()
        if hashlib.sha256((VENDOR / name).read_bytes()).hexdigest() != entry["sha256"]
    ]
    assert changed == []


def test_nothing_is_among_the_vendored_files_without_a_manifest_entry() -> None:
    listed = {name for package in MANIFEST["packages"] for name in package["files"]}
    present = {str(path.relative_to(VENDOR)) for path in VENDOR.rglob("*") if path.is_file()}
    assert present - {"MANIFEST.json"} == listed


def test_every_package_names_its_source_version_and_licence() -> None:
    for package in MANIFEST["packages"]:
        assert package["version"] in package["source"]
        assert package["licence"]
        assert (VENDOR / package["licence_file"]).read_text(encoding="utf-8").strip()


def test_the_vendored_files_stay_small() -> None:
    assert sum(path.stat().st_size for path in VENDOR.rglob("*") if path.is_file()) < SIZE_LIMIT


@pytest.mark.parametrize("appearance", [0, 1], ids=["light", "dark"])
def test_text_and_control_colours_keep_the_contrast_of_wcag_aa(appearance: int) -> None:
    colours = _colours()
    wanted = [(pair, TEXT_RATIO) for pair in TEXT_PAIRS] + [(pair, CONTROL_RATIO) for pair in CONTROL_PAIRS]
    weak = {
        f"{ink} on {ground}": round(ratio, 2)
        for (ink, ground), least in wanted
        if (ratio := _contrast(colours[ink][appearance], colours[ground][appearance])) < least
    }
    assert weak == {}


def test_templates_hold_nothing_that_the_content_policy_forbids() -> None:
    forbidden = re.compile(
        r"<style|\sstyle=|\son[a-z]+=|\shx-on|javascript:|<script(?![^>]*\ssrc=)|https?://", re.IGNORECASE
    )
    found = [
        f"{path.relative_to(TEMPLATES)}: {hit[0].strip()}"
        for path in sorted(TEMPLATES.rglob("*.html"))
        for hit in forbidden.finditer(path.read_text(encoding="utf-8"))  # a tag may be on several lines
    ]
    assert found == []


def test_every_icon_that_a_template_names_is_in_the_sprite() -> None:
    sprite = set(re.findall(r'<symbol id="([\w-]+)"', (STATIC / "icons.svg").read_text(encoding="utf-8")))
    pages = "\n".join(path.read_text(encoding="utf-8") for path in TEMPLATES.rglob("*.html"))
    named = set(re.findall(r'icon\.html" with name="([\w-]+)"', pages)) | set(re.findall(r'\sicon="([\w-]+)"', pages))
    assert named
    assert named <= sprite


def test_templates_stay_short() -> None:
    long = [
        path.name for path in TEMPLATES.rglob("*.html") if len(path.read_text(encoding="utf-8").splitlines()) >= 150
    ]
    assert long == []
