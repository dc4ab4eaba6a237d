"""Everyday words as documents say them: who asks about being "sacked" is answered by what is said of dismissal.

Only words are replaced that no document has, and only by words that the documents do have: "sacked" stays where a
handbook says it. The pairs are ours, from what people say for what contracts, statutes and policies say.
"""

import re
from collections.abc import Callable, Collection, Iterator
from functools import cache

# everyday, … : what documents say, the likeliest first. Of nouns the plural, of verbs the other forms are made.
_NOUNS = """
    boss, bosses : manager, supervisor, employer
    worker, staffer : employee, worker
    coworker, workmate, teammate : colleague, employee
    temp, freelancer : contractor, consultant, worker
    firm, outfit, business : company, undertaking, organisation, organization, enterprise
    startup, start-up : SME, company
    shop : retailer, business
    reseller, dealer : distributor
    maker : manufacturer
    vendor, seller : supplier
    client : customer
    buyer, purchaser : customer, purchaser, licensee
    shopper : consumer, customer
    cop, policeman : police officer, law enforcement authority
    watchdog, regulator : supervisory authority, competent authority, regulator
    lawyer, solicitor, attorney : legal counsel, counsel, attorney
    bookkeeper : accountant
    kid, youngster : minor, child
    newcomer, newbie, joiner, starter : new starter, new employee, new hire
    applicant, jobseeker : candidate, applicant
    whistle-blower, tipster : reporting person, whistleblower
    hacker, crook : attacker, unauthorised person, unauthorized person
    holiday, vacation : annual leave, leave, vacation
    sickness, illness : sickness absence, sick leave, illness
    paycheck, paycheque, wage : salary, remuneration, compensation
    raise, rise : increase
    pension : retirement benefit
    present, freebie, giveaway : gift
    bribe, kickback : improper payment, bribe
    trip : travel, journey
    rebate, markdown, reduction : discount, rebate
    slice : share, percentage, commission
    surcharge, late charge : late payment charge, late fee, surcharge
    instalment, installment : payment, instalment, installment
    fine, ticket : penalty, fine
    punishment, sanction : penalty, sanction, disciplinary action
    payout, damages : compensation, damages, indemnity
    loophole, way out, workaround : exception, exemption
    deal, pact : agreement, contract
    paperwork : documentation, record
    dossier : documentation, record
    logbook : log, record
    secret : confidential information, trade secret
    data leak : breach, disclosure, personal data breach
    hack, break-in : security incident, unauthorised access, unauthorized access
    glitch, bug : malfunction, defect, error
    hole, weakness : vulnerability
    patch : corrective action, patch, remediation
    privacy impact assessment : data protection impact assessment, DPIA
    privacy officer : data protection officer, DPO
    breakdown, crash : failure, malfunction
    mishap, accident : incident, accident
    phone, mobile, cellphone, smartphone : mobile device, telephone, smartphone
    laptop, computer, pc : device, endpoint, computer, workstation
    memory stick, thumb drive, flash drive, usb stick, pen drive : USB storage device, removable media, USB device
    gadget : device
    mail, email : email, e-mail, electronic mail, message
    site, homepage, webpage : website
    picture, photo, snapshot : image, photograph
    backup : back-up, backup
    bin, trash : disposal
    landlord : lessor, landlord
    tenant, renter : lessee, tenant
    car : vehicle, motor vehicle
    plane : aircraft
    elevator : lift
    robot : machinery
    bot, chatbot : AI system, chatbot
    fake, deepfake : deep fake, artificially generated content
    face recognition, facial recognition : remote biometric identification, biometric identification, facial recognition
    fingerprint : biometric data, fingerprint
    lawsuit, court case : legal proceedings, litigation, action
    takeover, buyout : change of control, acquisition, merger
    bankruptcy : insolvency, bankruptcy
    mum, dad : parent
    home office : remote work, working from home, teleworking
    town hall, council : public authority, public body, municipality
"""
_VERBS = """
    sack, fire, axe : dismiss, terminate
    quit : resign
    hire, recruit : employ, recruit
    nick, pinch, swipe : steal
    bin, trash, wipe, scrap, shred : destroy, delete, dispose
    erase : delete, erase
    hang on to, hold on to, stash : retain, keep, store
    farm out, outsource : subcontract, outsource
    hand over : deliver, transfer, provide
    pass on : disclose, transfer, provide
    hand on : assign, transfer
    call off, scrap : cancel, terminate
    okay, rubber-stamp : approve, authorise, authorize
    sign off : approve
    vet : review, verify, screen
    double-check : verify
    look into : investigate
    own up, tell : notify, report, inform
    nag, chase : remind
    sue : bring an action, claim
    contest, challenge : appeal, object, challenge, dispute
    settle : resolve, settle
    punish : penalise, sanction
    mend : repair, remedy, correct
    switch off, shut down : suspend, stop, deactivate, withdraw
    break : breach, violate
    snoop, spy : monitor
    tweak : modify, amend, change
    pay back : reimburse, repay, refund
    chip in : contribute
    team up : collaborate
    plug in, plug : connect
    swap : change, replace, exchange
"""
_WORDS = """
    on the spot : immediately, without notice, summarily
    sick, ill, poorly : sick, incapacitated, ill
    pregnant, expecting : maternity, pregnant
    broke, bust : insolvent, bankrupt
    nicked, pinched, swiped : stolen
    made-up, invented, synthetic, dummy : test, synthetic, fictitious
    ethnic : race/ethnicity, ethnic
    overseas, abroad : outside the country, third country, international
    foreign : third-country, foreign
    american, usa, chinese, british, uk, swiss, japanese, indian, canadian : third-country
    brussels : Commission
    police : law enforcement authorities, police
    illegal, against the law : unlawful, prohibited
    off-limits, banned, taboo : prohibited
    home working, working from home, homeworking : remote work, teleworking, work from home
    turn up : attend, be present
    take home : remove
    free of charge, for free : without charge, free
    over the phone : by telephone
    in black and white : in writing
    word of mouth, spoken : oral, verbal
    dead, passed away : deceased, died
"""
_ALTERNATIVES = re.compile(r"\s*,\s*")


