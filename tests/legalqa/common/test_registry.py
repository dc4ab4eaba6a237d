"""Versioned names."""

import pytest

from legalqa.common.registry import Registry, registered_name, setting_name


@pytest.fixture
def registry() -> Registry[str]:
    registry: Registry[str] = Registry("chunker")
    registry.register("sentence.v1", "by sentence")
    return registry


def test_registered_component_is_found_by_name(registry: Registry[str]) -> None:
    assert registry.register("pattern.v2", "by pattern") == "by pattern"

    assert registry.get("pattern.v2") == "by pattern"
    assert registry.names() == ("pattern.v2", "sentence.v1")


def test_unknown_name_lists_what_exists(registry: Registry[str]) -> None:
    with pytest.raises(LookupError, match=r"No chunker is called 'lumber\.v1'; choose one of: sentence\.v1"):
        registry.get("lumber.v1")


def test_second_registration_of_a_name_is_refused(registry: Registry[str]) -> None:
    with pytest.raises(ValueError, match="registered twice"):
        registry.register("sentence.v1", "again")


@pytest.mark.parametrize("name", ["sentence", "Sentence.v1", "sentence.v0", "sentence v1"])
def test_name_without_version_is_refused(registry: Registry[str], name: str) -> None:
    with pytest.raises(ValueError, match="has no version"):
        registry.register(name, "x")


@pytest.mark.parametrize(("setting", "registered"), [("rules", "rules.v1"), ("rules.v2", "rules.v2")])
def test_a_setting_names_the_first_version_without_its_number(setting: str, registered: str) -> None:
    assert (registered_name(setting), setting_name(registered)) == (registered, setting)
