"""Asking and answering: the only place that decides what is said."""

from legalqa.answering.services.asking import question_ask

__all__ = ["question_ask"]
