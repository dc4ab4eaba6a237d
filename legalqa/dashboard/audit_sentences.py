"""The audit log in words: one sentence for each act, as a person would tell it."""

from typing import Any, Final

# {who} did it, {what} it was done to; the other names are details of the row.
SENTENCES: Final[dict[str, str]] = {
    "session.started": "{who} signed in by {how}{with_factor}.",
    "session.left": "{who} signed out.",
    "session.ended": "{who} signed out other browsers of theirs ({sessions}).",
    "sign_in.failed": "Somebody tried to sign in as {what} with a wrong password, {tries} times.",
    "second_factor.added": "{who} set up a second factor.",
    "second_factor.removed": "{who} removed the second factor of {what}.",
    "second_factor.refused": "Somebody who knew the password of {what} gave a wrong code.",
    "recovery_code.used": "{who} signed in with a recovery code; {left} are left.",
    "recovery_codes.renewed": "{who} made new recovery codes.",
    "password.changed": "{who} chose a new password.",
    "sign_in_link.created": "{who} made a one-time sign-in link for {what}.",
    "sign_in_link.used": "{who} used a one-time sign-in link.",
    "account.renewed": "{who} chose a new password, because until then, the account had not been verified as theirs. "
    "What was set up before ended: second factors ({factors}), API tokens ({tokens}), other sessions.",
    "account.closed": "{who} closed the account of {what}.",
    "account.opened": "{who} opened the account of {what} again.",
    "member.invited": "{who} invited somebody as {role}.",
    "invitation.accepted": "{who} accepted an invitation.",
    "invitation.revoked": "{who} withdrew an invitation.",
    "member.joined": "{what} became a member, as {role}.",
    "member.role_changed": "{who} changed the role of {what} from {before} to {after}.",
    "member.removed": "{who} removed {what}; {tokens} API tokens of theirs ended.",
    "organization.created": "{who} made the organisation.",
    "organization.second_factor_needed": "{who} decided that a second factor is {needed}.",
    "token.created": "{who} made an API token.",
    "token.revoked": "{who} ended an API token.",
    "corpus.created": "{who} made {what}, {wall}.",
    "corpus.renamed": "{who} renamed {what}.",
    "corpus.updated": "{who} saved the settings of {what}, {wall}.",
    "corpus.removal_asked": "{who} asked for the removal of {what}.",
    "corpus.removal_cancelled": "{who} cancelled the removal of {what}.",
    "corpus.removal_begun": "{who} removes {what}. Documents: {documents}, answers: {answers}.",
    "corpus.removed": "{who} removed a corpus; nothing of it is left.",
    "corpus.member_added": "{who} let {member} through the wall of {what}.",
    "corpus.member_removed": "{who} put {member} outside the wall of {what}.",
    "corpus.reindexed": "{who} had the index of {what} rebuilt, split by {chunker}.",
    "folder.watched": "{who} let a folder be watched for documents.",
    "folder.unwatched": "{who} ended the watch over a folder.",
    "document.dated": "{who} set the date from which {what} is in force.",
    "document.uploaded": "{who} uploaded {what}.",
    "document.renamed": "{who} changed the title of {what}.",
    "document.unlocked": "{who} opened the encrypted file of {what} with its password.",
    "document.removed": "{who} removed {what}.",
    "document.viewed": "{who} read {what}.",
    "document.downloaded": "{who} fetched the file of {what}.",
    "mapping.saved": "{who} saved version {number} of the parameter mapping of {what}, for {classes} classes.",
    "mapping.used": "{who} had version {number} of the parameter mapping of {what} used, for {classes} classes.",
    "gold_set.imported": "{who} added a gold set of {questions} questions to {what}.",
    "gold_set.removed": "{who} removed a gold set of {what}.",
    "gold_set.exported": "{who} took a gold set of {what}.",
    "tuning.started": "{who} had the parameter mapping of {what} tuned.",
    "preset.saved": "{who} saved a search preset.",
    "preset.removed": "{who} removed a search preset.",
    "classifier.trained": "{who} had a classifier of questions trained for {what}: {kind}.",
    "classifier.activated": "{who} put a classifier of {classes} classes into use in {what}.",
    "classifier.rolled_back": "{who} took the classifier of {classes} classes in {what} back to the one before.",
    "classifier.removed": "{who} removed a classifier of {what}.",
    "encoder.trained": "{who} had an encoder trained for {what}, on {questions} questions.",
    "encoder.activated": "{who} had searches of {what} switched to another encoder ({encoder}).",
    "encoder.rolled_back": "{who} had searches of {what} switched back to the encoder of before ({encoder}).",
    "encoder.removed": "{who} removed an encoder of {what}.",
    "ranker.trained": "{who} had a ranker trained for {what}, on {questions} questions.",
    "ranker.activated": "{who} put a ranker into use in {what} ({ranker}).",
    "ranker.rolled_back": "{who} took the ranker of {what} back to the one before.",
    "ranker.removed": "{who} removed a ranker of {what}.",
    "question.asked": "{who} asked a question in {what}.",
    "answer.cancelled": "{who} stopped an answer that was being written.",
    "answer.graded": "{who} graded an answer: {grade}.",
    "answer.grade_changed": "{who} changed the grade of an answer from “{before}” to “{after}”.",
    "answer.grade_noted": "{who} changed what stands with the grade of an answer.",
    "answer.grade_removed": "{who} took back the grade of an answer: {grade}.",
    "grades.exported": "{who} took {rows} lines of graded answers of {what}, to train on.",
    "answer.exported": "{who} took the evidence pack of an answer.",
    "audit.exported": "{who} exported {rows} rows of this log.",
    "access.exported": "{who} exported the table of who can see what.",
    "webhook.created": "{who} made a webhook.",
    "webhook.deleted": "{who} removed a webhook.",
    "webhook.tested": "{who} sent a test to a webhook.",
    "webhook.redelivered": "{who} had a webhook's message sent again.",
    "webhook.secret_renewed": "{who} made a new secret for a webhook.",
    "webhook.failed": "A webhook was switched off, because its address did not answer.",
    "webhook.ended": "A webhook was switched off: the person who set it up may not have webhooks here any more.",
    "webhook.switched_off": "{who} switched a webhook off.",
    "webhook.switched_on": "{who} switched a webhook on.",
    "llm.provider_created": "{who} set up a provider of language models.",
    "llm.provider_changed": "{who} changed a provider of language models.",
    "llm.provider_removed": "{who} removed a provider of language models.",
    "llm.model_added": "{who} added a language model, for {role}.",
    "llm.model_changed": "{who} changed the prices of a language model, for {role}.",
    "llm.model_first": "{who} put a language model first, for {role}.",
    "llm.model_removed": "{who} removed a language model, for {role}.",
    "llm.model_tested": "{who} tested a language model.",
    "llm.settings_saved": "{who} changed what language models may do and cost ({fields}).",
    "budget.alerted": "Four fifths of the {budget} budget for language models are spent.",
    "operator.entered": "{who}, an operator of the platform, entered the organisation. Reason: {reason}",
    "operator.left": "{who}, an operator of the platform, left the organisation.",
}
GROUPS: Final[dict[str, tuple[str, ...]]] = {
    "Signing in": ("session.", "sign_in", "second_factor.", "recovery_code", "password.", "account."),
    "Members and roles": ("member.", "invitation.", "organization."),
    "Corpora and walls": (
        "corpus.",
        "folder.",
        "preset.",
        "mapping.",
        "gold_set.",
        "tuning.",
        "classifier.",
        "encoder.",
        "ranker.",
    ),
    "Documents": ("document.",),
    "Questions and answers": ("question.", "answer.", "grades."),
    "API tokens and webhooks": ("token.", "webhook."),
    "Language models": ("llm.", "budget."),
    "Exports": ("audit.", "access."),
    "Operators": ("operator.",),
}
ROLES: Final = {"owner": "owner", "corpus_manager": "corpus manager", "lawyer": "lawyer", "annotator": "annotator"}


class _Details(dict[str, str]):
    """What a row of an older version does not say is told as unknown; nothing here may fail on old rows."""

    def __missing__(self, key: str) -> str:
        return "(unknown)"


def sentence(*, action: str, who: str, what: str, member: str, details: dict[str, Any]) -> str:
    """The row as a sentence.

    Args:
        who: Name of the person who did it.
        what: Name of what it was done to.
        member: Name of the person whom `details` name besides.
        details: The row's own.
    """
    words = {key: ROLES.get(str(value), str(value)) for key, value in details.items()}
    words |= {
        "who": who,
        "what": what,
        "member": member,
        "with_factor": " and a second factor" if details.get("second_factor") else "",
        "wall": "walled to named members" if details.get("is_walled") else "open to the organisation",
        "needed": "needed by everyone" if details.get("is_needed") else "each person's own choice",
    }
    pattern = SENTENCES.get(action, f"{{who}}: {action.replace('.', ' ').replace('_', ' ')}.")
    said = pattern.format_map(_Details(words))
    return said[:1].upper() + said[1:]
