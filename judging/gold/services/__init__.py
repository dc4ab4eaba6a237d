"""Writes to gold sets: the only place that decides."""
