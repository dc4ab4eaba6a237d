"""Entry point of the web server."""

import os

from django.conf import settings
from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "legalqa.settings")
django_application = get_asgi_application()  # first: what follows needs the apps

from legalqa.accounts.callers import caller_find  # noqa: E402 - as it says above
from legalqa.common.body_limit import BodyLimit  # noqa: E402 - likewise
from legalqa.common.caller_turns import CallerTurns  # noqa: E402 - likewise
from legalqa.common.web_door import Door  # noqa: E402 - likewise

turns = CallerTurns(django_application, of_one=settings.REQUESTS_WORKED_ON_EACH)
application = Door(BodyLimit(turns, caller=caller_find))
