"""Charts as plain documents: data in, marks and a table out; of Django, its escaping alone."""
