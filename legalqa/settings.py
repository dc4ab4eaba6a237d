"""All settings, from the environment; `.env.example` lists every variable with its meaning."""

import os
from pathlib import Path
from typing import Any

import dj_database_url
import django_stubs_ext
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from whitenoise.compress import Compressor

from legalqa.common.database.embedded import embedded_home, socket_folder
from legalqa.common.logs import logging_settings
from legalqa.env import (
    env_bool,
    env_choice,
    env_decimal,
    env_int,
    env_list,
    env_path,
    env_rate,
    env_secret,
    env_secrets,
    env_str,
)

django_stubs_ext.monkeypatch()
# Before NumPy is loaded: OpenBLAS's threads wait for their next work at full load, and the encoder and the database
# beside them have to wait for the processor.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

BASE_DIR = Path(__file__).resolve().parent.parent
IS_INSTALLED = not (BASE_DIR / "manage.py").exists()  # as a package, not a checkout
PRODUCT_DIR = BASE_DIR / "legalqa" if IS_INSTALLED else BASE_DIR  # folder of the files that are not Python

# -- Core -------------------------------------------------------------------------------------------------------------
DEBUG = env_bool("LEGALQA_DEBUG", default=False)
VAR = env_path("LEGALQA_VAR", Path.home() / ".local/share/legalqa" if IS_INSTALLED else BASE_DIR / "var")
SECRET_KEY = env_secret("LEGALQA_SECRET_KEY", VAR / "secret_key")
FIELD_KEYS = env_secrets("LEGALQA_FIELD_KEYS", VAR / "field_keys")
ALLOWED_HOSTS = env_list("LEGALQA_ALLOWED_HOSTS", "localhost,127.0.0.1,[::1]")
BASE_URL = env_str("LEGALQA_BASE_URL", "http://localhost:8000").rstrip("/")
WEB_PROCESSES = env_int("LEGALQA_WEB_PROCESSES", 1, low=1, high=4)
HTTPS = env_bool("LEGALQA_HTTPS", default=BASE_URL.startswith("https://"))
ROOT_URLCONF = "legalqa.urls"
ASGI_APPLICATION = "legalqa.asgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
LANGUAGE_CODE = "en-gb"
TIME_ZONE = "UTC"
USE_I18N = True
USE_TZ = True


def _share(limit: int) -> int:
    """What each web process may have of a limit of the installation, at least 1: each counts only its own."""
    return -(-limit // WEB_PROCESSES)


# What follows an event of an app below, in its transaction (legalqa.common.followers): no app knows those above it.
FOLLOWERS = {
    "membership_ending": ["corpora.services.walls.wall_keep"],
    "membership_changed": ["legalqa.webhooks.services.webhooks_end"],
    "encoder_removing": ["retrieval.cases.indexing.case_index_keep", "retrieval.questions.services.encoder_keep"],
    "corpus_changed": ["retrieval.graph.building.graph_follow", "retrieval.questions.services.index_follow"],
    "graph_built": ["retrieval.questions.services.index_follow"],
    "trainings_removed": ["legalqa.training.files.works_follow"],
}
INSTALLED_APPS = [
    "legalqa.accounts",  # first: its `migrate` runs as the owner of the database
    "legalqa.jobs",
    "legalqa.encoder",
    "legalqa.llm",
    "legalqa.webhooks",
    "corpora",
    "retrieval",
    "legalqa.answering",
    "judging",
    "legalqa.training",
    "legalqa.reproduce",
    "legalqa.dashboard",
    "legalqa.operations",
    "legalqa.admin.LegalQAAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "axes",
    "csp",
    "django_htmx",
    "django_q",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "rest_framework",
    "template_partials",
]

MIDDLEWARE = [
    "legalqa.common.request_log.RequestLogMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "legalqa.common.middleware.BrowserPolicyMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "legalqa.common.middleware.BadInputMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "legalqa.accounts.middleware.SessionLifetimeMiddleware",
    "legalqa.accounts.middleware.SignInRequiredMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "legalqa.common.middleware.PrivateCacheMiddleware",
    "axes.middleware.AxesMiddleware",
]

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [PRODUCT_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "legalqa.common.context.organization_slug",
            ],
            "builtins": ["retrieval.pages.tags"],
            "libraries": {"charts": "judging.experiments.figures.tags"},
        },
    }
]

