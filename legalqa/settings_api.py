"""Settings of the API's frameworks: how requests are read, refused and described."""

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
    # Folded by part: the page draws only the parts that are near the window, and a part further down cannot be found.
    "SWAGGER_UI_SETTINGS": {"deepLinking": True, "docExpansion": "none"},
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "SCHEMA_PATH_PREFIX": "/api/v1/",
    "COMPONENT_SPLIT_REQUEST": True,
    "ENUM_NAME_OVERRIDES": {
        "JobState": "legalqa.jobs.models.JobState",
        "RoleEnum": "legalqa.accounts.models.Role",
        "LLMRole": "legalqa.llm.models.ROLE_CHOICES",
        "LLMRoleInUse": "legalqa.llm.models.ROLE_CHOICES_IN_USE",
        "AnswerState": "legalqa.answering.models.AnswerState",
        "AnswerGrade": "legalqa.answering.models.Grade",
        "TrainedState": "corpora.models.TrainedState",
        "ContradictionState": "legalqa.answering.models.ReviewState",
        "ClauseState": "legalqa.answering.clauses.models.ClauseState",
        "FeedbackOutcome": "judging.models.feedback.Outcome",
        "GraphStatementKind": "retrieval.kinds.KIND_CHOICES",
        "GraphEntityKind": "retrieval.models.graph.EntityKind",
        "GraphDecisionKind": "retrieval.models.graph.SHOWN_KINDS",
    },
}
