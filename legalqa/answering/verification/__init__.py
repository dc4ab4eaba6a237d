"""Does the cited text support a claim? Rules and the reader decide; a claim that neither supports is not shown."""

from legalqa.answering.verification.entailment import Claim, Reads, reads_support, support_check, support_checks
from legalqa.answering.verification.orders import gives_orders
from legalqa.answering.verification.quotes import quote_find
from legalqa.answering.verification.support import Check, claim_check, prose_check
