from django.apps import AppConfig
from django.db.models.signals import post_save


class RetrievalConfig(AppConfig):
    name = "retrieval"

    def ready(self) -> None:
        from corpora.models import Corpus
        from retrieval.graph.building import graph_follow

        post_save.connect(graph_follow, sender=Corpus, dispatch_uid="graph_follow")
