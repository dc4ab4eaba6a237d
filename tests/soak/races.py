"""The same file twenty times at once, in two corpora of each of two organisations: one document a corpus."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from time import monotonic

from tests.faults.environment import Case
from tests.soak.ledger import Ledger, Verdict
from tests.soak.product import Product, installed

AT_ONCE = 20
TAKEN, DUPLICATE = 202, 409


def races_run(*, runs: int, seed: int, is_over: Callable[[], bool], say: Callable[[str], None]) -> None:
    """Do the rounds that are not done yet."""
    ledger, wanted = Ledger("races", seed=seed), [f"round-{n}" for n in range(runs)]
    missing = [key for key in wanted if key not in ledger.runs]
    if missing:
        with installed() as installation:
            product = Product(installation)
            for key in missing:
                if is_over():
                    break
                started = monotonic()
                verdict = _round(product, key)
                ledger.add(key, verdict, seconds=monotonic() - started)
                say(f"races {key}: {'ok' if verdict.is_clean else verdict}")
    ledger.result_write(wanted, uploads_at_once=AT_ONCE, corpora=4)


def _round(product: Product, key: str) -> Verdict:
    tenants = [product.installation.driver.case(f"race-{key}-{which}") for which in ("a", "b")]
    doors = []
    for tenant in tenants:
        second = product.api(tenant, "POST", "corpora/", {"name": "Second"})
        doors += [tenant, Case(tenant.organization, str(second["id"]), tenant.token)]
    with ThreadPoolExecutor(AT_ONCE * len(doors)) as people:
        posted = [(door, people.submit(product.upload, door)) for _ in range(AT_ONCE) for door in doors]
        statuses = [(door, future.result()) for door, future in posted]
    for tenant in tenants:
        product.wait_until_ended(tenant)
    lost = doubled = half = 0
    notes = []
    for door in doors:
        mine = [status for where, status in statuses if where is door]
        documents = product.api(door, "GET", f"corpora/{door.corpus}/documents/")["results"]
        lost += len(documents) < 1
        doubled += len(documents) > 1 or mine.count(TAKEN) > 1
        half += any(document["state"] != "ready" for document in documents)
        if strange := sorted({status for status in mine if status not in (TAKEN, DUPLICATE)}):
            notes.append(f"statuses {strange}")
            lost += 1
    return Verdict(lost, doubled, half, tuple(notes))
