"""Charts as plain documents: data in, marks and a table out. Nothing here knows of Django or of a browser."""
