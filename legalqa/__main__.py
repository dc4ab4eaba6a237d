"""Command line of LegalQA: `legalqa help`, in a checkout `python manage.py help`, lists every command."""

import gc
import os
import sys

# Objects between two searches for garbage: with Python's 700 an eighth of every start goes by looking for some among
# modules that stay.
gc.set_threshold(50_000)


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
