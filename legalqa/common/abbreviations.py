"""Abbreviations of legal English, written without their last full stop."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# These abbreviate only before a number or section sign: "No. 5", but "The answer is no. The court".
BEFORE_NUMBERS = _words(
    """
    no nos art arts sec secs sect ss para paras par pt ch chap cl reg regs sched app fig vol pp subd
    subsec ex nn ed tit
    """
)

# These never end a sentence.
ALWAYS_OPEN = _words(
    """
    v vs cf eg e.g i.e ie viz supp ann mr mrs ms dr prof hon messrs gov sen rep gen adm capt sgt st
    ass'n assn dep't dept int'l nat'l gov't comm'n bros mfg approx incl resp eff cir dist evid proc
    bankr f.supp s.ct l.ed r.civ
    """
)

# These end a sentence only before a word that opens one: "Acme Inc. The court", but "Acme Inc. Holdings".
MAY_CLOSE = _words(
    """
    inc corp co ltd llc plc etc al seq jr sr jan feb aug sept oct nov dec univ stat rev cent
    """
)

# The states as reporters abbreviate them; many are words too ("ill", "miss", "wash"), so the case counts.
STATES = _words(
    """
    Ala Ariz Ark Cal Colo Conn Del Fla Ga Haw Ill Ind Kan Ky La Md Mass Mich Minn Miss Mo Mont Neb
    Nev Okla Ore Pa Tenn Tex Va Vt Wash Wis Wyo Fed Const Crim Civ Comm Admin
    """
)

SENTENCE_OPENERS = _words(
    """
    The This These Those That A An It Its In If For Any All Each Every No Not Such When Where While
    Upon Unless However Therefore Moreover But And Or He She They We You There Here As At By On To
    Under Subject Notwithstanding Nothing Provided Failure Employers Persons Companies Section
    Article
    """
)
