"""Entry point of the web server."""

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "legalqa.settings")
django_application = get_asgi_application()  # first: what follows needs the apps

from legalqa.accounts.callers import caller_find  # noqa: E402
from legalqa.common.body_limit import BodyLimit  # noqa: E402
from legalqa.common.web_door import Door  # noqa: E402

application = Door(BodyLimit(django_application, caller=caller_find))
