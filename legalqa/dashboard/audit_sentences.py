"""The audit log in words: one sentence for each act, as a person would tell it."""

from typing import Any, Final

# {who} did it, {what} it was done to; the other names are details of the row.
SENTENCES: Final[dict[str, str]] = {
    "session.started": "{who} signed in by {how}{with_factor}.",
    "session.left": "{who} signed out.",
    "session.ended": "{who} signed out their other browsers ({sessions}).",
    "sign_in.failed": "Someone tried to sign in as {what} with a wrong password, {tries} times.",
    "second_factor.added": "{who} set up a second factor.",
    "second_factor.removed": "{who} removed the second factor of {what}.",
    "second_factor.refused": "Someone who knew the password of {what} entered a wrong code.",
    "recovery_code.used": "{who} signed in with a recovery code; {left} are left.",
    "recovery_codes.renewed": "{who} created new recovery codes.",
    "password.changed": "{who} chose a new password.",
    "sign_in_link.created": "{who} created a one-time sign-in link for {what}.",
    "sign_in_link.used": "{who} used a one-time sign-in link.",
    "account.renewed": "{who} chose a new password to verify that the account is theirs. Ended: second factors "
    "({factors}), API tokens ({tokens}), other sessions.",
    "account.closed": "{who} closed the account of {what}.",
    "account.opened": "{who} reopened the account of {what}.",
    "member.invited": "{who} invited someone as {role}.",
    "invitation.accepted": "{who} accepted an invitation.",
    "invitation.revoked": "{who} withdrew an invitation.",
    "member.joined": "{what} became a member, as {role}.",
    "member.role_changed": "{who} changed the role of {what} from {before} to {after}.",
    "member.removed": "{who} removed {what}; {tokens} of their API tokens were revoked.",
    "organization.created": "{who} created the organisation.",
    "organization.second_factor_needed": "{who} made the second factor {needed}.",
    "token.created": "{who} created an API token.",
    "token.revoked": "{who} revoked an API token.",
    "corpus.created": "{who} created {what}, {wall}.",
    "corpus.renamed": "{who} renamed {what}.",
    "corpus.updated": "{who} saved the settings of {what}, {wall}.",
    "corpus.removal_asked": "{who} scheduled the removal of {what}.",
    "corpus.removal_cancelled": "{who} cancelled the removal of {what}.",
    "corpus.removal_begun": "The removal of {what}, started by {who}, has begun. Documents: {documents}, answers: "
    "{answers}.",
    "corpus.removed": "{who} removed a corpus completely.",
    "corpus.member_added": "{who} added {member} to {what}.",
    "corpus.member_removed": "{who} removed {member} from {what}.",
    "corpus.reindexed": "{who} started a rebuild of the index of {what}, split by {chunker}.",
    "folder.watched": "{who} started watching a folder for documents.",
    "folder.unwatched": "{who} stopped watching a folder.",
    "document.described": "{who} said what {what} is: its kind, jurisdiction or authority.",
    "document.dated": "{who} set the date from which {what} is in effect.",
    "document.uploaded": "{who} uploaded {what}.",
    "document.renamed": "{who} changed the title of {what}.",
    "document.unlocked": "{who} unlocked the encrypted file of {what}.",
    "document.removed": "{who} removed {what}.",
    "document.viewed": "{who} read {what}.",
    "document.downloaded": "{who} downloaded the file of {what}.",
    "mapping.saved": "{who} saved version {number} of the parameter mapping of {what}, for {classes} classes.",
    "mapping.used": "{who} activated version {number} of the parameter mapping of {what}, for {classes} classes.",
    "gold_set.imported": "{who} added a gold set of {questions} questions to {what}.",
    "gold_set.removed": "{who} removed a gold set of {what}.",
    "gold_set.exported": "{who} downloaded a gold set of {what}.",
    "tuning.started": "{who} started tuning the parameter mapping of {what}.",
    "preset.saved": "{who} saved a search preset.",
    "preset.removed": "{who} removed a search preset.",
    "classifier.trained": "{who} started training a question classifier for {what}: {kind}.",
    "classifier.activated": "{who} activated a classifier with {classes} classes in {what}.",
    "classifier.rolled_back": "{who} rolled back the classifier with {classes} classes in {what} to the previous one.",
    "classifier.removed": "{who} removed a classifier of {what}.",
    "encoder.trained": "{who} started training an encoder for {what}, on {questions} questions.",
    "encoder.activated": "{who} switched searches of {what} to another encoder ({encoder}).",
    "encoder.rolled_back": "{who} switched searches of {what} back to the previous encoder ({encoder}).",
    "encoder.removed": "{who} removed an encoder of {what}.",
    "ranker.trained": "{who} started training a ranker for {what}, on {questions} questions.",
    "ranker.activated": "{who} activated a ranker in {what} ({ranker}).",
    "ranker.rolled_back": "{who} rolled back the ranker of {what} to the previous one.",
    "ranker.removed": "{who} removed a ranker of {what}.",
    "question.asked": "{who} asked a question in {what}.",
    "answer.cancelled": "{who} stopped an answer that was being written.",
    "answer.graded": "{who} graded an answer: {grade}.",
    "answer.grade_changed": "{who} changed the grade of an answer from “{before}” to “{after}”.",
    "answer.grade_noted": "{who} edited the note on a grade.",
    "answer.grade_removed": "{who} removed the grade of an answer: {grade}.",
    "grades.exported": "{who} exported {rows} lines of graded answers of {what} for training.",
    "feedback.reviewed": "{who} reviewed a grade in {what}: {outcome}.",
    "threshold.saved": "{who} set the threshold for answers of {what} to {threshold}.",
    "answer.exported": "{who} downloaded the evidence pack or memo of an answer.",
    "conversation.deleted": "{who} deleted a conversation.",
    "conversation.shared": "{who} shared a conversation about {what} with {member}.",
    "conversation.unshared": "{who} stopped sharing a conversation about {what} with {member}.",
    "contradictions.searched": "{who} started a search for contradictions in {what}.",
    "contradiction.reviewed": "{who} marked a contradiction as {state}.",
    "audit.exported": "{who} exported {rows} rows of this log.",
    "access.exported": "{who} exported the table of who can see what.",
    "webhook.created": "{who} created a webhook.",
    "webhook.deleted": "{who} removed a webhook.",
    "webhook.tested": "{who} sent a test to a webhook.",
    "webhook.redelivered": "{who} resent a webhook event.",
    "webhook.secret_renewed": "{who} created a new secret for a webhook.",
    "webhook.failed": "A webhook was switched off, because its address did not answer.",
    "webhook.ended": "A webhook was switched off: the person who set it up may no longer have webhooks here.",
    "webhook.switched_off": "{who} switched a webhook off.",
    "webhook.switched_on": "{who} switched a webhook on.",
    "llm.provider_created": "{who} added a language model provider.",
    "llm.provider_changed": "{who} changed a language model provider.",
    "llm.provider_removed": "{who} removed a language model provider.",
    "llm.model_added": "{who} added a language model, for {role}.",
    "llm.model_changed": "{who} changed the prices of a language model, for {role}.",
    "llm.model_first": "{who} put a language model first, for {role}.",
    "llm.model_removed": "{who} removed a language model, for {role}.",
    "llm.model_tested": "{who} tested a language model.",
    "llm.settings_saved": "{who} changed what language models may do and cost ({fields}).",
    "budget.alerted": "The {budget} budget for language models is 80 % spent.",
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
    "Questions and answers": (
        "question.",
        "answer.",
        "conversation.",
        "grades.",
        "feedback.",
        "threshold.",
        "contradiction",
    ),
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
        "wall": "restricted to named members" if details.get("is_walled") else "open to the organisation",
        "needed": "required for everyone" if details.get("is_needed") else "optional",
    }
    pattern = SENTENCES.get(action, f"{{who}}: {action.replace('.', ' ').replace('_', ' ')}.")
    said = pattern.format_map(_Details(words))
    return said[:1].upper() + said[1:]
