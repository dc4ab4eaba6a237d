"""Everyday words as documents say them: a question about being "sacked" is answered from the rules on dismissal.

Only words are replaced that no document has, and only by words that the documents do have: "sacked" stays where a
handbook says it. The pairs are ours: what people say, and what contracts, statutes and policies say instead. A short
form that no document has ("FRIA") is replaced by the words in the documents that begin with its letters.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from functools import cache

from corpora.languages import is_function_word

# everyday, … : what documents say, the likeliest first; of nouns what they say most often counts. Of nouns the plural,
# of verbs the other forms are made.
_NOUNS = """
    boss, bosses : manager, supervisor, employer
    worker, staffer : employee, worker
    coworker, workmate, teammate : colleague, employee
    temp, freelancer : contractor, consultant, worker
    firm, outfit, business : company, undertaking, organisation, organization, enterprise
    startup, start-up : SME, company
    shop : retailer, business
    reseller, dealer : distributor
    maker : manufacturer, provider, producer, developer
    vendor, seller : supplier
    client : customer
    buyer, purchaser : customer, purchaser, licensee
    shopper : consumer, customer
    cop, policeman : police officer, law enforcement authority
    watchdog, regulator : supervisory authority, competent authority, regulator
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
    freebie, giveaway : gift
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
    phone number, mobile number : telephone number
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
    bot, chatbot : AI system, chatbot, assistant
    works council, staff council : workers' representative, employee representative
    cheating : misconduct, prohibited behaviour, fraud
    exam : test, examination
    judge, courtroom : court, judicial authority
    surveillance camera, cctv camera : video surveillance, recording
    small company, small firm, small business : SME, small enterprise, microenterprise
    fake, deepfake : deep fake, artificially generated content
    face recognition, facial recognition : remote biometric identification, biometric identification, facial recognition
    fingerprint : biometric data, fingerprint
    lawsuit, court case : legal proceedings, litigation, action
    takeover, buyout : change of control, acquisition, merger
    bankruptcy : insolvency, bankruptcy
    mum, dad : parent
    home office : remote work, working from home, teleworking
    part of the world, corner of the world : territory, country
    head office, headquarters : principal place of business, principal office, registered office
    branch : establishment, office
    mother company : parent company, parent, affiliate
    daughter company, sister company, group company : subsidiary, affiliate
    middleman, go-between : intermediary, agent, representative
    stand-in, proxy : representative, delegate, substitute
    higher-up, superior : manager, supervisor
    outsider, stranger : third party, unauthorised person, unauthorized person
    headcount : number of employees
    spam, junk mail : unsolicited email, unsolicited communication
    day off, time off : leave
    pay rise, pay raise : salary increase
    test run, trial run : test, pilot
    small print : terms and conditions
    owner's manual, user manual, guidebook : instructions for use, user manual
    sticker, tag : label, marking
    ceiling : limit, maximum
    revenue, earnings, takings : turnover, revenue, income
    down payment : deposit, advance payment
    ban : prohibition
    go-ahead, green light, blessing, okay : approval, authorisation, authorization, consent
    quarrel, spat : dispute
    mistake, slip-up : error
    grown-up : adult
    job ad, job advert : job advertisement, job posting
    job interview : interview
    firing, sacking, layoff : dismissal, termination
    town hall, council : public authority, public body, municipality
