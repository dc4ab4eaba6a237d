"""All settings, from the environment; `.env.example` lists every variable with its meaning."""

from math import ceil
from pathlib import Path
from typing import Any

import dj_database_url
import django_stubs_ext
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured

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

BASE_DIR = Path(__file__).resolve().parent.parent

# -- Core -------------------------------------------------------------------------------------------------------------
DEBUG = env_bool("LEGALQA_DEBUG", default=False)
VAR = env_path("LEGALQA_VAR", BASE_DIR / "var")
SECRET_KEY = env_secret("LEGALQA_SECRET_KEY", VAR / "secret_key")
FIELD_KEYS = env_secrets("LEGALQA_FIELD_KEYS", VAR / "field_keys")
ALLOWED_HOSTS = env_list("LEGALQA_ALLOWED_HOSTS", "localhost,127.0.0.1,[::1]")
BASE_URL = env_str("LEGALQA_BASE_URL", "http://localhost:8000").rstrip("/")
HTTPS = env_bool("LEGALQA_HTTPS", default=BASE_URL.startswith("https://"))
ROOT_URLCONF = "legalqa.urls"
ASGI_APPLICATION = "legalqa.asgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
LANGUAGE_CODE = "en-gb"
TIME_ZONE = "UTC"
USE_I18N = True
USE_TZ = True

INSTALLED_APPS = [
    "legalqa.accounts",  # first: its `migrate` runs as the owner of the database
    "legalqa.jobs",
    "legalqa.webhooks",
    "legalqa.llm",
    "corpora",
    "retrieval",
    "legalqa.answering",
    "judging",
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
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "legalqa.common.middleware.BadInputMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "legalqa.accounts.middleware.SessionLifetimeMiddleware",
    "legalqa.accounts.middleware.SignInRequiredMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "legalqa.common.middleware.PrivateCacheMiddleware",
    "legalqa.common.middleware.BrowserPolicyMiddleware",
    "axes.middleware.AxesMiddleware",
]

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
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
    if EMBEDDED_POSTGRES:
        host = str(socket_folder(embedded_home(VAR)))
        urls = {alias: f"postgresql://{role}@/legalqa" for alias, role in ROLES.items()}
        databases: dict[str, dict[str, Any]] = {
            alias: dict(dj_database_url.parse(url)) | {"HOST": host} for alias, url in urls.items()
        }
    else:
        if not DATABASE_OWNER_URL:
            raise ImproperlyConfigured(
                "DATABASE_URL is set but DATABASE_OWNER_URL is not: migrations need the owner's role. Set both."
            )
        databases = {
            "default": dict(dj_database_url.parse(DATABASE_URL)),
            "owner": dict(dj_database_url.parse(DATABASE_OWNER_URL)),
        }
    for alias, database in databases.items():
        database["ENGINE"] = "legalqa.common.database"
        options: dict[str, Any] = {
            "connect_timeout": 10,
            **database.get("OPTIONS", {}),
        }  # the URL's own, such as sslmode, stay
        if alias == "default" and DATABASE_POOL:
            database["CONN_HEALTH_CHECKS"] = True  # or the pool hands out dead connections once the server restarted
            options["pool"] = {"min_size": 1, "max_size": DATABASE_POOL, "timeout": 10}
        database["OPTIONS"] = options
    return databases


ROLES = {"default": "legalqa_app", "owner": "legalqa_owner"}
DATABASES = _databases()

# -- People -----------------------------------------------------------------------------------------------------------
AUTH_USER_MODEL = "accounts.User"
PASSWORD_RESET_TIMEOUT = 3600
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
CSRF_USE_SESSIONS = True
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
    "security.W021",  # preloading binds the whole domain for years: its owner decides that, at hstspreload.org
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
STATICFILES_DIRS = [BASE_DIR / "static"]
STATIC_ROOT = VAR / "static"
STATIC_ROOT.mkdir(parents=True, exist_ok=True)
WHITENOISE_USE_FINDERS = True
WHITENOISE_MIMETYPES = {".mjs": "text/javascript"}
FILES_ROOT = VAR / "files"
WATCH_ROOT = env_str("LEGALQA_WATCH_ROOT")  # folders below it, one an organisation, may be watched; "" for none
WATCH_EVERY_S = env_int("LEGALQA_WATCH_EVERY_S", 10, low=1, high=3600)
MAX_UPLOAD_BYTES = env_int("LEGALQA_MAX_UPLOAD_MB", 100, low=1, high=2000) * 1024 * 1024
DATA_UPLOAD_MAX_MEMORY_SIZE = 2_500_000
FILE_UPLOAD_HANDLERS = ["django.core.files.uploadhandler.TemporaryFileUploadHandler"]
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

