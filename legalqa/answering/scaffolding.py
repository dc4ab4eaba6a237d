"""Words that shape a question and say nothing about its subject: a statute without them may still answer it."""

from corpora.tokens import tokens

_SCAFFOLDING_WORDS = """
    about actually all also answer anyone anything apply ask away back become besides best between big both call came
    can case come compare comparison concern contrast count could count define describe detail differ different do done
    each either else ever every example exist explain few find first follow full further get getting give given go good
    great greatest happen have hold how if include instead kind know large last later latest least left less like likely
    list little long longest lot main make mani many may maybe mean meaning meant mention might more most much must name
    need new next nothing now number once one only order out outline over own part people per place please point
    possible put question quickly rather really relate relevant say said see set several shall short should show small
    so some someone something soon specify state stay still sum summarise summarize sure take tell thing things three
    time total two type under up use used usual usually versus want way well what when whether which while who whole
    whose why will within would
    """
SCAFFOLDING = frozenset(term for word in _SCAFFOLDING_WORDS.split() for term in tokens(word))
