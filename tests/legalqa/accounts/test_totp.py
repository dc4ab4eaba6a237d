"""The arithmetic of the second factor, against the test vectors of RFC 6238 and a picture that is read back."""

import base64
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from legalqa.accounts.totp import (
    BORDER,
    provisioning_uri,
    qr_picture,
    recovery_code_digest,
    recovery_codes_new,
    secret_new,
    step_matching,
)

RFC_SECRET = base64.b32encode(b"12345678901234567890").decode()
# Appendix B, SHA-1: seconds since 1970, and the last six of the eight digits printed there.
VECTORS = [
    (59, "287082"),
    (1111111109, "081804"),
    (1111111111, "050471"),
    (1234567890, "005924"),
    (2000000000, "279037"),
    (20000000000, "353130"),
]


def moment(seconds: int) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)


@pytest.mark.parametrize(("seconds", "code"), VECTORS)
def test_the_codes_are_those_of_the_standard(seconds: int, code: str) -> None:
    assert step_matching(secret=RFC_SECRET, code=code, at=moment(seconds)) == seconds // 30


@pytest.mark.parametrize(("skew", "is_right"), [(-61, False), (-30, True), (0, True), (30, True), (61, False)])
def test_a_clock_may_be_half_a_minute_off_and_no_more(skew: int, is_right: bool) -> None:
    at = moment(1234567890) + timedelta(seconds=skew)

    assert (step_matching(secret=RFC_SECRET, code="005924", at=at) is not None) == is_right


@pytest.mark.parametrize("code", ["", "00592", "0059240", "00592a", "٠٠٥٩٢٤", "-05924", "005 925", "\x00" * 6])
def test_what_is_no_code_of_the_moment_matches_no_step(code: str) -> None:
    assert step_matching(secret=RFC_SECRET, code=code, at=moment(1234567890)) is None


def test_blanks_in_a_code_are_looked_over() -> None:
    assert step_matching(secret=RFC_SECRET, code=" 005 924 ", at=moment(1234567890)) is not None


def test_secrets_are_long_and_never_the_same() -> None:
    secrets = {secret_new() for _ in range(200)}

    assert len(secrets) == 200
    assert {len(base64.b32decode(secret)) for secret in secrets} == {20}


def test_the_app_is_told_issuer_and_account() -> None:
    uri = provisioning_uri(secret=RFC_SECRET, account="ada@example.org")

    assert uri.startswith("otpauth://totp/LegalQA:ada%40example.org?")
    assert f"secret={RFC_SECRET}" in uri
    assert "issuer=LegalQA" in uri


def test_the_picture_paints_exactly_the_dark_modules_inside_a_quiet_border() -> None:
    import segno

    text = provisioning_uri(secret=RFC_SECRET, account="ada@example.org")
    picture = qr_picture(text)
    painted = set()
    for run in picture.path.split("M")[1:]:
        start, _, rest = run.partition("h")
        x, y = map(int, start.split())
        painted |= {(x + i, y) for i in range(int(rest.partition("v")[0]))}

    matrix = list(segno.make(text, error="m", micro=False).matrix)
    dark = {(x + BORDER, y + BORDER) for y, row in enumerate(matrix) for x, value in enumerate(row) if value}
    assert painted == dark
    assert picture.size == len(matrix) + 2 * BORDER


def test_ten_recovery_codes_can_be_typed_in_any_spelling() -> None:
    codes = recovery_codes_new()

    assert len(set(codes)) == 10
    assert not set("".join(codes)) & set("ilo01")
    first = codes[0]
    spellings = [first, first.upper(), first.replace("-", ""), f" {first.replace('-', ' ')} "]
    assert len({recovery_code_digest(user_id=7, code=spelling) for spelling in spellings}) == 1
    assert recovery_code_digest(user_id=8, code=first) != recovery_code_digest(user_id=7, code=first)


@given(st.text(max_size=60))
def test_any_text_as_a_code_is_only_a_wrong_code(text: str) -> None:
    assert step_matching(secret=RFC_SECRET, code=text, at=moment(1)) in (None, 0, 1)
    assert len(recovery_code_digest(user_id=1, code=text)) == 64