# -- Background work: django-q2 rings, legalqa.jobs keeps the books ---------------------------------------------------
JOB_LEASE_S = env_int("LEGALQA_JOB_LEASE_S", 60, low=2, high=3600)
JOB_SLICE_S = env_int("LEGALQA_JOB_SLICE_S", 30, low=1, high=240)
JOB_ATTEMPTS = env_int("LEGALQA_JOB_ATTEMPTS", 3, low=1, high=20)
JOB_SWEEP_S = env_int("LEGALQA_JOB_SWEEP_S", 10, low=1, high=600)
JOB_STALLED_S = env_int("LEGALQA_JOB_STALLED_S", 30, low=5, high=3600)
PERIODIC_TASKS = {  # dotted task: seconds between two rings
    "legalqa.jobs.tasks.heartbeat_write": 30,
    "corpora.tasks.files_sweep": 3600,
    "corpora.tasks.folders_look": WATCH_EVERY_S,
    "legalqa.accounts.tasks.sessions_clear": 86_400,
    "legalqa.accounts.tasks.sign_in_failures_record": 60,
    "legalqa.accounts.tasks.api_rows_clear": 3600,
    "legalqa.webhooks.tasks.deliveries_clear": 86_400,
    "legalqa.llm.tasks.calls_sweep": 300,
}
JOB_TASKS = (  # what the ledger may start
    "corpora.tasks.corpus_reindex",
    "corpora.tasks.document_ingest",
    "corpora.tasks.encoder_clean",
    "corpora.tasks.encoder_switch",
    "judging.tasks.complexity_train",
    "judging.tasks.encoder_train",
    "judging.tasks.ranker_train",
    "judging.tasks.tuning_work",
    "legalqa.answering.tasks.answer_work",
    "legalqa.webhooks.tasks.delivery_send",
    "retrieval.tasks.corpus_index",
)
WORKERS = env_int("LEGALQA_WORKERS", 1, low=1, high=32)
PARSE_SECONDS = env_int("LEGALQA_PARSE_SECONDS", 120, low=5, high=3600)
PARSE_TEXT_SECONDS = env_int("LEGALQA_PARSE_TEXT_SECONDS", 25, low=5, high=3600)
# What one organisation may use, so that none stops the work of the others; 0 for no limit.
OPEN_JOBS = env_int("LEGALQA_OPEN_JOBS", 2000, low=0, high=1_000_000)
UPLOAD_DOCUMENTS = env_int("LEGALQA_UPLOAD_DOCUMENTS", 5000, low=0, high=1_000_000)
DAY_UPLOAD_BYTES = env_int("LEGALQA_DAY_UPLOAD_MB", 10_000, low=0, high=100_000_000) * 1024 * 1024
DAY_PROCESSOR_S = env_int("LEGALQA_DAY_PROCESSOR_S", 43_200, low=0, high=10_000_000)
QUEUE_TIMEOUT_S = max(300, 2 * PARSE_SECONDS + 60, 3 * PARSE_TEXT_SECONDS + 60)
Q_CLUSTER = {
    "name": "long",
    "orm": "default",
    "workers": WORKERS + 1,  # one is kept free for short jobs: legalqa.jobs.turns
    "queue_limit": 1,
    "bulk": 1,
    # A slice ends after JOB_SLICE_S; the timeout is for one that hangs, and longer than the longest file may take.
    # retry > timeout * (1 + ceil((queue_limit + 1) / workers)), or a waiting task is delivered twice.
    "timeout": QUEUE_TIMEOUT_S,
    "retry": QUEUE_TIMEOUT_S * (1 + ceil(2 / (WORKERS + 1))) + 60,
    "ack_failures": True,
    "max_attempts": 1,
    "recycle": 50,
    "save_limit": -1,
    "catch_up": False,
    "poll": 0.3,
    "guard_cycle": 0.5,
}

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
CROSS_ENCODER_PATH = env_str("LEGALQA_CROSS_ENCODER_PATH")
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

