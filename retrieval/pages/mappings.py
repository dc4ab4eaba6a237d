"""Parameter mappings in words and tables."""

from typing import Any
from uuid import UUID

from corpora.selectors import corpus_get
from legalqa.accounts.models import Organization
from retrieval.complexity.types import MAX_CLASSES, MIN_CLASSES
from retrieval.forms import OF_THE_GRAPH, SYMBOLS, WORDS, MappingForm
from retrieval.graph.selectors import graph_of
from retrieval.pipelines.adaptive import Parameter, ParameterMapping, class_words
from retrieval.services.mappings import mapping_active, mapping_read, mapping_versions

SIGNAL_WORDS = {"drop": "how far the best passage is above the next five", "top": "the score of the best passage"}


def mapping_rows(mapping: ParameterMapping, *, has_graph: bool) -> list[dict[str, Any]]:
    """A row for each parameter with its value in each class; where k follows the ranking, all of its values.

    Without a graph in the corpus, those that only a graph reads are left out.
    """
    rows = []
    for name, words in WORDS.items():
        if name in OF_THE_GRAPH and not has_graph:
            continue
        parameter: Parameter = getattr(mapping, name)
        values = [_value(parameter, label) for label in range(mapping.n_classes)]
        if name == "k" and mapping.bands is not None:
            values = [" · ".join(str(k) for k in row) for row in mapping.bands.k]
        cells = list(zip(class_titles(mapping.n_classes), values, strict=True))
        rows.append({"symbol": SYMBOLS[name], "words": words, "mode": parameter.mode, "values": values, "cells": cells})
    return rows


def class_titles(n_classes: int) -> list[str]:
    """What the classes are called, as heads of columns."""
    return [class_words(label, n_classes).capitalize() for label in range(n_classes)]


def bands_words(mapping: ParameterMapping) -> str:
    """How k follows the ranking, in a sentence; empty where it does not."""
    if mapping.bands is None:
        return ""
    return (
        f"k goes by {SIGNAL_WORDS[mapping.bands.signal]}, from the flattest ranking (left) to the steepest (right). "
        "With another ranker, the middle value applies."
    )


def mapping_page(
    *, organization: Organization, corpus_id: UUID, n_classes: int, form: MappingForm | None = None
) -> dict[str, Any]:
    """The mapping in use, the form to change it, and its versions."""
    corpus = corpus_get(organization=organization, corpus_id=corpus_id)
    active = mapping_active(corpus=corpus, n_classes=n_classes)
    has_graph = graph_of(corpus=corpus) is not None
    versions = list(mapping_versions(organization=organization, corpus_id=corpus_id, n_classes=n_classes))
    return {
        "corpus": corpus,
        "n_classes": n_classes,
        "class_counts": range(MIN_CLASSES, MAX_CLASSES + 1),
        "active": active,
        "titles": class_titles(n_classes),
        "rows": mapping_rows(active.mapping, has_graph=has_graph),
        "has_graph": has_graph,
        "bands": bands_words(active.mapping),
        "form": form or MappingForm(mapping=active.mapping, has_graph=has_graph),
        "versions": [
            {"version": v, "words": _short(mapping_read(data=v.mapping), has_graph=has_graph)} for v in versions
        ],
    }


def _short(mapping: ParameterMapping, *, has_graph: bool) -> str:
    """A mapping on one line."""
    values = []
    for row in mapping_rows(mapping, has_graph=has_graph):
        same = len(set(row["values"])) == 1
        values.append(f"{row['symbol']} {row['values'][0] if same else ' / '.join(row['values'])}")
    return ", ".join((*values, "ranked" if mapping.reranker else "not ranked"))


def _value(parameter: Parameter, label: int) -> str:
    value = parameter.of(label)
    return "off" if value is None else str(value)
