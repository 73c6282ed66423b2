"""Every key of the configuration file: its meaning, unit, bounds and default.

A key is declared once, here; the checks, the commented file of `boardctl config init` and
docs/config.md are made from the declaration.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field


def key(  # noqa: PLR0913  each argument is one column of docs/config.md
    default: object,
    text: str,
    *,
    unit: str = "",
    ge: float | None = None,
    le: float | None = None,
    pattern: str | None = None,
    min_length: int | None = None,
    max_length: int | None = None,
) -> Any:
    """Declare a key: its default, what it does, its unit and its bounds (both included)."""
    return Field(
        default,
        description=text,
        ge=ge,
        le=le,
        pattern=pattern,
        min_length=min_length,
        max_length=max_length,
        json_schema_extra={"unit": unit},
    )


class Section(BaseModel):
    """One table of the file: frozen, and no key that it does not know."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


def _as_tuple(value: object) -> object:
    """TOML knows lists only; frozen sections hold tuples."""
    return tuple(value) if isinstance(value, list) else value


Gpio = Annotated[int, Field(strict=True, ge=0, le=27)]
"""A pin of the 40-pin header by its Broadcom number."""

Whole = Annotated[int, Field(strict=True)]
Flag = Annotated[bool, Field(strict=True)]
Real = Annotated[float, Field(strict=True)]
Texts = Annotated[tuple[str, ...], BeforeValidator(_as_tuple)]


class TableSettings(Section):
    """The table and the game that is played on it."""

    name: str = key(
        "table",
        "Name of this table on the page, in the archive and in metrics.",
        pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$",
        max_length=32,
    )
    variant: str = key(
        "market",
        "The game: sea-battle, market, imperial, linnaeus, or the path of a TOML ruleset.",
        min_length=1,
    )
    options: dict[str, str] = key(
        {},
        "Options of that game by name, as in `boardctl moves --option`; "
        "`boardctl variants VARIANT` lists them.",
    )
    language: Literal["en", "de", "da"] = key("en", "Language of texts about this table.")
    attract_after_s: Real = key(
        300.0,
        "Untouched for so long without a game, the table shows its attract lights; 0 never.",
        unit="s",
        ge=0,
        le=86_400,
    )
    help_after_s: Real = key(
        60.0,
        "Trouble that lasts so long lights the edge, so that an operator sees it from afar.",
        unit="s",
        ge=1,
        le=3600,
    )
    abandon_after_s: Real = key(
        900.0,
        "A game whose board has mostly been cleared is given up after so long without a touch.",
        unit="s",
        ge=10,
        le=86_400,
    )


class SwitchSettings(Section):
    """The 81 reed switches and the MCP23017 chips that read them."""

    driver: Literal["mcp23017", "simulated"] = key(
        "mcp23017", "What reads the switches; `simulated` is the board made of software."
    )
    bus: Whole = key(1, "The I2C bus: N of /dev/i2c-N.", ge=0, le=99)
    wiring: Literal["direct", "matrix"] = key(
        "direct", "`direct`: six chips, a pin a switch; `matrix`: two chips, rows and columns."
    )
    rows: Texts = key(
        (),
        "Matrix only: the pins pulled low one at a time, row 1 first, such as '0x21.A0'. "
        "Empty: A0-A6, B0, B1 of chip 0x21.",
    )
    columns: Texts = key(
        (),
        "Matrix only: the pins read, column a first. Empty: A0-A6, B0, B1 of chip 0x20.",
    )
    map: Texts = key(
        (),
        "The pin of each square a1, b1, ... i9 such as '0x20.A0', or its crossing 'R0C0' in a "
        "matrix; `boardctl calibrate` writes it. Empty: fourteen squares a chip from 0x20 up, "
        "A0-A6 then B0-B6; or R0C0 to R8C8.",
    )
    scan_hz: Real = key(200.0, "Scans of all switches a second.", unit="Hz", ge=10, le=500)
    settle_s: Real = key(
        0.010, "A switch counts as changed when it has held for so long.", unit="s", ge=0, le=0.2
    )
    reset_gpio: Gpio | None = key(None, "Pin wired to the chips' RESET; leave out when it is not.")
    interrupt_gpio: Gpio | None = key(
        None, "Pin wired to the chips' INT, which wakes an idle table; leave out when it is not."
    )
    pieces: str = key(
        "start",
        "Simulated board only: where its pieces stand at first, `start`, `empty`, or squares as "
        "in a trace (hexadecimal, bit 0 is a1).",
        pattern=r"^(start|empty|[0-9a-f]{1,21})$",
    )
    bus_wait_s: Real = key(
        30.0,
        "How long `run` waits at its start for a bus that is not there.",
        unit="s",
        ge=0,
        le=600,
    )