# -- Database: the project's own server under VAR, or the one that DATABASE_URL names ---------------------------------
DATABASE_URL = env_str("DATABASE_URL")
DATABASE_OWNER_URL = env_str("DATABASE_OWNER_URL")
DATABASE_BACKUP_URL = env_str("DATABASE_BACKUP_URL")
EMBEDDED_POSTGRES = DATABASE_URL == ""
DATABASE_POOL = env_int("LEGALQA_DATABASE_POOL", 0, low=0, high=100)
STATEMENT_S = env_int("LEGALQA_STATEMENT_S", 30, low=1, high=3600)
JOB_STATEMENT_S = env_int("LEGALQA_JOB_STATEMENT_S", 300, low=1, high=86_400)
LOCK_S = env_int("LEGALQA_LOCK_S", 10, low=1, high=3600)
IDLE_TRANSACTION_S = env_int("LEGALQA_IDLE_TRANSACTION_S", 60, low=1, high=3600)


def _databases() -> dict[str, dict[str, Any]]:
    if DATABASE_URL and not DATABASE_OWNER_URL:
        raise ImproperlyConfigured(
            "DATABASE_URL is set but DATABASE_OWNER_URL is not: migrations need the owner's role. Set both."
        )
    urls = {"default": DATABASE_URL, "owner": DATABASE_OWNER_URL}
    if EMBEDDED_POSTGRES:
        urls = {alias: f"postgresql://{role}@/legalqa" for alias, role in ROLES.items()}
    databases: dict[str, dict[str, Any]] = {alias: dict(dj_database_url.parse(url)) for alias, url in urls.items()}
    for alias, database in databases.items():
        database["ENGINE"] = "legalqa.common.database"
        if EMBEDDED_POSTGRES:
            database["HOST"] = str(socket_folder(embedded_home(VAR)))
        # The URL's own, such as sslmode, stay.
        options: dict[str, Any] = {"connect_timeout": 10, **database.get("OPTIONS", {})}
        if alias == "default" and DATABASE_POOL:
            database["CONN_HEALTH_CHECKS"] = True  # or the pool hands out dead connections once the server restarted
            # After `reconnect_timeout` who asks next tries again; the pool itself would wait ever longer, for minutes.
            options["pool"] = {"min_size": 1, "max_size": DATABASE_POOL, "timeout": 10, "reconnect_timeout": 5}
        database["OPTIONS"] = options
    return databases


ROLES = {"default": "legalqa_app", "owner": "legalqa_owner"}
DATABASES = _databases()

# -- People -----------------------------------------------------------------------------------------------------------
AUTH_USER_MODEL = "accounts.User"
PASSWORD_RESET_TIMEOUT = 3600
RESETS_S = 3600  # seconds in which the resets below are counted
RESETS_A_MACHINE = 30
RESETS_A_PERSON = 5
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "login"
AUTHENTICATION_BACKENDS = ["axes.backends.AxesStandaloneBackend", "django.contrib.auth.backends.ModelBackend"]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.Argon2PasswordHasher"]
AUTH_PASSWORD_VALIDATORS = [
    {
        "NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator",
        "OPTIONS": {"user_attributes": ["email", "name"]},
    },
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 12}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "legalqa.accounts.password_rules.GuessableValidator"},
]
AXES_HANDLER = "legalqa.accounts.throttle.SignInThrottle"
AXES_FAILURE_LIMIT = env_int("LEGALQA_LOGIN_FAILURES", 5, low=1, high=100)
LOGIN_FAILURES_ADDRESS = env_int("LEGALQA_LOGIN_FAILURES_ADDRESS", 50, low=5, high=10_000)
AXES_COOLOFF_TIME = 0.25  # hours
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_LOCKOUT_TEMPLATE = "accounts/locked.html"
AXES_USERNAME_FORM_FIELD = "username"
AXES_RESET_ON_SUCCESS = True
AXES_VERBOSE = False
AXES_ENABLE_ACCESS_FAILURE_LOG = True  # the audit log takes them over from there, behind the answer
OPERATORS_SECOND_FACTOR = env_bool("LEGALQA_OPERATORS_SECOND_FACTOR", default=False)

