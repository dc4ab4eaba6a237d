"""What the dashboard shows: what was asked and came of it, and what waits for a person."""
