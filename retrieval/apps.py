from django.apps import AppConfig


class RetrievalConfig(AppConfig):
    name = "retrieval"

    def ready(self) -> None:
        from corpora.selectors import job_subjects_add
        from retrieval.models import ComplexityClassifier, TrainedRanker

        job_subjects_add(ComplexityClassifier, TrainedRanker)
