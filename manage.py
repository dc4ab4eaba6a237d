#!/usr/bin/env python
"""Command line of LegalQA: `python manage.py help` lists every command."""

import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "legalqa.settings")
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line

    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:  # a wrong setting: its sentence says what to do, a traceback would not
        sys.stderr.write(f"CommandError: {error}\n")
        sys.exit(2)


if __name__ == "__main__":
    main()