SESSION_COOKIE_NAME = "__Host-session" if HTTPS else "session"
SESSION_COOKIE_SECURE = HTTPS
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_ENGINE = "legalqa.accounts.session_store"
SESSION_COOKIE_AGE = env_int("LEGALQA_SESSION_HOURS", 12, low=1, high=168) * 3600
SESSION_IDLE_S = env_int("LEGALQA_SESSION_IDLE_MINUTES", 30, low=5, high=1440) * 60
REAUTHENTICATE_S = 900
CSRF_COOKIE_SECURE = HTTPS
CSRF_COOKIE_NAME = "__Host-csrf" if HTTPS else "csrf"  # of this host alone, so no neighbour can set it
CSRF_COOKIE_HTTPONLY = True  # the pages carry the token; without a sign-in there is no session to keep it in
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_FAILURE_VIEW = "legalqa.common.views.csrf_failure"
CSRF_TRUSTED_ORIGINS = [BASE_URL] if HTTPS else []

# -- Browser security -------------------------------------------------------------------------------------------------
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = HTTPS
SECURE_SSL_REDIRECT = HTTPS
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$"]  # asked on the machine itself, past the proxy
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
X_FRAME_OPTIONS = "DENY"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
SILENCED_SYSTEM_CHECKS = [
    "security.W021"  # preloading binds the whole domain for years: its owner decides that, at hstspreload.org
]
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "connect-src": [SELF],
        "font-src": [SELF],
        "worker-src": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "base-uri": [NONE],
    }
}

# -- Files ------------------------------------------------------------------------------------------------------------
STATIC_URL = "/static/"
STATICFILES_DIRS = [PRODUCT_DIR / "static"]
STATIC_ROOT = VAR / "static"
STATIC_ROOT.mkdir(parents=True, exist_ok=True)
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "legalqa.common.static_files.StaticStorage"},
    "corpora": {"BACKEND": "corpora.files.LocalFiles"},  # uploads: FILES_ROOT, or any other storage of Django's
}
WHITENOISE_USE_FINDERS = True  # serve files asked for without a hash, such as the PDF viewer's tables
WHITENOISE_KEEP_ONLY_HASHED_FILES = True
WHITENOISE_SKIP_COMPRESS_EXTENSIONS = [*Compressor.SKIP_COMPRESS_EXTENSIONS, "map", "bcmap", "pfb", "ttf"]
WHITENOISE_ALLOW_ALL_ORIGINS = False
WHITENOISE_MIMETYPES = {".mjs": "text/javascript"}
FILES_ROOT = VAR / "files"
WATCH_ROOT = env_str("LEGALQA_WATCH_ROOT")  # folders below it, one an organisation, may be watched; "" for none
CORPUS_REMOVAL_DELAY_S = env_int("LEGALQA_CORPUS_REMOVAL_MINUTES", 60, low=0, high=43_200) * 60
MAX_UPLOAD_BYTES = env_int("LEGALQA_MAX_UPLOAD_MB", 100, low=1, high=2000) * 1024 * 1024
MIN_FREE_BYTES = env_int("LEGALQA_MIN_FREE_MB", 500, low=0, high=1_000_000) * 1024 * 1024
UPLOADS_AT_ONCE = _share(env_int("LEGALQA_UPLOADS_AT_ONCE", 32, low=1, high=1000))  # bodies over 3 MB
UPLOADS_AT_ONCE_EACH = _share(env_int("LEGALQA_UPLOADS_AT_ONCE_EACH", 8, low=1, high=1000))
UPLOADS_AT_ONCE_BYTES = _share(env_int("LEGALQA_UPLOADS_AT_ONCE_MB", 1000, low=1, high=1_000_000)) * 1024 * 1024
UPLOAD_LEAST_SPEED = env_int("LEGALQA_UPLOAD_LEAST_KB_S", 32, low=1, high=100_000) * 1024
DATA_UPLOAD_MAX_MEMORY_SIZE = 2_500_000
FILE_UPLOAD_HANDLERS = [  # what anybody may send, 64 KB, stays in memory; larger files of people let in do not
    "django.core.files.uploadhandler.MemoryFileUploadHandler",
    "django.core.files.uploadhandler.TemporaryFileUploadHandler",
]
FILE_UPLOAD_TEMP_DIR = None

# -- Mail -------------------------------------------------------------------------------------------------------------
EMAIL_HOST = env_str("LEGALQA_SMTP_HOST")
EMAIL_PORT = env_int("LEGALQA_SMTP_PORT", 587, low=1, high=65535)
EMAIL_HOST_USER = env_str("LEGALQA_SMTP_USER")
EMAIL_HOST_PASSWORD = env_str("LEGALQA_SMTP_PASSWORD")
EMAIL_USE_TLS = env_bool("LEGALQA_SMTP_TLS", default=True)
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = env_str("LEGALQA_MAIL_FROM", "legalqa@localhost")
# Without a mail server the owner hands over the links that the pages show; nothing is sent into the void.
EMAIL_BACKEND = f"django.core.mail.backends.{'smtp' if EMAIL_HOST else 'dummy'}.EmailBackend"

