"""Whether a judge can be trusted: its scores beside people's grades of the same answers."""
