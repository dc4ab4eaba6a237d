"""A form whose sender must enter the password again: kept in the session until they have.

The fields may contain secrets, such as a provider's key, so they are encrypted and never put into a page or an address.
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
CHARACTERS_MAX = 20_000  # ours: the longest form, in characters, that is kept while its sender signs in


@dataclass(frozen=True, slots=True)
class KeptForm:
    """`path` is the address it was sent to, with its query; `act` completes "to …"; `sealed` holds the fields."""

    id: str
    path: str
    act: str
    sealed: str


def form_keep(request: HttpRequest, *, act: str) -> str:
    """Keep the form instead of any earlier one and return its id; "" if it has files or very long texts."""
    fields = json.dumps({name: values for name, values in request.POST.lists() if name != "csrfmiddlewaretoken"})
    if request.FILES or len(fields) > CHARACTERS_MAX:
        return ""
    form = {"id": secrets.token_urlsafe(9), "path": request.get_full_path(), "act": act, "sealed": encrypt(fields)}
    request.session[KEPT] = form | {"at": timezone.now().isoformat()}
    return form["id"]


def form_kept(request: HttpRequest, *, form_id: str) -> KeptForm | None:
    """The form with that id, if this session has kept it for less than ten minutes."""
    form = request.session.get(KEPT)
    if form is None or form["id"] != form_id or datetime.fromisoformat(form["at"]) + KEPT_FOR <= timezone.now():
        return None
    return KeptForm(form["id"], form["path"], form["act"], form["sealed"])


def form_carry_out(request: HttpRequest, form: KeptForm) -> HttpResponseBase:
    """Send the form again, once, as if it had just arrived: the view checks everything again except the CSRF token.

    That was checked when the form first arrived, and just now the one of the page that asked for the password.
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
