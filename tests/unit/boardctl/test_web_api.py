from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

import pytest

from boardctl.requests import _READERS as COMMANDS
from boardctl.web.app import create_app
from boardctl.web.auth import COOKIE
from boardctl.web.settings import WebSettings
from hardware.mock.noise import KNOBS
from tests.support.fake_link import SNAPSHOT, FakeLink, browser

if TYPE_CHECKING:
    from pathlib import Path

    import httpx

TOKEN = "correct-horse-battery"
BEARER = {"authorization": f"Bearer {TOKEN}"}


@pytest.fixture
def settings(tmp_path: Path) -> WebSettings:
    path = tmp_path / "token"
    path.write_text(TOKEN, encoding="utf-8")
    return WebSettings(token_file=path)


def call(
    link: FakeLink, settings: WebSettings, method: str, path: str, **options: Any
) -> httpx.Response:
    async def run() -> httpx.Response:
        async with browser(create_app(link, settings)) as client:
            return await client.request(method, path, **options)

    return asyncio.run(run())


def test_state_is_the_newest_snapshot(settings: WebSettings) -> None:
    answer = call(FakeLink(), settings, "GET", "/api/state")
    assert (answer.status_code, answer.json()) == (200, SNAPSHOT)


def test_leds_are_81_colours(settings: WebSettings) -> None:
    leds = call(FakeLink(), settings, "GET", "/api/leds").json()["leds"]
    assert len(leds) == 81
    assert leds[80] == "#ff8000"


@pytest.mark.parametrize("path", ["/api/state", "/api/leds", "/api/health"])
def test_without_the_board_process_there_is_no_state(settings: WebSettings, path: str) -> None:
    link = FakeLink()
    link.connected = False
    answer = call(link, settings, "GET", path)
    assert answer.status_code == 503
    assert "not running" in answer.json()["error"]


def test_healthz_is_200_only_while_scans_advance(settings: WebSettings) -> None:
    link = FakeLink()

    def status() -> int:
        return call(link, settings, "GET", "/healthz").status_code

    assert status() == 200
    link.health_age_s = 3.5
    assert status() == 503
    link.health_age_s, link.health = 0.1, {"scanning": False}
    assert status() == 503
    link.health = None
    assert status() == 503
    link.health, link.connected = {"scanning": True}, False
    assert status() == 503


def test_metrics_are_prometheus_text(settings: WebSettings) -> None:
    link = FakeLink()
    link.health = {"scan_hz": 200.0, "ready": True, "events": {"ply_shown": 4, "x": "y"}, "t": "z"}
    link.health["reliability"] = [1.0] * 80 + [0.25]
    answer = call(link, settings, "GET", "/metrics")
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    lines = answer.text.splitlines()
    assert "boardctl_up 1.0" in lines
    assert "boardctl_scan_hz 200.0" in lines
    assert "boardctl_ready 1.0" in lines
    assert 'boardctl_events{name="ply_shown"} 4.0' in lines
    assert 'boardctl_reliability{name="i9"} 0.25' in lines
    assert "boardctl_t" not in answer.text
    link.connected = False
    assert "boardctl_up 0.0" in call(link, settings, "GET", "/metrics").text


@pytest.mark.parametrize("headers", [{}, {"authorization": "Bearer wrong-token-here"}])
def test_every_command_needs_the_token(settings: WebSettings, headers: dict[str, str]) -> None:
    for name in COMMANDS:
        link = FakeLink()
        body = {"command": name}
        answer = call(link, settings, "POST", "/api/commands", json=body, headers=headers)
        assert answer.status_code == 401
        assert answer.headers["www-authenticate"] == "Bearer"
        assert link.asked == []


def test_a_command_goes_to_the_board_and_its_answer_comes_back(settings: WebSettings) -> None:
    link = FakeLink()
    body = {"command": "resign", "side": "attackers"}
    answer = call(link, settings, "POST", "/api/commands", json=body, headers=BEARER)
    assert (answer.status_code, answer.json()) == (200, SNAPSHOT)
    assert link.asked == [("command", body)]


def test_the_configuration_is_for_the_operator_alone(settings: WebSettings) -> None:
    link = FakeLink()
    link.answer = (200, {"sections": []})
    assert call(link, settings, "GET", "/api/configuration").status_code == 401
    assert link.asked == []
    answer = call(link, settings, "GET", "/api/configuration", headers=BEARER)
    assert (answer.status_code, answer.json()) == (200, {"sections": []})
    assert link.asked == [("query", {"query": "configuration"})]


