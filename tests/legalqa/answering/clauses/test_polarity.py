"""Whether a sentence denies the clause that it was found for."""

import pytest

from legalqa.answering.clauses.library import library
from legalqa.answering.clauses.polarity import is_denied

CLAUSES = {one.key: one for one in library()}
DENIED = [
    ("exclusivity", "This Agreement shall not prevent either party from pursuing similar discussions with others."),
    ("exclusivity", "Supplier may sell the Products to any third party."),
    ("license-grant", "Licensee is not granted any right under any patent."),
    ("license-grant", "Except as expressly set out, neither party acquires any licence."),
    ("license-grant", "Nothing in this Agreement shall be construed as granting any rights in the Information."),
    ("non-transferable-license", "Licensee shall have the right to assign or sublicense its rights hereunder."),
    ("anti-assignment", "Either party may assign this Agreement without the consent of the other party."),
    ("third-party-beneficiary", "There are no third party beneficiaries of this Agreement."),
    ("non-compete", "Nothing in this Agreement prohibits the Recipient from competing with the Discloser."),
    (
        "non-compete",
        "Unless otherwise agreed in writing, Supplier shall not require that Dealer be limited to its own brands.",
    ),
    ("exclusivity", "Dealer is not to be restricted in the choice of those whom it supplies."),
    ("anti-assignment", "Unless otherwise agreed, either party may assign this Agreement."),
    ("cap-on-liability", "Nothing in this Agreement limits a party's liability for fraud."),
    ("minimum-commitment", "Customer is not obligated to purchase any minimum quantity."),
]
GIVEN = [
    ("exclusivity", "Distributor shall have the exclusive right to sell the Products in the Territory."),
    ("exclusivity", "Client shall purchase all of its requirements of widgets from Supplier."),
    ("license-grant", "Licensor hereby grants a licence to use the Marks, and Licensee shall not grant sublicenses."),
    ("license-grant", "Licensee acknowledges that no right other than the right to use the Marks is granted."),
    ("non-transferable-license", "Licensee may sublicense only with the prior written consent of Licensor."),
    (
        "anti-assignment",
        "Neither party may assign this Agreement without the prior written consent of the other party.",
    ),
    ("anti-assignment", "Company may assign this Agreement to an affiliate, but Contractor may not assign it."),
    ("third-party-beneficiary", "Except for the Indemnitees, nothing in this Agreement confers rights on others."),
    ("non-compete", "He shall not compete, provided that nothing herein shall prevent him from holding 5% of a firm."),
    ("non-compete", "Dealer may not sell other brands, and its sales shall be limited to the Territory."),
    ("anti-assignment", "Unless otherwise approved by Owner, the Tenant may assign this Agreement."),
    ("covenant-not-to-sue", "Dealer shall not challenge or impair the title of Supplier to the Marks."),
    ("cap-on-liability", "Neither party is liable for indirect damages, including but not limited to lost profits."),
    ("audit-rights", "Licensor may audit the books of Licensee no more than once a year."),
    ("governing-law", "The laws of Ohio shall not apply."),  # what is stated is never denied
]


@pytest.mark.parametrize(("key", "sentence"), DENIED)
def test_a_denial_of_what_is_granted_and_a_permission_of_what_is_restricted_are_not_the_clause(
    key: str, sentence: str
) -> None:
    assert is_denied(sentence, CLAUSES[key].sense, CLAUSES[key].act)


@pytest.mark.parametrize(("key", "sentence"), GIVEN)
def test_a_sentence_that_gives_the_clause_may_deny_something_else(key: str, sentence: str) -> None:
    assert not is_denied(sentence, CLAUSES[key].sense, CLAUSES[key].act)
