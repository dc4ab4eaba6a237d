"""Orders of the driver about encoders that a corpus trains on its own gold set."""

import json
from typing import Any
from uuid import UUID

PARTS = 3  # documents, so that some can be kept from training


def passages_write(folder: str) -> list[str]:
    """Files of passages about gardens; returns their paths."""
    from pathlib import Path

    from tests.legalqa.training.library import NAMES, passages

    files = [Path(folder) / f"gardens-{part}.jsonl" for part in range(PARTS)]
    for part, file in enumerate(files):
        file.write_text("\n".join(map(json.dumps, passages(NAMES[part::PARTS]))))
    return [str(file) for file in files]


def encoder_training_begin(organization: str, corpus: str) -> str:
    """Start a training on a gold set of those passages; returns the version's id."""
    from judging.gold.services.sets import gold_set_import
    from judging.models import GoldSet
    from legalqa.accounts.models import Organization
    from legalqa.accounts.scoping import organization_scope
    from legalqa.training.encoder.finetuning import EncoderTraining
    from legalqa.training.encoder.services import ENCODER, EncoderChoices
    from tests.judging.gold.reading import gold_rows_read
    from tests.legalqa.training.library import NAMES, question_row

    firm = Organization.objects.get(pk=organization)
    rows = gold_rows_read("\n".join(json.dumps(question_row(name)) for name in NAMES))
    with organization_scope(firm, user=None):
        held = GoldSet.objects.filter(corpus_id=corpus).first() or gold_set_import(
            organization=firm, user=None, corpus_id=UUID(corpus), name="rents", rows=rows
        )
        version, _ = ENCODER.start(
            organization=firm,
            user=None,
            corpus_id=UUID(corpus),
            choices=EncoderChoices([held.pk], EncoderTraining(batch=4, max_tokens=32)),
        )
    return str(version.pk)


def encoder_trained(organization: str, version: str) -> dict[str, Any]:
    """What is stored of a version, and whether every live chunk has one vector by it."""
    from corpora.models import Chunk, Embedding, TrainedEncoder
    from legalqa.accounts.scoping import organization_scope
    from legalqa.training.files import work_folder

    with organization_scope(UUID(organization), user=None):
        found = TrainedEncoder.objects.get(pk=version)
        live = Chunk.objects.filter(corpus=found.corpus_id, is_live=True).values_list("pk", flat=True)
        mine = Embedding.objects.filter(corpus=found.corpus_id, encoder=found.name)
        return {
            "state": found.state,
            "fingerprint": found.fingerprint,
            "rows": found.report.get("rows"),
            "is_whole": sorted(live) == sorted(mine.values_list("chunk_id", flat=True)),
            "has_working_files": work_folder(found.pk).exists(),
        }
