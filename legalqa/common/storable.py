"""What PostgreSQL cannot store in a text."""

import re

UNSTORABLE = re.compile("[\x00\ud800-\udfff]")  # NUL, and half a surrogate pair