"""
_VERBS = """
    sack, axe : dismiss, terminate
    quit : resign
    hire, recruit : employ, recruit
    nick, pinch, swipe : steal
    bin, trash, wipe, scrap, shred : destroy, delete, dispose
    erase : delete, erase
    hang on to, hold on to, stash : retain, keep, store
    farm out, outsource : subcontract, outsource
    hand over : deliver, transfer, provide
    pass on : transfer, disclose, provide
    hand on : assign, transfer
    call off, scrap : cancel, terminate
    okay, rubber-stamp : approve, authorise, authorize
    sign off : approve
    vet : review, verify, screen
    double-check : verify
    look into : investigate
    own up, tell : notify, report, inform
    nag, chase : remind
    sue : bring an action against, claim against
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
    switch on : put into service, activate, start
    talk to, chat with, speak with : interact with
    reveal, leak, give away, let slip : disclose
    throw away, throw out, chuck : destroy, dispose of, delete
    get rid of : dispose of, destroy, delete
    hold back : withhold
    turn down, knock back : refuse, reject, decline
    put off, postpone : defer, extend, postpone
    write down, jot down : record, document
    keep track of, keep an eye on : monitor
    hand in, turn in : submit
    fill in : complete
    sell on : resell, transfer
    get round, dodge, sidestep : circumvent, avoid
    trick, fool, con : deceive, manipulate, mislead
    roll out, launch : deploy, put into service, implement, release
    get in touch with : contact
    make up for : compensate
    lock up : secure
    rent out : lease, let
"""
_WORDS = """
    lawyer, solicitor, attorney : legal counsel, counsel, attorney
    lawyers, solicitors, attorneys : legal counsel, counsel, attorneys
    hiring : recruitment, recruiting
    sit on, sits on : are members of
    fired : dismissed, terminated
    on the spot : immediately, without notice, summarily
    sick, ill, poorly : sick, incapacitated, ill
    pregnant, expecting : maternity, pregnant
    went bust, gone bust, went broke, gone broke : became insolvent, became bankrupt
    nicked, pinched, swiped : stolen
    dummy, invented : fictitious, synthetic, test
    ethnic : race/ethnicity, ethnic
    overseas, abroad : outside the country, third country, international
    foreign : third-country, foreign
    american, usa, chinese, british, uk, swiss, japanese, indian, canadian, korean, australian : third-country
    brazilian, turkish, russian, mexican, israeli, singaporean, taiwanese : third-country
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
    right away, straight away, asap : immediately, without undue delay, without delay
    every three months : quarterly
    every six months, twice a year : semi-annually, semiannually, biannually
    once a year, yearly, each year : annually, annual
    on purpose, deliberately : intentionally, intentional, wilfully
    by mistake, accidentally : inadvertently, unintentionally, inadvertent
    in charge of : responsible for
    by hand : manually
    underage, under age : under the age of 18, minor
    brand-new : new
    in public, in the street, on the street : in publicly accessible spaces