# -- Background work --------------------------------------------------------------------------------------------------
from legalqa.settings_api import *  # noqa: E402, F403 - its values have their place here
from legalqa.settings_queue import *  # noqa: E402, F403 - likewise
from legalqa.settings_queue import LLM_DEADLINE_MAX_S  # noqa: E402 - likewise

# -- Reading and searching --------------------------------------------------------------------------------------------
PARSE_MEMORY_MB = env_int("LEGALQA_PARSE_MEMORY_MB", 1024, low=256, high=16384)
ENCODER_DTYPE = env_choice("LEGALQA_ENCODER_DTYPE", "auto", ("auto", "float32", "bfloat16"))
ENCODER_SERVER = env_bool("LEGALQA_ENCODER_SERVER", default=False)  # `up` runs one: wait for it, load nothing here
ENCODER_SOCKET = str(socket_folder(VAR / "encoder") / "encoder.sock")
# Rerankers beside the learned one; each is used only by a preset or setting that names it.
RERANK_URL = env_str("LEGALQA_RERANK_URL")
if RERANK_URL and not RERANK_URL.startswith(("http://", "https://")):
    raise ImproperlyConfigured("LEGALQA_RERANK_URL must start with http:// or https://. Correct it and start again.")
RERANK_SHAPE = env_choice("LEGALQA_RERANK_SHAPE", "cohere", ("cohere", "tei"))
RERANK_MODEL = env_str("LEGALQA_RERANK_MODEL")
RERANK_API_KEY = env_str("LEGALQA_RERANK_API_KEY")
RERANK_TIMEOUT_S = env_int("LEGALQA_RERANK_TIMEOUT_S", 5, low=1, high=120)
DATA = env_str("LEGALQA_DATA")  # the folder of the data sets that are measured on; only commands read it
POWER_WATTS = env_int("LEGALQA_POWER_WATTS", 65, low=1, high=10_000)
CROSS_ENCODER_PATH = env_str("LEGALQA_CROSS_ENCODER_PATH")
READER = env_str("LEGALQA_READER")
ENCODERS = env_str("LEGALQA_ENCODERS")
COMPLEXITY_ENCODER = env_str("LEGALQA_COMPLEXITY_ENCODER")
NLI_MODEL = env_str("LEGALQA_NLI_MODEL")
COMPLEXITY_THREADS = env_int("LEGALQA_COMPLEXITY_THREADS", 0, low=0, high=256)
EXACT_SEARCH_MAX = env_int("LEGALQA_EXACT_SEARCH_MAX", 20_000, low=0, high=1_000_000)

# -- Language models (docs/llm.md) -------------------------------------------------------------------------------------
LLM_ADDRESSES = env_list("LEGALQA_LLM_ADDRESSES", "https://api.openai.com/v1, https://api.mistral.ai/v1")
LLM_FREE_ENTRY = env_bool("LEGALQA_LLM_FREE_ENTRY", default=False)
LLM_URL = env_str("LEGALQA_LLM_URL").rstrip("/")
LLM_KEY = env_str("LEGALQA_LLM_KEY")
LLM_MODEL = env_str("LEGALQA_LLM_MODEL")
LLM_FOR = env_list("LEGALQA_LLM_FOR", "")  # slugs of the organisations that the operator's model answers; * for all
LLM_LOCAL = env_bool("LEGALQA_LLM_LOCAL", default=False)
# 0, here and below: the usual one.
LLM_DEADLINE_S = env_int("LEGALQA_LLM_DEADLINE_S", 0, low=0, high=LLM_DEADLINE_MAX_S)
LLM_FIRST_S = env_int("LEGALQA_LLM_FIRST_S", 0, low=0, high=LLM_DEADLINE_MAX_S)
LLM_BETWEEN_S = env_int("LEGALQA_LLM_BETWEEN_S", 0, low=0, high=LLM_DEADLINE_MAX_S)
LLM_EVIDENCE = env_int("LEGALQA_LLM_EVIDENCE", 0, low=0, high=1_000_000)
LLM_CONTEXT = env_int("LEGALQA_LLM_CONTEXT", 8192, low=512, high=10_000_000)
LLM_PRICE_IN = env_decimal("LEGALQA_LLM_PRICE_IN", "0")
LLM_PRICE_OUT = env_decimal("LEGALQA_LLM_PRICE_OUT", "0")
if LLM_URL and not (LLM_MODEL and LLM_FOR):
    raise ImproperlyConfigured(
        "LEGALQA_LLM_URL is set, but LEGALQA_LLM_MODEL or LEGALQA_LLM_FOR is not: say which model, and for which "
        "organisations (slugs, or * for all). Set both and start again."
    )