# -- API --------------------------------------------------------------------------------------------------------------
TOKEN_MAX_DAYS = env_int("LEGALQA_TOKEN_MAX_DAYS", 365, low=1, high=3650)
API_RATES = {  # of one token; `any` counts every request, the others are counted beside it
    "any": env_rate("LEGALQA_API_RATE", "600/minute"),
    "ask": env_rate("LEGALQA_API_RATE_ASK", "60/minute"),
    "search": env_rate("LEGALQA_API_RATE_SEARCH", "300/minute"),
    "upload": env_rate("LEGALQA_API_RATE_UPLOAD", "300/minute"),
}
API_ORGANIZATION_TIMES = env_int("LEGALQA_API_ORGANIZATION_TIMES", 5, low=1, high=1000)
IDEMPOTENCY_KEPT_S = 86_400
IDEMPOTENCY_LEASE_S = 120
WEBHOOK_PRIVATE = env_list("LEGALQA_WEBHOOK_PRIVATE", "")  # origins let in although they are not public
WEBHOOK_ATTEMPTS = env_int("LEGALQA_WEBHOOK_ATTEMPTS", 8, low=1, high=12)
WEBHOOK_FIRST_DELAY_S = env_int("LEGALQA_WEBHOOK_FIRST_DELAY_S", 10, low=1, high=3600)
WEBHOOK_SECONDS = 10  # for one try, all of it
WEBHOOK_FAILURES = 5
WEBHOOK_KEPT_S = 30 * 86_400
WEBHOOKS_MAX = 20  # of one organisation
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["legalqa.accounts.authentication.ApiTokenAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["legalqa.common.drf.JsonParser"],
    "DEFAULT_SCHEMA_CLASS": "legalqa.accounts.schema.ApiSchema",
    "DEFAULT_THROTTLE_CLASSES": ["legalqa.accounts.throttling.ApiThrottle"],
    "EXCEPTION_HANDLER": "legalqa.common.drf.exception_handler",
    "UNAUTHENTICATED_USER": None,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "LegalQA",
    "DESCRIPTION": "Ask questions of your own documents: every sentence is cited, or not said.",
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SERVE_AUTHENTICATION": [],
    "SERVE_PERMISSIONS": ["rest_framework.permissions.AllowAny"],
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "SCHEMA_PATH_PREFIX": "/api/v1/",
    "COMPONENT_SPLIT_REQUEST": True,
    "ENUM_NAME_OVERRIDES": {
        "JobState": "legalqa.jobs.models.JobState",
        "RoleEnum": "legalqa.accounts.models.Role",
        "LLMRole": "legalqa.llm.models.ROLE_CHOICES",
        "AnswerState": "legalqa.answering.models.AnswerState",
        "AnswerGrade": "legalqa.answering.models.Grade",
        "TrainedState": "corpora.models.TrainedState",
    },
}

# -- Watching: logs without content, health pages ---------------------------------------------------------------------
LOG_TO = env_choice("LEGALQA_LOG_TO", "file" if EMBEDDED_POSTGRES else "stderr", ("file", "stderr"))
LOG_FORMAT = env_choice("LEGALQA_LOG_FORMAT", "json", ("json", "text"))
LOG_MAX_BYTES = env_int("LEGALQA_LOG_MAX_MB", 10, low=1, high=1000) * 1_000_000
SLOW_QUERY_MS = env_int("LEGALQA_SLOW_QUERY_MS", 500, low=0, high=60_000)
HEALTH_TOKEN = env_str("LEGALQA_HEALTH_TOKEN")
LOGGING = logging_settings(
    to_file=LOG_TO == "file", is_json=LOG_FORMAT == "json", folder=VAR / "log", max_bytes=LOG_MAX_BYTES
)