"""
_VOWEL = re.compile(r"[aeio]|u(?!s|ni)", re.IGNORECASE)  # that is heard: "a USB device"
# Ours: how often what a short form of so many letters is short for must be said, as words in a row begin with its
# letters by chance; of one with more letters SAID_LONG times.
LETTERS, SAID, SAID_LONG = 3, 4, 2
BEFORE_CHARS = 20  # before such words, by which the same place is known again in another text
_SHORT = re.compile(r"\b[A-Z]{3,6}s?\b")
# Without a plural: "confidential information".
_UNCOUNTED = re.compile(r"(?:(?:inform|document|compens|remuner|litig|identific)ation|ware|data|leave|travel|work)$")
_ALTERNATIVES = re.compile(r"\s*,\s*")


def in_words_of_documents(
    question: str,
    texts: Collection[str],
    is_unknown: Callable[[str], bool],
    rarity: Callable[[str], float] = lambda _: 0.0,
) -> str:
    """A question with everyday words and short forms that no document has as the documents say them.

    Args:
        question: As it was typed.
        texts: What was found for it: an expression of several words that is in none of them counts as missing.
        is_unknown: Whether a word of a text is in no document.
        rarity: How rare the words of a text are in the documents.

    >>> in_words_of_documents("Is a bug a reason to sack me?", [], {"bug", "sack", "malfunction"}.__contains__)
    'Is a defect a reason to dismiss me?'
    """

    def formal(match: re.Match[str]) -> str:
        said = match["said"]
        is_said = " " not in said or any(said.lower() in text.lower() for text in texts)
        if is_said and not is_unknown(said):
            return match[0]
        known = [one for one in _pairs()[said.lower()] if not is_unknown(one)]
        is_noun = said.lower() in _nouns() and not any(" " in one for one in known)
        other = min(known, key=rarity if is_noun else lambda _: 0.0, default=said)
        if match["article"] and other != said:
            return f"{match['article'][0]}{'n' if _VOWEL.match(other) else ''} {other}"
        return f"{match[0].removesuffix(said)}{other}"

    def long(match: re.Match[str]) -> str:
        return (is_unknown(match[0]) and spelled_out(match[0], texts)) or match[0]

    return _SHORT.sub(long, _everyday().sub(formal, question))


def spelled_out(short: str, texts: Collection[str]) -> str:
    """The words in the texts that most often begin with the letters of a short form; "" if there are none.

    >>> spelled_out("GPAI", ["Providers of a general-purpose AI model", "of general-purpose AI models"])
    'general-purpose AI'
    >>> spelled_out("FRIA", ["the final rule. Independent auditors", "the final rule independent auditors"])
    ''
    """
    phrases = re.compile(spelling_of(short))
    found = ((text, match) for text in texts for match in phrases.finditer(text))
    places = {(_small(match[0]), text[max(0, match.start() - BEFORE_CHARS) : match.start()]) for text, match in found}
    least = SAID if len(short.removesuffix("s")) <= LETTERS else SAID_LONG
    spelled = Counter(words for words, _ in places)
    named = (
        words for words, n in spelled.most_common() if n >= least and not any(map(is_function_word, words.split()))
    )
    return next(named, "")


def spelling_of(short: str) -> str:
    """A pattern, for Python and PostgreSQL, of what a short form may be short for."""
    letters = short.removesuffix("s")
    # Each letter begins a word, or the last ones are a short form themselves.
    ways = [list(letters), *([*letters[:n], letters[n:]] for n in range(2, len(letters) - 1))]
    begins = [[one if len(one) > 1 else f"[{one}{one.lower()}][a-z]+" for one in way] for way in ways]
    return "|".join("(?<![A-Za-z])" + "(?:[ -]|[ ]and[ ])".join(words) + "(?![A-Za-z])" for words in begins)


def short_forms(question: str) -> list[str]:
    return _SHORT.findall(question)


def _small(words: str) -> str:
    """Words without capitals, but for short forms."""
    return " ".join(word if word.isupper() else word.lower() for word in words.split())


@cache
def _everyday() -> re.Pattern[str]:
    longest_first = sorted(_pairs(), key=len, reverse=True)
    return re.compile(
        rf"(?:\b(?P<article>an?) )?(?<![\w-])(?P<said>{'|'.join(map(re.escape, longest_first))})(?![\w-])",
        re.IGNORECASE,
    )


@cache
def _nouns() -> frozenset[str]:
    """The everyday nouns: if there are several words for a person or a thing, the documents' own use decides."""
    lines = (line.split(" : ")[0] for line in _NOUNS.strip().splitlines())
    return frozenset(form for line in lines for said in _ALTERNATIVES.split(line.strip()) for form in _noun_forms(said))


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
    "give": "given", "let": "let", "throw": "thrown", "get": "got", "put": "put", "write": "written",
    "con": "conned",
}  # fmt: skip


def _with_s(words: str) -> str:
    if _UNCOUNTED.search(words):
        return words
    if re.search(r"(?:[sxz]|[cs]h)$", words):
        return f"{words}es"
    return f"{words[:-1]}ies" if re.search("[^aeiou]y$", words) else f"{words}s"


def _doubled(stem: str) -> str:
    return stem + stem[-1] if stem in _DOUBLING else stem


_DOUBLING = frozenset((
    "swap", "stop", "plug", "bin", "scrap", "flag", "nag", "vet", "quit", "shred", "cancel", "shut", "con", "let",
    "get", "put",
))  # fmt: skip