LLM_CONCURRENT = env_int("LEGALQA_LLM_CONCURRENT", 8, low=1, high=1000)
LLM_CALLS_DAYS = env_int("LEGALQA_LLM_CALLS_DAYS", 400, low=1, high=3650)
LLM_MODE = env_choice("LEGALQA_LLM_MODE", "live", ("live", "record", "replay"))
LLM_RECORDINGS = env_path("LEGALQA_LLM_RECORDINGS", VAR / "llm")

# -- The web server's door --------------------------------------------------------------------------------------------
REQUESTS_AT_ONCE = _share(env_int("LEGALQA_REQUESTS_AT_ONCE", 400, low=10, high=100_000))
REQUESTS_WORKED_ON_EACH = _share(env_int("LEGALQA_REQUESTS_WORKED_ON_EACH", 1, low=1, high=1000))
REQUESTS_AT_ONCE_EACH = _share(env_int("LEGALQA_REQUESTS_AT_ONCE_EACH", 200, low=1, high=100_000))
CONNECTIONS_AT_ONCE = _share(env_int("LEGALQA_CONNECTIONS_AT_ONCE", 1000, low=10, high=100_000))

# -- API --------------------------------------------------------------------------------------------------------------
TOKEN_MAX_DAYS = env_int("LEGALQA_TOKEN_MAX_DAYS", 365, low=1, high=3650)
API_RATES = {  # requests of one token; `any` counts every request, the others are counted beside it
    "any": env_rate("LEGALQA_API_RATE", "600/minute"),
    "ask": env_rate("LEGALQA_API_RATE_ASK", "60/minute"),
    "search": env_rate("LEGALQA_API_RATE_SEARCH", "300/minute"),
    "upload": env_rate("LEGALQA_API_RATE_UPLOAD", "300/minute"),
}
API_ORGANIZATION_TIMES = env_int("LEGALQA_API_ORGANIZATION_TIMES", 5, low=1, high=1000)
EVENT_STREAMS_TOKEN = _share(env_int("LEGALQA_EVENT_STREAMS_TOKEN", 4, low=1, high=1000))
EVENT_STREAMS_ORGANIZATION = _share(env_int("LEGALQA_EVENT_STREAMS_ORGANIZATION", 20, low=1, high=10_000))
IDEMPOTENCY_KEPT_S = 86_400
IDEMPOTENCY_LEASE_S = 120
WEBHOOK_PRIVATE = env_list("LEGALQA_WEBHOOK_PRIVATE", "")  # origins let in although they are not public
WEBHOOK_ATTEMPTS = env_int("LEGALQA_WEBHOOK_ATTEMPTS", 8, low=1, high=12)
WEBHOOK_FIRST_DELAY_S = env_int("LEGALQA_WEBHOOK_FIRST_DELAY_S", 10, low=1, high=3600)
WEBHOOK_SECONDS = 10  # seconds that one try may take in all
WEBHOOK_FAILURES = 5
WEBHOOK_KEPT_S = 30 * 86_400
WEBHOOKS_MAX = 20  # webhooks of one organisation
# -- Watching: logs without content, health pages ---------------------------------------------------------------------
LOG_TO = env_choice("LEGALQA_LOG_TO", "file" if EMBEDDED_POSTGRES else "stderr", ("file", "stderr"))
LOG_FORMAT = env_choice("LEGALQA_LOG_FORMAT", "json", ("json", "text"))
LOG_MAX_BYTES = env_int("LEGALQA_LOG_MAX_MB", 10, low=1, high=1000) * 1_000_000
SLOW_QUERY_MS = env_int("LEGALQA_SLOW_QUERY_MS", 500, low=0, high=60_000)
HEALTH_TOKEN = env_str("LEGALQA_HEALTH_TOKEN")
LOGGING = logging_settings(
    to_file=LOG_TO == "file", is_json=LOG_FORMAT == "json", folder=VAR / "log", max_bytes=LOG_MAX_BYTES
)
