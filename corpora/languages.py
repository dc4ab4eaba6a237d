"""Which language a text is in, by its most common words: enough to tell a question from documents in another one."""

import re
from collections import Counter
from collections.abc import Sequence

from corpora.stopwords import STOP_WORDS, word_set

LEAST = 2  # ours: a text with fewer common words is not classified
APART = 2  # ours: different common words of one language that a text must have before it is not in a given other one
LEAD = 0.8  # ours: lead, in words, that the first language must have
_WORD = re.compile(r"[^\W\d_]+")

# Words that are not in the lists of stop words, because law may turn on them or people search for them, but that show a
# language all the same: first words of questions, auxiliaries, negations, prepositions. No index depends on them.
_TELLING: dict[str, frozenset[str]] = {
    language: word_set(text)
    for language, text in {
        "english": """
            about after against all any because before between both during each either every here just let made make
            many may might more most much must neither never no nor not often only other out over own per same shall
            should since soon still through under until up upon us used whether while within without
        """,
        "german": """
            alle allem allen aller alles andere anderen anderer bevor beim bereits besteht bis danach dann darf dazu
            dürfen durfte ehe etwa falls gegen gegenüber gibt gilt gelten habe hätte heute ihm ihn ihnen ihrem ihren
            ihrer innerhalb jede jedem jeden jeder jedes jemand kann kein keine keinem keinen keiner können könnte lange
            man mehr muss müssen müsste nicht nichts ohne seit sein seine seinem seinen seiner sei sofern soll sollen
            sollte sonst sowie trotz unser unsere unter viel viele wann warum wäre wegen weil welche welchem welchen
            welcher welches wem wen wenn werden weshalb wessen wieso wieviel will wo wofür wodurch womit worden wozu
            wurden würde während zwischen
        """,
        "french": """
            afin ai ainsi après aucun aucune aussi auprès avait avant avez avoir avons ayant car celle celui ceux chaque
            chez combien comment comme contre depuis dès devez devoir devons devra dois doit doivent dont donc durant
            entre êtes étaient était faire faut fait jamais jusque lequel laquelle lesquels lesquelles lors lorsque
            moins ne ni non où pas pendant peut peuvent peux plus pourquoi pouvoir puis quand quel quelle quelles quels
            quoi sans sera seront selon si sommes sous soit suis tous tout toute toutes vers
        """,
        "spanish": """
            además al ante antes aún bajo cada contra cuál cuáles cuándo cuando cuánta cuántas cuánto cuántos cómo deben
            debe debemos debo desde después donde dónde durante ellos está están estar existe existen fueron hacer hasta
            hay más mediante menos mucho nada ni ninguna ninguno ningún no nos nosotros nuestro nuestra otra otro
            podemos podrá puede pueden puedo qué quién quiénes según será serán sin sino sobre también tener tengo tiene
            tienen toda todas todo todos tras usted ustedes
        """,
        "italian": """
            alcun alcuna ancora avere cosa cui dallo dalle deve devo devono dobbiamo dopo dove durante entro era essere
            fino fra hai ho mentre nessun nessuna nessuno nella nelle nello negli nei noi non nostra nostro ogni oltre
            perché però più po prima può possiamo possono posso presso qual quali quando quanta quante quanti quanto
            quei quel quella quelle quelli quello questi queste qualsiasi senza sarà secondo sempre siamo sia sono sotto
            sulle stato stata tutta tutte tutti tutto verso
        """,
        "dutch": """
            alle andere bent binnen dus elk elke geen gedurende hebben heb hoelang hoeveel iemand iets jaar kunnen mag
            meer moet moeten mogen niet niets onder ons sinds tegen tussen tijdens voordat waar waarom wanneer was welk
            welke werd werden worden wiens zonder zou zouden zullen
        """,
        "portuguese": """
            além antes após até cada contra deve devem depois desde durante está estão existe fazer foram mas mediante
            menos muito nada nenhum nenhuma não nem nossa nosso onde outra outro pode podem podemos posso quais quando
            quanta quantas quanto quantos quê segundo sem será serão sob sobre também tem tenho ter têm toda todas todo
            todos uns você vocês
        """,
    }.items()
}
_COMMON = {language: stops | _TELLING[language] for language, stops in STOP_WORDS.items()}
_SHARED_BY = Counter(word for common in _COMMON.values() for word in common)


def language_of(text: str) -> str | None:
    """The language with the most common words in the text, such as "german"; None where that is not clear.

    A word counts by how few of the languages have it. One of this language alone counts double where it comes first: a
    question begins with a word of its language, and common words further behind may be of a name: "Must die Presse be
    told?".
    """
    words = [word.lower() for word in _WORD.findall(text)]
    sums = {language: _sum_of(words, common) for language, common in _COMMON.items()}
    first, second = sorted(sums, key=lambda language: -sums[language])[:2]
    is_clear = sums[first] - sums[second] >= LEAD and sum(word in _COMMON[first] for word in words) >= LEAST
    return first if is_clear else None


def languages_apart(question: str, passages: str) -> tuple[str, str] | None:
    """The languages of a question and of the passages, where they are certainly two; else None.

    One word of another language may be misspelt: "Wat is the limit?" has as many that only English has.
    """
    language, theirs = language_of(question), language_of(passages)
    if language is None or theirs is None or language == theirs:
        return None
    words = {word.lower() for word in _WORD.findall(question)}
    own = words & (_COMMON[language] - _COMMON[theirs])
    others = words & (_COMMON[theirs] - _COMMON[language])
    return (language, theirs) if len(own) >= APART and len(own) > len(others) else None


def _sum_of(words: Sequence[str], common: frozenset[str]) -> float:
    is_own = bool(words) and words[0] in common and _SHARED_BY[words[0]] == 1
    return sum(1 / _SHARED_BY[word] for word in words if word in common) + is_own


def is_function_word(word: str) -> bool:
    """Whether a word only holds an English sentence together: a stop word, an auxiliary, a question word."""
    return word.lower() in _COMMON["english"]


def is_common(word: str) -> bool:
    """Whether a word is too common, in any language, to be what a text is about."""
    return any(word.lower() in stops for stops in STOP_WORDS.values())
