"""Journeys through the running product in a real browser."""
