"""Command line of LegalQA: `legalqa help`, in a checkout `python manage.py help`, lists every command."""

import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "legalqa.settings")
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import CommandError, execute_from_command_line

    try:
        from legalqa.operations.schema import schema_update

        schema_update(sys.argv)
        execute_from_command_line(sys.argv)
    except (CommandError, ImproperlyConfigured) as error:  # its sentence says what to do, a traceback would not
        sys.stderr.write(f"CommandError: {error}\n")
        sys.exit(2)


if __name__ == "__main__":
    main()
