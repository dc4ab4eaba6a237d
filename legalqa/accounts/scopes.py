"""What a token may be used for: each method of each endpoint needs one of these, or says that any token will do."""

from typing import Final

from django.db import models


class TokenScope(models.TextChoices):
    """The labels are shown on the page where tokens are created."""

    CORPORA_READ = "corpora:read", "List corpora"
    CORPORA_WRITE = "corpora:write", "Create and change corpora"
    DOCUMENTS_READ = "documents:read", "Read documents and their text"
    DOCUMENTS_WRITE = "documents:write", "Upload, unlock and remove documents"
    JOBS_READ = "jobs:read", "View job progress"
    JOBS_WRITE = "jobs:write", "Cancel and retry jobs"
    SEARCH = "search", "Search"
    QUESTIONS_WRITE = "questions:write", "Ask questions"
    ANSWERS_READ = "answers:read", "Read your questions and their answers"
    ANSWERS_WRITE = "answers:write", "Grade answers"
    AUDIT_READ = "audit:read", "Read the audit log"
    WEBHOOKS_READ = "webhooks:read", "View webhooks and their deliveries"
    WEBHOOKS_WRITE = "webhooks:write", "Create, test and remove webhooks"
    LLM_READ = "llm:read", "View language models, their calls and costs"
    LLM_WRITE = "llm:write", "Set up language models and budgets"


ANY_TOKEN: Final = ""  # the scope of a method that every token may use
ALL_SCOPES: Final = tuple(TokenScope)
FIRST_SCOPES: Final = (TokenScope.CORPORA_READ, TokenScope.SEARCH)  # ticked by default; a person adds others