def test_the_boards_refusal_is_passed_on(settings: WebSettings) -> None:
    link = FakeLink()
    link.answer = (409, {"error": "no game"})
    answer = call(link, settings, "POST", "/api/commands", json={"command": "undo"}, headers=BEARER)
    assert (answer.status_code, answer.json()) == (409, {"error": "no game"})


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[]", b"1", b"null", b'{"command": 5}', b"{}", b"\xff", b"[" * 15_000]
)
def test_a_malformed_command_is_400(settings: WebSettings, content: bytes) -> None:
    link = FakeLink()
    answer = call(link, settings, "POST", "/api/commands", content=content, headers=BEARER)
    assert answer.status_code == 400
    assert answer.json()["error"]
    assert link.asked == []


def test_too_many_wrong_tokens_are_429(settings: WebSettings) -> None:
    async def run() -> list[int]:
        async with browser(create_app(FakeLink(), settings)) as client:
            wrong = {"authorization": "Bearer guess-guess"}
            answers = [
                await client.post("/api/commands", json={"command": "undo"}, headers=wrong)
                for _ in range(11)
            ]
            return [answer.status_code for answer in answers]

    assert asyncio.run(run()) == [401] * 10 + [429]


def test_the_simulated_board_exists_in_the_demo_alone(settings: WebSettings) -> None:
    link = FakeLink()
    assert call(link, settings, "POST", "/api/sim", json={"lift": "e3"}).status_code == 404
    demo = WebSettings(demo=True)
    assert call(link, demo, "POST", "/api/sim", json={"lift": "e3"}).status_code == 200
    assert link.asked == [("sim", {"lift": "e3"})]
    assert call(link, settings, "GET", "/api/sim").status_code == 404
    assert call(link, demo, "GET", "/api/sim").status_code == 200
    assert link.asked[-1] == ("query", {"query": "noise"})
    assert call(link, demo, "POST", "/api/sim", content=b"[1]").status_code == 400


def test_games_are_asked_of_the_archive(settings: WebSettings) -> None:
    link = FakeLink()
    link.answer = (200, {"games": []})
    assert call(link, settings, "GET", "/api/games").json() == {"games": []}
    assert call(link, settings, "GET", "/api/games/7").status_code == 200
    assert link.asked == [("query", {"query": "games"}), ("query", {"query": "game", "game": 7})]


@pytest.mark.parametrize("game", ["x", "-1", "1.5", "99999999999", "²"])
def test_a_game_that_cannot_be_is_404(settings: WebSettings, game: str) -> None:
    link = FakeLink()
    assert call(link, settings, "GET", f"/api/games/{game}").status_code == 404
    assert link.asked == []


def test_there_are_only_so_many_streams() -> None:
    answer = call(FakeLink(), WebSettings(max_streams=0), "GET", "/api/events")
    assert answer.status_code == 503
    assert answer.headers["retry-after"] == "10"


def test_the_page_learns_what_it_may_offer(settings: WebSettings) -> None:
    def about(app: WebSettings, headers: dict[str, str] | None = None) -> Any:
        return call(FakeLink(), app, "GET", "/api/page", headers=headers).json()

    assert about(settings) == {"demo": False, "operator": False, "visitors": False}
    assert about(settings, BEARER)["operator"] is True
    assert about(WebSettings(demo=True, host="192.0.2.1"))["visitors"] is True


def test_every_variant_is_told_with_its_options(settings: WebSettings) -> None:
    variants = call(FakeLink(), settings, "GET", "/api/variants").json()["variants"]
    by_name = {each["name"]: each["options"] for each in variants}
    assert set(by_name) == {"sea-battle", "market", "imperial", "linnaeus"}
    assert by_name["sea-battle"]["layout"]["allowed"] == ["diamond", "cross"]
    assert by_name["imperial"]["first"]["default"] == "lot"
    assert "3" in by_name["sea-battle"]["repetition_count"]["allowed"]


def test_the_operators_link_becomes_a_cookie(settings: WebSettings) -> None:
    async def run() -> tuple[httpx.Response, Any, int]:
        link = FakeLink()
        async with browser(create_app(link, settings)) as client:
            first = await client.get(f"/operator?token={TOKEN}")
            about = (await client.get("/api/page")).json()
            obeyed = await client.post("/api/commands", json={"command": "undo"})
            return first, about, obeyed.status_code

    first, about, status = asyncio.run(run())
    assert (first.status_code, first.headers["location"]) == (303, "/operator")
    cookie = first.headers["set-cookie"].lower()
    assert cookie.startswith(COOKIE)
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert TOKEN not in cookie
    assert about["operator"] is True
    assert status == 200


