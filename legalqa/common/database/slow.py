"""Slow queries, logged as their text with placeholders: parameters hold what people wrote and stay out."""

import logging
from collections.abc import Callable
from time import perf_counter
from typing import Any

from django.conf import settings

MAX_CHARACTERS = 600

logger = logging.getLogger(__name__)


def slow_query_note(execute: Callable[..., Any], query: Any, parameters: Any, many: Any, context: Any) -> Any:
    """A wrapper around every query of a connection (Django's `execute_wrappers`)."""
    started = perf_counter()
    try:
        return execute(query, parameters, many, context)
    finally:
        milliseconds = 1000 * (perf_counter() - started)
        if 0 < settings.SLOW_QUERY_MS <= milliseconds:
            # A composed query carries its literals inside; only plain text is known to have placeholders.
            text = query[:MAX_CHARACTERS] if isinstance(query, str) else f"<{type(query).__name__}>"
            logger.info("slow query", extra={"fields": {"sql": text, "ms": round(milliseconds)}})
