#!/usr/bin/env python
"""Command line of LegalQA in a checkout: `python manage.py help` lists every command."""

from legalqa.__main__ import main

if __name__ == "__main__":
    main()
