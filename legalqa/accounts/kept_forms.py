"""A form that was sent when the password was asked for again: kept in the session until it has been shown.

The fields may hold secrets, such as a provider's key, so they are encrypted, and are in no page and no address.
"""

import json
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.http import HttpRequest, QueryDict
from django.http.response import HttpResponseBase
from django.urls import resolve
from django.utils import timezone

from legalqa.common.encryption import decrypt, encrypt

KEPT = "kept_form"  # key of the session
KEPT_FOR = timedelta(minutes=10)
CHARACTERS_MAX = 20_000  # ours: characters of a form that is kept while its sender signs in


@dataclass(frozen=True, slots=True)
class KeptForm:
    """`path` is the address it was sent to, with its query; `act` completes "to …"; `sealed` holds the fields."""

    id: str
    path: str
    act: str
    sealed: str


def form_keep(request: HttpRequest, *, act: str) -> str:
    """Keep what was sent, in place of what was kept before, and return its id; "" for files and very long texts."""
    fields = json.dumps({name: values for name, values in request.POST.lists() if name != "csrfmiddlewaretoken"})
    if request.FILES or len(fields) > CHARACTERS_MAX:
        return ""
    form = {"id": secrets.token_urlsafe(9), "path": request.get_full_path(), "act": act, "sealed": encrypt(fields)}
    request.session[KEPT] = form | {"at": timezone.now().isoformat()}
    return form["id"]


def form_kept(request: HttpRequest, *, form_id: str) -> KeptForm | None:
    """The form of that id, if this session keeps it and ten minutes have not passed."""
    form = request.session.get(KEPT)
    if form is None or form["id"] != form_id or datetime.fromisoformat(form["at"]) + KEPT_FOR <= timezone.now():
        return None
    return KeptForm(form["id"], form["path"], form["act"], form["sealed"])


def form_carry_out(request: HttpRequest, form: KeptForm) -> HttpResponseBase:
    """Send the form again, once, as if it had just come: the view checks everything again, but the token of the page.

    That token was checked when the form came, and the one of the page that asked for the password just now.
    """
    del request.session[KEPT]
    path, _, query = form.path.partition("?")
    data = QueryDict(mutable=True)
    for name, values in json.loads(decrypt(form.sealed)).items():
        data.setlist(name, values)
    request.POST, request.GET = data, QueryDict(query)  # type: ignore[assignment]  # as a form leaves them
    request.path = request.path_info = path
    request.META |= {"PATH_INFO": path, "QUERY_STRING": query}
    request.resolver_match = match = resolve(path)
    response: HttpResponseBase = match.func(request, *match.args, **match.kwargs)
    return response
