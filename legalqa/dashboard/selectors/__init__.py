"""What the dashboard shows: questions and their results, and what waits for a person."""
