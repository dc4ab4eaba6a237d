"""Words too common to find anything by, for each language; words that decide law stay out of the lists.

"not", "no", "any", "all", "may", "shall", "must", "before", "after", "without" and "under" are kept
searchable: BM25 weighs them down by itself, and "shall not" against "may" is what the reader asks about.
"""


def word_set(text: str) -> frozenset[str]:
    """The words of a list that is written as text."""
    return frozenset(text.split())


STOP_WORDS: dict[str, frozenset[str]] = {
    language: word_set(text)
    for language, text in {
        "english": """
            a an and are as at be been being but by can could did do does doing for from had has have having
            he her hers him his how i if in into is it its itself me my of on or our ours she so some such
            than that the their theirs them then there these they this those to too very was we were what
            when where which who whom whose why will with would you your yours
        """,
        "german": """
            aber als am an auch auf aus bei bin bis da das dass dem den der des die dies diese dieser dieses
            doch du durch ein eine einem einen einer eines er es für hat haben hatte ich ihr ihre im in ist
            ja mit nach noch nun nur ob oder sich sie sind so über um und uns von vor war was wenn wer wie
            wir wird wurde zu zum zur
        """,
        "french": """
            à au aux avec ce ces cet cette dans de des du elle en est et été être eu il ils je la le les
            leur leurs lui ma mais me mes mon nos notre nous on ont ou par pour qu que qui sa se ses son
            sont sur ta te tes toi ton tu un une vos votre vous y c d j l m n s t
        """,
        "spanish": """
            a al como con cual de del el ella ellas ellos en entre era es esa ese eso esta este esto fue ha
            han la las le les lo los me mi muy o para pero por porque que quien se ser si son su sus te tu
            un una uno y ya yo
        """,
        "italian": """
            a ad ai al alla alle allo anche che chi ci come con da dal dalla degli dei del della delle dello
            di e è ed gli ha hanno i il in io la le lei lo loro lui ma mi nei nel nella o per più quale
            questa questo se si sono su sua sue sui sul sulla suo tra un una uno c d l s v
        """,
        "dutch": """
            aan al als bij dan dat de der deze die dit door een en er had heb heeft het hij hoe hun ik in is
            je kan maar me met mijn na naar nog nu of om onze ook op over te tot u uit van voor was wat we
            wie wij wordt zal ze zich zij zijn zo
        """,
        "portuguese": """
            a ao aos as com como da das de do dos e é ela ele eles em entre era essa esse esta este eu foi
            há isso isto já lhe mais mas me meu na nas no nos o os ou para pela pelas pelo pelos por qual
            que quem se ser seu seus sua suas são te um uma você
        """,
    }.items()
}
