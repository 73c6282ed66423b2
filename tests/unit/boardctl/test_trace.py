"""The trace format: what is read, what is refused, and that writing and reading agree."""

from __future__ import annotations

import io
import json

import pytest

from boardctl.trace import Header, Sample, Trace, TraceError, TraceWriter, read_trace, write_trace
from engine import Side
from hardware.cells import CellSet, Frame, Instant

HEADER = '{"format":"boardctl-trace/1","variant":"market","first":"defenders","scan_ms":5}'


def lines(*rest: str) -> list[str]:
    """A trace with these lines after its header."""
    return [HEADER, *rest]


def test_the_example_of_the_format_is_read() -> None:
    trace = read_trace(
        lines(
            '{"t":0,"cells":"380804223ff888402038"}',
            '{"t":3805,"cells":"380800223ff888402038","colour":"ignored"}',
            '{"t":3810,"cells":"0","unknown":"3fff"}',
            '{"t":91210,"end":true}',
        )
    )
    assert trace.header == Header("market", Side.DEFENDER, 5)
    assert [sample.t_ms for sample in trace.samples] == [0, 3805, 3810]
    assert trace.samples[0].frame == Frame(CellSet(0x380804223FF888402038))
    assert trace.samples[2].frame == Frame(CellSet(0), CellSet(0x3FFF))
    assert trace.end_ms == 91210


def test_a_header_may_name_options_and_another_start() -> None:
    header = {
        "format": "boardctl-trace/1",
        "variant": "sea-battle",
        "options": {"layout": "cross"},
        "position": "/9/9/9/9/4K4/9/9/9/9/",
        "side": "attackers",
    }
    found = read_trace([json.dumps(header), '{"t":0,"cells":"0"}']).header
    assert found.options == {"layout": "cross"}
    assert found.position == "/9/9/9/9/4K4/9/9/9/9/"
    assert found.side is Side.ATTACKER
    assert found.first is None


def test_a_recording_cut_off_ends_with_its_last_frame() -> None:
    assert read_trace(lines('{"t":0,"cells":"1"}', '{"t":700,"cells":"3"}')).end_ms == 700


@pytest.mark.parametrize(
    ("text", "number", "problem"),
    [
        ([], 1, "empty"),
        (["[]"], 1, "not a JSON object"),
        (['{"format":"boardctl-trace/2"}'], 1, "format"),
        (['{"format":"boardctl-trace/1"}'], 1, "variant"),
        ([HEADER.replace("defenders", "whites"), '{"t":0,"cells":"0"}'], 1, "'whites'"),
        ([HEADER.replace('"scan_ms":5', '"scan_ms":0'), '{"t":0,"cells":"0"}'], 1, "scan_ms"),
        ([HEADER.replace('"scan_ms":5', '"options":3'), '{"t":0,"cells":"0"}'], 1, "options"),
        ([HEADER.replace('"scan_ms":5', '"position":3'), '{"t":0,"cells":"0"}'], 1, "position"),
        ([HEADER], 1, "no frame"),
        ([HEADER, '{"t":0,"cells":"0"}', '{"t":5,"cells":"0'], 3, "not JSON"),
        ([HEADER, '{"t":9,"cells":"0"}', '{"t":5,"cells":"0"}'], 3, "earlier"),
        ([HEADER, '{"cells":"0"}'], 2, "milliseconds"),
        ([HEADER, '{"t":true,"cells":"0"}'], 2, "milliseconds"),
        ([HEADER, '{"t":NaN,"cells":"0"}'], 2, "milliseconds"),
        ([HEADER, '{"t":0}'], 2, "neither"),
        ([HEADER, '{"t":0,"cells":"xyz"}'], 2, "'xyz'"),
        ([HEADER, '{"t":0,"cells":"-1"}'], 2, "81 bits"),
        ([HEADER, '{"t":0,"cells":"fffffffffffffffffffffff"}'], 2, "81 bits"),
        *[
            ([HEADER, f'{{"t":0,"cells":"{it}"}}'], 2, "81 bits")
            for it in ("0x1f", "1_0", "+1", "٣", "")
        ],
        ([HEADER, '{"t":0,"cells":"0","unknown":7}'], 2, "unknown"),
        ([HEADER, "[" * 100_000], 2, "nested"),
        (['{"a":' * 100_000], 1, "nested"),
        ([HEADER, '{"t":%s,"cells":"0"}' % ("9" * 400)], 2, "100 days"),
        ([HEADER, '{"t":0,"cells":"0"}', '{"t":8640000001,"end":true}'], 3, "100 days"),
        ([HEADER.replace(":5}", ":1e999}"), '{"t":0,"cells":"0"}'], 1, "scan_ms inf"),
        ([HEADER.replace(":5}", ":1e-300}"), '{"t":0,"cells":"0"}'], 1, "scan_ms 1e-300"),
        ([HEADER, '{"t":0,"cells":"0"}', '{"t":1,"end":true}', "{}"], 4, "after the end"),
    ],
)
def test_a_damaged_line_is_named(text: list[str], number: int, problem: str) -> None:
    with pytest.raises(TraceError, match=problem) as caught:
        read_trace(text, "game.jsonl")
    assert caught.value.line == number
    assert str(caught.value).startswith(f"game.jsonl: line {number}: ")


def test_blank_lines_are_ignored_and_counted() -> None:
    with pytest.raises(TraceError) as caught:
        read_trace([HEADER, "", '{"t":0,"cells":"0"}', "  ", "oops"])
    assert caught.value.line == 5


def test_what_is_written_is_read_back() -> None:
    header = Header("imperial", Side.ATTACKER, 5, {"no_move": "draw"}, "/9/", Side.DEFENDER)
    samples = (Sample(0, Frame(CellSet(5))), Sample(12.5, Frame(CellSet(1), CellSet(6))))
    trace = Trace(header, samples, 900)
    out = io.StringIO()
    write_trace(out, trace)
    assert read_trace(out.getvalue().splitlines()) == trace


def test_a_live_recording_keeps_changes_only() -> None:
    out = io.StringIO()
    writer = TraceWriter(out, Header("market", Side.DEFENDER, 5), Instant(100.0))
    writer.frame(Frame(CellSet(3)), Instant(100.0))
    writer.frame(Frame(CellSet(3)), Instant(100.005))
    writer.frame(Frame(CellSet(2), CellSet(1)), Instant(100.01))
    writer.end(Instant(101.0))
    assert out.getvalue().splitlines() == [
        HEADER,
        '{"t":0,"cells":"3"}',
        '{"t":10,"cells":"2","unknown":"1"}',
        '{"t":1000,"end":true}',
    ]