def test_a_wrong_link_sets_no_cookie(settings: WebSettings) -> None:
    answer = call(FakeLink(), settings, "GET", "/operator?token=wrong-wrong")
    assert (answer.status_code, answer.headers["location"]) == (303, "/operator?wrong=1")
    assert "set-cookie" not in answer.headers


def test_many_wrong_links_are_429(settings: WebSettings) -> None:
    async def run() -> int:
        async with browser(create_app(FakeLink(), settings)) as client:
            for _ in range(11):
                answer = await client.get("/operator?token=wrong-wrong")
            return answer.status_code

    assert asyncio.run(run()) == 429


def test_the_openapi_document_names_every_route(settings: WebSettings) -> None:
    document = call(FakeLink(), settings, "GET", "/api/openapi.json").json()
    served = {
        "/api/state", "/api/events", "/api/leds", "/api/health", "/api/page", "/api/variants",
        "/api/games", "/api/games/{game}", "/api/configuration", "/api/work", "/api/commands",
        "/api/sim", "/healthz", "/metrics",
    }  # fmt: skip
    assert set(document["paths"]) == served
    snapshot = document["components"]["schemas"]["Snapshot"]
    assert set(snapshot["required"]) == set(SNAPSHOT)
    json.dumps(document)


def test_the_openapi_document_knows_every_games_options(settings: WebSettings) -> None:
    link = FakeLink()
    document = call(link, settings, "GET", "/api/openapi.json").json()
    told = {
        command["properties"]["variant"]["enum"][0]: command["properties"]["options"]["properties"]
        for command in document["components"]["schemas"]["Command"]["oneOf"]
        if command["properties"]["command"]["enum"] == ["set-variant"]
    }
    for variant in call(link, settings, "GET", "/api/variants").json()["variants"]:
        options = told.pop(variant["name"])
        assert set(options) == set(variant["options"])
        for name, option in variant["options"].items():
            assert options[name].get("enum", option["allowed"]) == option["allowed"]
    assert told == {}


def test_the_openapi_document_knows_every_knob(settings: WebSettings) -> None:
    document = call(FakeLink(), settings, "GET", "/api/openapi.json").json()
    hands = document["components"]["schemas"]["Hand"]["anyOf"]
    (told,) = [hand["properties"]["noise"] for hand in hands if "noise" in hand["properties"]]
    bounds = {name: (knob["minimum"], knob["maximum"]) for name, knob in told["properties"].items()}
    assert bounds == {name: (knob.least, knob.most) for name, knob in KNOBS.items()}


def test_the_openapi_document_knows_every_command(settings: WebSettings) -> None:
    document = call(FakeLink(), settings, "GET", "/api/openapi.json").json()
    told = {
        name
        for command in document["components"]["schemas"]["Command"]["oneOf"]
        for name in command["properties"]["command"]["enum"]
    }
    assert told == set(COMMANDS)


def test_a_refusal_is_in_the_browsers_language(settings: WebSettings) -> None:
    link = FakeLink()
    link.answer = (409, {"error": "the game is not paused"})
    headers = {**BEARER, "accept-language": "de-DE,de;q=0.9"}
    body = {"command": "resume"}
    answer = call(link, settings, "POST", "/api/commands", json=body, headers=headers)
    assert answer.json() == {"error": "das Spiel ist nicht angehalten"}


def test_a_self_test_is_told_in_the_visitors_language(settings: WebSettings) -> None:
    link = FakeLink()
    work = {
        "kind": "self-test",
        "task": {"text": "put the piece on {square}", "values": {"square": "e5"}},
        "problems": [{"text": "chip 0x20 does not answer", "values": {}}],
        "notes": [],
    }
    link.answer = (200, {"work": work})
    told = call(link, settings, "GET", "/api/work?lang=da").json()["work"]
    assert told["task"] == "sæt brikken på e5"
    assert told["problems"] == ["chip 0x20 does not answer"]
    headers = {"accept-language": "de"}
    told = call(link, settings, "GET", "/api/work", headers=headers).json()["work"]
    assert told["task"] == "die Figur auf e5 stellen"
    link.answer = (200, {"work": {**work, "task": None}})
    assert call(link, settings, "GET", "/api/work?lang=xx").json()["work"]["task"] == ""
    link.answer = (200, {"work": None})
    assert call(link, settings, "GET", "/api/work").json() == {"work": None}
    assert link.asked[-1] == ("query", {"query": "work"})