class LedSettings(Section):
    """The 81 lights under the squares."""

    driver: Literal["auto", "neopixel", "spi", "none", "simulated"] = key(
        "auto",
        "`neopixel`: Adafruit's driver; `spi`: the SPI device alone; `auto`: the best for this "
        "Pi; `none`: a table without lights; `simulated`: lights made of software.",
    )
    pin: str = key("D10", "The data pin of `neopixel`.", pattern=r"^D[0-9]{1,2}$")
    spi_device: str = key(
        "/dev/spidev0.0", "The device of `spi`.", pattern=r"^/dev/spidev[0-9]+\.[0-9]+$"
    )
    order: Literal["GRB", "RGB", "GRBW", "RGBW"] = key("GRB", "The order of colours in a light.")
    map: Annotated[
        tuple[Annotated[int, Field(strict=True, ge=0, le=255)], ...], BeforeValidator(_as_tuple)
    ] = key(
        (),
        "The number on the chain of the light under each square a1, b1, ... i9; "
        "`boardctl calibrate` writes it. Empty: as `layout` says.",
    )
    layout: Literal["serpentine", "rows"] = key(
        "serpentine", "How the chain runs: every second line backwards, or all lines alike."
    )
    start: Literal["a1", "i1", "a9", "i9"] = key("a1", "The corner where the chain begins.")
    along: Literal["ranks", "files"] = key(
        "ranks", "Whether its first line runs along the row or the column of that corner."
    )
    prefix: Whole = key(
        0, "Lights at the start of the chain that stay dark (level shifting).", ge=0, le=8
    )
    brightness: Real = key(0.35, "Of full brightness.", ge=0.01, le=1)
    gamma: Real = key(2.2, "Exponent that makes colours look even.", ge=1, le=3.5)
    max_ma: Real = key(
        1500.0, "The current that all lights together may draw.", unit="mA", ge=100, le=6000
    )
    fps: Real = key(30.0, "Pictures a second while something moves.", unit="Hz", ge=5, le=60)
    palette: Literal["default", "deuteranopia", "high-contrast"] = key(
        "default", "The colours of the lights."
    )


class ButtonSettings(Section):
    """Push buttons against ground and the buzzer; all optional."""

    confirm: Gpio | None = key(None, "Pin of the confirm button.")
    new_game: Gpio | None = key(None, "Pin of the new-game button; hold it 2 s.")
    take_back: Gpio | None = key(None, "Pin of the take-back button.")
    hint: Gpio | None = key(None, "Pin of the hint button.")
    shut_down: Gpio | None = key(None, "Pin of the shut-down button; hold it 3 s.")
    buzzer: Gpio | None = key(None, "Pin of the buzzer.")
    bounce_s: Real = key(0.03, "A button counts when it has held so long.", unit="s", ge=0, le=0.5)
    sound: Flag = key(True, "Whether the buzzer sounds.")


class HintSettings(Section):
    """What the lights may tell beyond the rules."""

    moves: Flag = key(True, "Answer the hint button and the page with a sensible move.")
    danger: Flag = key(False, "Warn of a king who could be taken by the next move.")


class ArchiveSettings(Section):
    """Where games are kept."""

    file: str = key("games.db", "The database; a relative path lies in `run.state_dir`.")
    backup_dir: str = key("backup", "Daily copies; relative as above. Empty: no copies.")
    backups: Whole = key(7, "How many daily copies are kept.", ge=1, le=366)
    max_mb: Real = key(
        256.0,
        "The size at which the oldest finished games are dropped.",
        unit="MB",
        ge=1,
        le=65_536,
    )


class WebSettings(Section):
    """The page, served by a process of its own."""

    host: str = key(
        "127.0.0.1",
        "The address to serve on; 0.0.0.0 opens the page to the whole network.",
        min_length=1,
    )
    port: Whole = key(8080, "The port to serve on.", ge=1, le=65_535)
    public_url: str = key(
        "",
        "The page's address as visitors see it, for QR codes and the check of hosts. "
        "Empty: made from host and port.",
        pattern=r"^(https?://[^/\s]+)?/?$",
    )
    token_file: str = key(
        "token", "The operator's token; made when it is missing; relative to `run.state_dir`."
    )


class RunSettings(Section):
    """The process itself."""

    socket: str = key(
        "/run/boardctl/link", "The Unix socket between the board and the page's process."
    )
    state_dir: str = key(
        "/var/lib/boardctl",
        "What must outlive a power cut. Under systemd its STATE_DIRECTORY takes the place of "
        "the default.",
        min_length=1,
    )
    log_level: Literal["debug", "info", "warning", "error"] = key(
        "info", "The least severe lines that are logged."
    )


class Config(Section):
    """The whole file. Read once; only `SIGHUP` between two games reads it again."""

    table: TableSettings = TableSettings()
    switches: SwitchSettings = SwitchSettings()
    leds: LedSettings = LedSettings()
    buttons: ButtonSettings = ButtonSettings()
    hints: HintSettings = HintSettings()
    archive: ArchiveSettings = ArchiveSettings()
    web: WebSettings = WebSettings()
    run: RunSettings = RunSettings()


SECTIONS: Final[dict[str, type[Section]]] = {
    name: field.annotation  # type: ignore[misc]  # pydantic types annotations as type | None
    for name, field in Config.model_fields.items()
}
"""The sections by name, in the order of the file."""
