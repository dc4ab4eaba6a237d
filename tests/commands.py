"""What commands print for programs."""

import json
from io import StringIO
from typing import Any

from django.core.management import call_command


def told(name: str, *arguments: object, **options: object) -> Any:
    """The JSON document that a command prints."""
    out = StringIO()
    call_command(name, *map(str, arguments), "--json", stdout=out, **options)
    return json.loads(out.getvalue())
