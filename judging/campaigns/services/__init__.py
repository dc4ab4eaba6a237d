"""Writes to campaigns: the only place that decides."""
