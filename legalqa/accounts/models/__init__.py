"""People, organisations, and what gives people access to them."""

from legalqa.accounts.models.audit import AuditEvent
from legalqa.accounts.models.links import ApiToken, Invitation, ResetRequest, SignInLink
from legalqa.accounts.models.organization import Membership, Organization, Role
from legalqa.accounts.models.programs import KeptReply, RequestCount
from legalqa.accounts.models.second_factor import RecoveryCode, SecondFactor
from legalqa.accounts.models.session import Session
from legalqa.accounts.models.user import User
