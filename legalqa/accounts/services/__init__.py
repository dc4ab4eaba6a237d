"""Acts on people and organisations; every act that matters is audited."""

from legalqa.accounts.services.audit import audit
from legalqa.accounts.services.audit_chain import audit_export, audit_verify, checkpoint_read
from legalqa.accounts.services.field_keys import secrets_reencrypt
from legalqa.accounts.services.invitations import (
    invitation_accept,
    invitation_accept_as_new,
    invitation_mailed,
    invitation_open,
    invitation_revoke,
    member_invite,
)
from legalqa.accounts.services.links import LinkInvalid, LinkOver
from legalqa.accounts.services.members import account_switched, member_add, member_remove, member_role_change
from legalqa.accounts.services.operators import operator_enter, operator_leave
from legalqa.accounts.services.organizations import organization_create, organization_first
from legalqa.accounts.services.passwords import password_changed, password_reset, password_set
from legalqa.accounts.services.rates import buckets_of, request_count
from legalqa.accounts.services.replies import (
    api_rows_clear,
    reply_claim,
    reply_claimed,
    reply_drop,
    reply_keep,
    reply_note,
)
from legalqa.accounts.services.resets import reset_count
from legalqa.accounts.services.second_factor import (
    CodeRefused,
    recovery_codes_renew,
    second_factor_begin,
    second_factor_confirm,
    second_factor_demand,
    second_factor_remove,
    second_factor_show,
)
from legalqa.accounts.services.sessions import (
    session_begin,
    session_end,
    session_factor_shown,
    session_has_factor,
    session_id,
    session_is_fresh,
    session_left,
    session_note,
    session_proved,
    session_seen,
    sessions_clear,
    sessions_end_others,
)
from legalqa.accounts.services.sign_in import (
    sign_in_link_create,
    sign_in_link_create_for_member,
    sign_in_link_open,
    sign_in_link_use,
)
from legalqa.accounts.services.sign_in_failures import sign_in_failures_record
from legalqa.accounts.services.tokens import token_create, token_revoke
