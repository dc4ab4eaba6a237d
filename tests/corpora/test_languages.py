"""The language of a question, by its most common words."""

import pytest

from corpora.languages import is_function_word, language_of, languages_apart


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Wie hoch ist die Geldbuße beim ersten Verstoß?", "german"),
        ("Quelle est l'amende pour une première violation de la loi ?", "french"),
        ("What is the penalty for a first violation?", "english"),
        ("penalty first violation", None),
        ("????", None),
    ],
)
def test_the_language_of_a_question_is_told_where_it_is_clear(text: str, language: str | None) -> None:
    assert language_of(text) == language


OTHERS = {
    "german": (
        "Wie lange müssen Mandantenakten aufbewahrt werden?",
        "Wann muss eine Datenpanne gemeldet werden?",
        "Ist eine Einwilligung erforderlich?",
    ),
    "french": (
        "Combien de temps doit-on conserver les dossiers ?",
        "Quelles sanctions sont prévues ?",
        "Faut-il une autorisation préalable ?",
    ),
    "spanish": (
        "¿Cuánto tiempo deben conservarse los expedientes?",
        "¿Qué sanciones existen?",
        "¿Quién puede presentar una reclamación?",
    ),
    "italian": (
        "Per quanto tempo devono essere conservati i fascicoli?",
        "Quali sanzioni sono previste?",
        "Entro quando deve essere notificata una violazione?",
    ),
}
ENGLISH_WITH_NAMES = (
    "What did Müller und Söhne GmbH agree with Société Générale?",
    "May Banco de la Nación assign the loan to Crédit Agricole?",
    "Must die Bundesanstalt für Finanzdienstleistungsaufsicht be notified?",
    "When does the lease between Rossi e Figli and El Corte Inglés end?",
    "How long must Deutsche Bank keep records?",
    "Is the rent due to Fundación Ramón Areces?",
    "Who is liable under the contract with Les Fils de Jean?",
    "Which fines may the Autorité de la concurrence impose?",
    "Does La Banca d'Italia have to be told?",
    "Shall Compagnie des Alpes pay without notice?",
    "What is the Bundesgesetz über den Datenschutz?",
    "Can Ayuntamiento de las Rozas terminate the lease?",
)


@pytest.mark.parametrize(("language", "text"), [(name, text) for name, texts in OTHERS.items() for text in texts])
def test_a_question_is_known_by_what_it_begins_with_and_by_its_auxiliaries(language: str, text: str) -> None:
    """The words that decide law ("müssen", "welche", "nicht") are no stop words, and told nothing."""
    assert language_of(text) == language


@pytest.mark.parametrize("text", ENGLISH_WITH_NAMES)
def test_an_english_question_with_foreign_names_is_english(text: str) -> None:
    assert language_of(text) == "english"


@pytest.mark.parametrize(
    "text",
    [
        "Is Frau von der Leyen a party?",
        "Does Casa de los Espíritus S.A. owe a fee?",
        "Wie is a penguin fed in Antarctica?",
    ],
)
def test_where_a_name_weighs_as_much_as_the_question_nothing_is_said(text: str) -> None:
    assert language_of(text) in ("english", None)


@pytest.mark.parametrize(
    ("question", "apart"),
    [
        ("wat is the carryover limit?", None),
        ("wat is carryover limit?", None),
        ("hoe lang is the lease?", None),
        ("Wat is de opzegtermijn?", ("dutch", "english")),
        ("Quelles sanctions sont prévues ?", ("french", "english")),
        ("Ist die Miete fällig?", ("german", "english")),
        ("What is the limit?", None),
    ],
)
def test_a_question_is_in_another_language_by_several_words_and_by_more_than_it_has_of_theirs(
    question: str, apart: tuple[str, str] | None
) -> None:
    assert languages_apart(question, "The limit is what the parties agree upon, and it is to be kept.") == apart


def test_auxiliaries_and_question_words_only_hold_a_sentence_together() -> None:
    assert all(is_function_word(word) for word in ["Is", "it", "what", "we", "must", "not", "do", "while"])
    assert not is_function_word("lease")
