from __future__ import annotations

import hmac
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest

from boardctl.web.auth import Guesses, Operator, TokenFile, Verdict, cookie_value

if TYPE_CHECKING:
    from pathlib import Path

TOKEN = "correct-horse-battery"


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def token_file(tmp_path: Path) -> Path:
    path = tmp_path / "token"
    path.write_text(TOKEN + "\n", encoding="utf-8")
    return path


def operator_of(path: Path | None, clock: Clock | None = None) -> Operator:
    return Operator(TokenFile(path), Guesses(limit=3, window_s=60.0, clock=clock or Clock()))


def test_the_token_in_the_file_is_let_in(token_file: Path) -> None:
    judge = operator_of(token_file).judge
    assert judge("a", f"Bearer {TOKEN}", None) is Verdict.ALLOWED
    assert judge("a", f"bearer  {TOKEN} ", None) is Verdict.ALLOWED


@pytest.mark.parametrize("header", ["", "Bearer", "Bearer wrong", f"Basic {TOKEN}", f"x{TOKEN}"])
def test_anything_else_is_refused(token_file: Path, header: str) -> None:
    assert operator_of(token_file).judge("a", header, None) is Verdict.REFUSED


def test_no_credentials_are_refused_and_are_no_guess(token_file: Path) -> None:
    operator = operator_of(token_file)
    for _ in range(20):
        assert operator.judge("a", None, None) is Verdict.REFUSED
    assert operator.judge("a", f"Bearer {TOKEN}", None) is Verdict.ALLOWED


def test_a_token_that_is_not_ascii_is_refused(token_file: Path) -> None:
    assert operator_of(token_file).judge("a", "Bearer schlüssel", None) is Verdict.REFUSED


def test_the_cookie_is_not_the_token(token_file: Path) -> None:
    operator = operator_of(token_file)
    verdict, cookie = operator.cookie(TOKEN, "a")
    assert verdict is Verdict.ALLOWED
    assert cookie == cookie_value(TOKEN) != TOKEN
    assert operator.judge("a", None, cookie) is Verdict.ALLOWED
    assert operator.judge("a", None, TOKEN) is Verdict.REFUSED
    assert operator.judge("a", f"Bearer {cookie}", None) is Verdict.REFUSED


def test_a_wrong_token_buys_no_cookie(token_file: Path) -> None:
    assert operator_of(token_file).cookie("wrong-token", "a") == (Verdict.REFUSED, "")


@pytest.mark.parametrize(
    "guess", ["x" + TOKEN[1:], TOKEN[:-1] + "x", TOKEN[:8], TOKEN * 50, "completely-different"]
)
def test_every_wrong_secret_is_compared_in_constant_time(
    token_file: Path, monkeypatch: pytest.MonkeyPatch, guess: str
) -> None:
    """None is dropped early by its length or its first letters, as a header or as a cookie."""
    compared: list[tuple[bytes, bytes]] = []

    def compare(given: bytes, expected: bytes) -> bool:
        compared.append((given, expected))
        return hmac.compare_digest(given, expected)

    spy = SimpleNamespace(new=hmac.new, compare_digest=compare)
    monkeypatch.setattr("boardctl.web.auth.hmac", spy)
    operator = operator_of(token_file)
    assert operator.judge("a", f"Bearer {guess}", None) is Verdict.REFUSED
    assert operator.judge("b", None, guess) is Verdict.REFUSED
    assert operator.cookie(guess, "c")[0] is Verdict.REFUSED
    secret, given = TOKEN.encode(), guess.encode()
    cookie = cookie_value(TOKEN).encode()
    assert compared == [(given, secret), (given, cookie), (given, secret)]


def test_wrong_guesses_close_the_door_for_their_address_alone(token_file: Path) -> None:
    clock = Clock()
    operator = operator_of(token_file, clock)
    for _ in range(3):
        assert operator.judge("thief", "Bearer guess", None) is Verdict.REFUSED
    assert operator.judge("thief", f"Bearer {TOKEN}", None) is Verdict.TOO_MANY_GUESSES
    assert operator.judge("owner", f"Bearer {TOKEN}", None) is Verdict.ALLOWED
    clock.now += 60.0
    assert operator.judge("thief", f"Bearer {TOKEN}", None) is Verdict.ALLOWED


def test_the_memory_for_guessers_is_bounded() -> None:
    guesses = Guesses(limit=1, window_s=60.0, clock=Clock())
    for number in range(3000):
        guesses.note(str(number))
    assert not guesses.blocked("0")
    assert guesses.blocked("2999")
    assert len(guesses._wrong) == 1024


def test_a_rotated_token_takes_effect_at_once(token_file: Path) -> None:
    operator = operator_of(token_file)
    _, cookie = operator.cookie(TOKEN, "a")
    other = token_file.with_name("next")
    other.write_text("another-token", encoding="utf-8")
    other.replace(token_file)
    assert operator.judge("a", None, cookie) is Verdict.REFUSED
    assert operator.judge("a", "Bearer another-token", None) is Verdict.ALLOWED


@pytest.mark.parametrize("content", [b"", b"short", b"\xff\xfe\xff\xfe\xff\xfe\xff\xfe\xff"])
def test_a_file_without_a_proper_token_lets_nobody_in(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "token"
    path.write_bytes(content)
    operator = operator_of(path)
    assert operator.judge("a", f"Bearer {content.decode('latin-1')}", None) is Verdict.REFUSED
    assert operator.judge("a", "Bearer ", None) is Verdict.REFUSED


def test_without_a_file_nobody_is_let_in(tmp_path: Path) -> None:
    assert operator_of(None).judge("a", "Bearer x", None) is Verdict.REFUSED
    assert operator_of(tmp_path / "gone").judge("a", "Bearer x", None) is Verdict.REFUSED
