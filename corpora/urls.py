"""Pages of corpora and documents, under `/o/<slug>/`."""

from django.urls import path

from corpora.api import documents as api
from corpora.api import indexes as indexes_api
from corpora.api import indexing as indexing_api
from corpora.api import removal as removal_api
from corpora.views import documents as views
from corpora.views import indexes as indexes_views
from corpora.views import indexing as indexing_views
from corpora.views import removal as removal_views
from corpora.views import versions as versions_views

CORPUS = "corpora/<uuid:corpus_id>/"
DOCUMENT = "documents/<uuid:document_id>/"
INDEXES = f"{CORPUS}indexes/"
SET = f"{INDEXES}chunk-sets/<uuid:chunk_set_id>/"
ADDED = f"{INDEXES}encoders/<uuid:added_id>/"

urlpatterns = [
    path("corpora/", views.corpus_list, name="corpus_list"),
    path("corpora/new/", views.corpus_create, name="corpus_create"),
    path(CORPUS, views.corpus_detail, name="corpus_detail"),
    path(f"{CORPUS}settings/", views.corpus_update, name="corpus_update"),
    path(f"{CORPUS}removal/", removal_views.corpus_removal, name="corpus_removal"),
    path(f"{CORPUS}removal/cancel/", removal_views.corpus_removal_cancel, name="corpus_removal_cancel"),
    path(f"{CORPUS}members/", views.corpus_member_add, name="corpus_member_add"),
    path(f"{CORPUS}members/<uuid:member_id>/remove/", views.corpus_member_remove, name="corpus_member_remove"),
    path(f"{CORPUS}upload/", views.document_upload, name="document_upload"),
    path(f"{CORPUS}rows/", views.document_rows, name="document_rows"),
    path(f"{CORPUS}folders/", indexing_views.folder_watch, name="folder_watch"),
    path("folders/<uuid:folder_id>/remove/", indexing_views.folder_unwatch, name="folder_unwatch"),
    path(f"{CORPUS}chunking/", indexing_views.corpus_chunking, name="corpus_chunking"),
    path(f"{CORPUS}chunking/state/", indexing_views.corpus_index_state, name="corpus_index_state"),
    path(DOCUMENT, views.document_detail, name="document_detail"),
    path(f"{DOCUMENT}versions/", versions_views.document_versions, name="document_versions"),
    path(f"{DOCUMENT}title/", versions_views.document_rename, name="document_rename"),
    path(f"{DOCUMENT}description/", versions_views.document_describe, name="document_describe"),
    path(f"{DOCUMENT}changes/", versions_views.document_changes, name="document_changes"),
    path(f"{DOCUMENT}effective-date/", versions_views.version_date, name="version_date"),
    path(f"{DOCUMENT}rects/", views.document_rects, name="document_rects"),
    path(f"{DOCUMENT}file/", views.document_file, name="document_file"),
    path(f"{DOCUMENT}password/", views.document_password, name="document_password"),
    path(f"{DOCUMENT}remove/", views.document_delete, name="document_delete"),
    path(INDEXES, indexes_views.corpus_indexes, name="corpus_indexes"),
    path(f"{INDEXES}chunk-sets/", indexes_views.chunk_set_keep, name="chunk_set_keep"),
    path(f"{SET}use/", indexes_views.chunk_set_use, name="chunk_set_use"),
    path(f"{SET}update/", indexes_views.chunk_set_update, name="chunk_set_update"),
    path(f"{SET}remove/", indexes_views.chunk_set_remove, name="chunk_set_remove"),
    path(f"{INDEXES}encoders/", indexes_views.added_encoder_new, name="added_encoder_new"),
    path(f"{ADDED}use/", indexes_views.added_encoder_use, name="added_encoder_use"),
    path(f"{ADDED}fill/", indexes_views.added_encoder_fill, name="added_encoder_fill"),
    path(f"{ADDED}remove/", indexes_views.added_encoder_remove, name="added_encoder_remove"),
]

api_urlpatterns = [
    path("corpora/", api.CorpusListApi.as_view(), name="api_corpus_list"),
    path(CORPUS, api.CorpusDetailApi.as_view(), name="api_corpus_detail"),
    path(f"{CORPUS}removal/", removal_api.CorpusRemovalApi.as_view(), name="api_corpus_removal"),
    path(f"{CORPUS}documents/", api.DocumentListApi.as_view(), name="api_document_list"),
    path(f"{CORPUS}reindex/", indexing_api.ReindexApi.as_view(), name="api_corpus_reindex"),
    path(f"{CORPUS}chunking-preview/", indexing_api.ChunkingPreviewApi.as_view(), name="api_chunking_preview"),
    path(f"{DOCUMENT}versions/", indexing_api.VersionListApi.as_view(), name="api_version_list"),
    path(f"{DOCUMENT}changes/", indexing_api.ChangesApi.as_view(), name="api_changes"),
    path(f"{DOCUMENT}effective-date/", indexing_api.EffectiveDateApi.as_view(), name="api_effective_date"),
    path(DOCUMENT, api.DocumentDetailApi.as_view(), name="api_document_detail"),
    path(f"{DOCUMENT}file/", api.DocumentFileApi.as_view(), name="api_document_file"),
    path(f"{DOCUMENT}password/", api.DocumentPasswordApi.as_view(), name="api_document_password"),
    path(f"{DOCUMENT}files/", api.MemberFileListApi.as_view(), name="api_document_files"),
    path(f"{DOCUMENT}paragraphs/", api.ParagraphListApi.as_view(), name="api_paragraph_list"),
    path(f"{INDEXES}chunk-sets/", indexes_api.ChunkSetListApi.as_view(), name="api_chunk_set_list"),
    path(SET, indexes_api.ChunkSetDetailApi.as_view(), name="api_chunk_set_detail"),
    path(f"{SET}use/", indexes_api.ChunkSetUseApi.as_view(), name="api_chunk_set_use"),
    path(f"{SET}update/", indexes_api.ChunkSetUpdateApi.as_view(), name="api_chunk_set_update"),
    path(f"{INDEXES}encoders/", indexes_api.IndexEncoderListApi.as_view(), name="api_index_encoder_list"),
    path(ADDED, indexes_api.IndexEncoderDetailApi.as_view(), name="api_index_encoder_detail"),
    path(f"{ADDED}fill/", indexes_api.IndexEncoderFillApi.as_view(), name="api_index_encoder_fill"),
]