def in_words_of_documents(question: str, texts: Collection[str], is_unknown: Callable[[str], bool]) -> str:
    """A question with everyday words that no document has as the documents say them.

    Args:
        question: As it was typed.
        texts: What was found for it: an expression of several words that is in none of them counts as missing.
        is_unknown: Whether a word of a text is in no document.

    >>> in_words_of_documents("Is a bug a reason to sack me?", [], {"bug", "sack", "malfunction"}.__contains__)
    'Is a defect a reason to dismiss me?'
    """

    def formal(match: re.Match[str]) -> str:
        said = match["said"]
        is_said = " " not in said or any(said.lower() in text.lower() for text in texts)
        if is_said and not is_unknown(said):
            return match[0]
        other = next((one for one in _pairs()[said.lower()] if not is_unknown(one)), said)
        if match["article"] and other != said:
            return f"{match['article'][0]}{'n' if other[0].lower() in 'aeiou' else ''} {other}"
        return f"{match[0].removesuffix(said)}{other}"

    return _everyday().sub(formal, question)


@cache
def _everyday() -> re.Pattern[str]:
    longest_first = sorted(_pairs(), key=len, reverse=True)
    return re.compile(
        rf"(?:\b(?P<article>an?) )?(?<![\w-])(?P<said>{'|'.join(map(re.escape, longest_first))})(?![\w-])",
        re.IGNORECASE,
    )


@cache
def _pairs() -> dict[str, tuple[str, ...]]:
    """What documents may say for each everyday expression, in the same form."""
    pairs: dict[str, tuple[str, ...]] = {}
    for table, forms in ((_WORDS, _as_is), (_VERBS, _verb_forms), (_NOUNS, _noun_forms)):
        for line in table.strip().splitlines():
            everyday, formal = (_ALTERNATIVES.split(side.strip()) for side in line.split(" : "))
            for said in everyday:
                for number, form in enumerate(forms(said)):
                    pairs.setdefault(
                        form.lower(), tuple(list(forms(other))[number] for other in formal if other != said)
                    )
    return pairs


def _as_is(words: str) -> Iterator[str]:
    yield words


def _noun_forms(words: str) -> Iterator[str]:
    yield words
    yield _with_s(words)


def _verb_forms(words: str) -> Iterator[str]:
    verb, _, rest = words.partition(" ")
    stem = verb.removesuffix("e")
    after = f" {rest}" if rest else ""
    past = _PAST.get(verb) or (f"{verb[:-1]}ied" if re.search("[^aeiou]y$", verb) else f"{_doubled(stem)}ed")
    yield verb + after
    yield _with_s(verb) + after
    yield past + after
    yield _doubled(stem) + "ing" + after


_PAST = {
    "quit": "quit", "leave": "left", "steal": "stolen", "lose": "lost", "keep": "kept", "hold": "held",
    "buy": "bought", "sell": "sold", "make": "made", "tell": "told", "fight": "fought", "bring": "brought",
    "bear": "borne", "break": "broken", "bend": "bent", "pay": "paid", "spy": "spied", "hang": "hung", "shut": "shut",
}  # fmt: skip


def _with_s(words: str) -> str:
    if re.search(r"(?:[sxz]|[cs]h)$", words):
        return f"{words}es"
    return f"{words[:-1]}ies" if re.search("[^aeiou]y$", words) else f"{words}s"


def _doubled(stem: str) -> str:
    return stem + stem[-1] if stem in _DOUBLING else stem


_DOUBLING = frozenset(("swap", "stop", "plug", "bin", "scrap", "flag", "nag", "vet", "quit", "shred", "cancel", "shut"))
