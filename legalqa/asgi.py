"""Entry point of the web server."""

import os

from django.core.asgi import get_asgi_application

from legalqa.common.body_limit import BodyLimit

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "legalqa.settings")
application = BodyLimit(get_asgi_application())
