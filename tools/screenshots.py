"""Pictures of every page at the widths of a phone, a tablet and a desk, light and dark, in every language.

    python -m tools.screenshots --help

A server is started with a tournament in its store, matches under way and one that is over, and Chromium goes from page
to page. The pictures are named ``<page>-<width>-<theme>-<language>.png``, with another palette ``…-<palette>.png``; git
ignores the folder. A ``sheet-….png`` shows all pictures of a width, light and language side by side. With ``--docs``
only the pictures of README and docs are made again, smaller and cropped.
"""

from __future__ import annotations

import argparse
import base64
import math
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlencode

from PIL import Image
from selenium import webdriver

from ludoteca import agents, games
from ludoteca.catalogues import languages
from ludoteca.learn.curve import Point, Result
from ludoteca.learn.run_folder import RunWriter
from ludoteca.play.match import Match
from ludoteca.protocols import Limit
from tools import league_pages
from tools.page import Somebody, chromium, served

WIDTHS = (390, 820, 1400)
THEMES = ("light", "dark")
PALETTES = ("usual", "contrast", "colour-blind")
HEIGHT = 900
PHONE = 600
"""Below this width boards are drawn for a phone."""
TALLEST = 3600
"""Pixels of a page that are shown; what is further down says nothing new."""
PATIENCE = 90.0
MATCHES = {
    "hex": ("hex:size=11", "astar", 16),
    "horses": ("horses", "minimax", 8),
    "dominoes": ("dominoes", "tumbafichas", 8),
    "kittens": ("kittens", "v2", 6),
}
"""By name a game, who plays it, and after how many actions we look."""
FIXED = {
    "home": "/", "learn": "/learn", "watch": "/watch", "run": "/watch/2", "match": "/watch/2/0?ply=9",
    "edit": "/edit", "document": "/docs/agents/astar", "nowhere": "/nowhere", "advise": "/advise", "solved": "/solved",
    "puzzles": "/puzzles", "puzzle": "/puzzle/dominoes/64",
    "train": "/train", "training": "/training", "training-long": "/training?run=zero-hex-11",
    "training-compared": "/training?run=zero-hex-11&run=zero-hex-11-wide",
}  # fmt: skip
APART = ("dominoes", "kittens")
"""Games in which others look on at a table of two screens."""
AFTER = {"play-over": "review", **{f"apart-{name}": f"look-{name}" for name in APART}}
"""Pages to which only another page leads."""
WAYS_ON = "a[href^='/review'], .invitation input[value*='/look/']"
PARTS = ("play", "replay", "new", "learn", "edit", "advise", "guide")
"""Pages that each game has."""
READY = "return !!window.socket && window.socket.connected && document.fonts.status === 'loaded'"
CLICK = """
const spots = document.querySelectorAll(".spot.legal"), spot = spots[Math.floor(spots.length / 2)];
if (spot) spot.dispatchEvent(new MouseEvent("click", { bubbles: true }));
"""
JUDGED = """
const plot = document.querySelector(".plot"), actions = document.querySelectorAll(".moves button").length - 1;
return !plot || plot.querySelectorAll("circle").length >= actions;
"""
FOLLOWED = {
    "hex": {"game": "hex:size=11", "events": "d4,f6,e7,f5"},
    "horses": {"game": "horses:layout=W@b1/B@g8/+10@c3/-5@f6", "events": "c3,f6"},
    "dominoes": {"start": "hand: 6-6 5-4 3-1 2-2 6-1 4-0 5-0", "events": "6-6@left,draw,6-2@left"},
    "kittens": {"game": "kittens:rules=original", "events": "draw safe,draw common"},
}
"""By game what has been entered on the adviser's page."""
ADVISED = "return !!document.querySelector('.hint') && !document.querySelector('.progress')"
TRAININGS = {"dqn-kittens": 30, "zero-hex-11": 4_000, "zero-hex-11-wide": 2_500}
"""Trainings in the server's folder: how many points their curves have."""
LISTED = "return !!document.querySelector('.match, .stored a, .plot')"
LEAGUE_MATCHES = 150
"""Of a league before a student hands in a second version, and once more before it is photographed."""
DOCS = Path(__file__).parents[1] / "docs" / "web"
CHOSEN = {
    "home": ("home", 1400, "light", "en"),
    "play": ("play-hex", 1400, "light", "en"),
    "phone": ("play-dominoes", 390, "dark", "es"),
    "replay": ("match", 1400, "light", "en"),
    "review": ("review", 1400, "light", "en"),
    "run": ("run", 1400, "dark", "en"),
    "home-es": ("home", 1400, "light", "es"),
    "play-es": ("play-hex", 1400, "light", "es"),
    "replay-es": ("match", 1400, "light", "es"),
    "run-es": ("run", 1400, "light", "es"),
    **{
        f"{name}{suffix}": (page, 1400, "light", language)
        for name, page in (
            ("league", "league-board"), ("league-student", "league-student"), ("league-teacher", "league-teacher")
        )
        for suffix, language in (("", "en"), ("-es", "es"))
    },
}  # fmt: skip
"""By the name under which docs show it a page, its width, light and language."""


def played(game: str, agent: str, count: int, seed: int = 7) -> Match:
    """A match of an agent against itself, after so many actions and with seat 0 on turn, unless it ends before."""
    match = Match(games.game(game), seed)
    players = [agents.agent(agent)(match.game, seat, seed + seat) for seat in (0, 1)]
    while match.turn is not None and (len(match.actions) < count or match.turn != 0):
        if not match.actions and game.startswith("hex"):
            match.play(match.game.parse_action("d4"))  # agents that know no swap would all begin in the middle
            continue
        chosen = players[match.turn].act(match.view(match.turn), Limit(nodes=2_000))
        match.play(chosen if isinstance(chosen, int) else chosen.action)
    return match


def pages(somebody: Somebody) -> dict[str, str]:
    """Every kind of page by name, with the address at which it is; opens the tables that are shown."""
    found = dict(FIXED)
    for name, (game, agent, count) in MATCHES.items():
        match = played(game, agent, count)
        fields = {"seed": str(match.seed), "actions": ".".join(map(str, match.actions))}
        table = somebody.table(game, f"person|{agent}", **fields)
        found[f"play-{name}"] = table.removeprefix(somebody.address)
        query = urlencode({"game": game, **fields, "ply": len(match.actions) - 1}, safe=":,=")
        found |= {f"replay-{name}": f"/replay?{query}"}
        found |= {f"{page}-{name}": f"/{page}/{name}" for page in ("new", "learn", "edit", "guide")}
        found[f"advise-{name}"] = f"/advise/{name}?{urlencode(FOLLOWED[name], safe=':,=@/;')}"
        if name in APART:
            found[f"apart-{name}"] = somebody.table(game, "person|friend").removeprefix(somebody.address)
    over = somebody.table("hex:size=6", "beam|astar", limit="0.1s")
    return found | {"play-over": over.removeprefix(somebody.address)}


class Camera:
    """A browser that photographs pages."""

    def __init__(
        self,
        driver: webdriver.Chrome,
        somebody: Somebody | league_pages.Viewer,
        folder: Path,
        palette: str = "usual",
    ) -> None:
        self.driver, self.somebody, self.folder = driver, somebody, folder
        self.shown: tuple[str, str, str, bool] | None = None
        self.palette = palette
        self.suffix = "" if palette == "usual" else f"-{palette}"

    def prepare(self, found: dict[str, str]) -> None:
        """Lets agents answer at the tables, and the match between two of them come to its end."""
        self.choose("en", "light")
        for name in MATCHES:
            self.play(found[f"play-{name}"])
        for page, leads_to in AFTER.items():
            self.open(found[page])
            self.until(lambda: self.driver.find_elements("css selector", WAYS_ON))
            way = self.driver.find_element("css selector", WAYS_ON)
            address = str(way.get_attribute("href") or way.get_attribute("value"))
            found[leads_to] = address.removeprefix(self.somebody.address)
        self.open(found["review"])
        self.until(lambda: not self.driver.find_elements("css selector", ".review-progress .done"))

    def take(self, found: dict[str, str], page: str, width: int, theme: str, language: str) -> str:
        """One picture; returns its name. A page that stands there already is not loaded again but for a phone."""
        wanted = (page, theme, language, width < PHONE)
        if self.shown != wanted:
            self.choose(language, theme, narrow=width < PHONE)
            self.open(found[page], width)
            self.shown = wanted
        name = f"{page}-{width}-{theme}-{language}{self.suffix}"
        self.shoot(name, width)
        return name

    def choose(self, language: str, theme: str, *, narrow: bool = False) -> None:
        """From now on pages come in this language and light, their boards as wide as a phone or as a desk."""
        self.somebody.lend(self.driver)
        looks = {"language": language, "theme": theme, "narrow": "1" if narrow else "0", "palette": self.palette}
        for name, value in looks.items():
            cookie = {"name": name, "value": value, "url": self.somebody.address}
            self.driver.execute_cdp_cmd("Network.setCookie", cookie)

    def open(self, path: str, width: int = WIDTHS[-1]) -> None:
        """Loads a page and waits until it stands."""
        self._size(width, HEIGHT)
        self.driver.get(self.somebody.address + path)
        self.until(lambda: self.driver.execute_script(league_pages.READY if path.startswith("/league") else READY))
        if path.startswith("/watch"):  # whose lists come a moment later
            self.until(lambda: self.driver.execute_script(LISTED))
        if path.startswith("/training"):
            self.until(lambda: self.driver.find_elements("css selector", ".chart, .match small"))
        if path.startswith("/advise/"):
            self.until(lambda: self.driver.execute_script(ADVISED))
        if path.startswith("/table"):  # at which the engine looks at one position after another
            self.until(lambda: self.driver.execute_script(JUDGED))

    def play(self, path: str) -> None:
        """Plays an action at a table, so that its agent has thought about something."""
        self.open(path)
        before = len(self.driver.find_elements("css selector", ".moves button"))
        self.driver.execute_script(CLICK)
        self.until(lambda: len(self.driver.find_elements("css selector", ".moves button")) > before + 1)

    def until(self, done: Callable[[], object]) -> None:
        """Waits; what does not come in time is photographed as it is."""
        end = time.monotonic() + PATIENCE
        while not done() and time.monotonic() < end:
            time.sleep(0.1)

    def shoot(self, name: str, width: int) -> None:
        """The whole page at this width."""
        self._size(width, HEIGHT)
        height = int(self.driver.execute_script("return document.documentElement.scrollHeight"))
        self._size(width, min(max(height, HEIGHT), TALLEST))  # to capture beyond the window hangs at some pages
        picture = self.driver.execute_cdp_cmd("Page.captureScreenshot", {"format": "png"})["data"]
        (self.folder / f"{name}.png").write_bytes(base64.b64decode(picture))

    def _size(self, width: int, height: int) -> None:
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < PHONE}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)


def _train(state: Path) -> None:
    """Curves as trainings write them, of made-up figures."""
    for name, count in TRAININGS.items():
        zero = name.startswith("zero")
        about = {
            "training": "zero" if zero else "dqn", "command": f"ludoteca train {name}", "total": 500 * count,
            "unit": "positions" if zero else "matches", "settings": {"game": "hex:size=11" if zero else "kittens"},
        }  # fmt: skip
        points = [
            Point(
                500 * at, 30.0 * at, {"policy": 3 / (1 + at / 300), "value": 0.6 + 0.1 * math.sin(at / 40)},
                None if zero else max(0.05, 1 - at / 20),
                {who: Result.of(40 + 55 * at // count, 5, 60 - 55 * at // count) for who in ("astar", "random")}
                if at % (20 if zero else 2) == 0 else {},
            )
            for at in range(1, count + 1)
        ]  # fmt: skip
        with RunWriter(state / "runs" / name, about, points, resumed=False) as writer:
            writer.finish({})


def _prepare(state: Path) -> None:
    _train(state)
    words = ["tournament", "hex:size=7", "random", "astar", "beam", "--matches", "4", "--workers", "1"]
    store = state / "ludoteca" / "arena.sqlite"
    subprocess.run(
        [sys.executable, "-m", "ludoteca.cli", *words, "--store", str(store)],
        check=True, stdout=subprocess.DEVNULL, env=os.environ | {"XDG_STATE_HOME": str(state)},
    )  # fmt: skip


def _for_docs(picture: Path, name: str, width: int) -> None:
    """Cuts a picture to what is seen first, and saves it in few colours: a tenth of its size."""
    with Image.open(picture) as whole:
        shown = whole.crop((0, 0, whole.width, min(whole.height, 860 if width > 600 else 844)))
        scale = 1000 / width if width > 1000 else 1.0
        small = shown.convert("RGB").resize(
            (int(shown.width * scale), int(shown.height * scale)), Image.Resampling.LANCZOS
        )
        small.quantize(192).save(DOCS / f"{name}.png", optimize=True)


Shot = tuple[str, int, str, str]
"""A page, its width, light and language."""
SHEET, THUMBNAIL = 8, (300, 420)
"""Pictures in a row of a sheet, and the most pixels of each."""


def make_sheets(shots: list[Shot], folder: Path, suffix: str) -> None:
    """All pictures of a width, light and language on one sheet, small, to be compared by eye."""
    for width, theme, language in dict.fromkeys(shot[1:] for shot in shots):
        look = f"{width}-{theme}-{language}{suffix}"
        shown = [folder / f"{shot[0]}-{look}.png" for shot in shots if shot[1:] == (width, theme, language)]
        rows = -(-len(shown) // SHEET)
        sheet = Image.new("RGB", (SHEET * (THUMBNAIL[0] + 8), rows * (THUMBNAIL[1] + 8)), "white")
        for at, each in enumerate(shown):
            with Image.open(each) as picture:
                high = min(picture.height, picture.width * THUMBNAIL[1] // THUMBNAIL[0])  # what is seen first
                small = picture.crop((0, 0, picture.width, high)).convert("RGB")
                small.thumbnail(THUMBNAIL, Image.Resampling.LANCZOS)
                sheet.paste(small, (at % SHEET * (THUMBNAIL[0] + 8), at // SHEET * (THUMBNAIL[1] + 8)))
        sheet.save(folder / f"sheet-{look}.png")


def shoot_page(shots: list[Shot], folder: Path, palette: str) -> None:
    """Pictures of the page that `ludoteca serve` opens."""
    if not shots:
        return
    with tempfile.TemporaryDirectory() as temporary, served(Path(temporary)) as address:
        _prepare(Path(temporary))
        somebody = Somebody(address)
        found = pages(somebody)
        with chromium(Path(temporary) / "profile") as driver:
            camera = Camera(driver, somebody, folder, palette)
            camera.prepare(found)
            for shot in shots:
                print(camera.take(found, *shot), flush=True)


def shoot_league(shots: list[Shot], folder: Path, palette: str) -> None:
    """Pictures of a league's page."""
    if not shots:
        return
    with (
        tempfile.TemporaryDirectory() as temporary,
        league_pages.league_served(Path(temporary) / "spring", LEAGUE_MATCHES) as viewers,
        chromium(Path(temporary) / "profile") as driver,
    ):
        for shot in shots:
            print(Camera(driver, viewers[shot[0]], folder, palette).take(league_pages.PAGES, *shot), flush=True)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m tools.screenshots", description="Pictures of every page.")
    parser.add_argument("--folder", type=Path, default=Path("build/screenshots"))
    parser.add_argument("--widths", type=int, nargs="+", default=WIDTHS)
    parser.add_argument("--themes", nargs="+", choices=THEMES, default=THEMES)
    parser.add_argument("--languages", nargs="+", choices=languages(), default=languages())
    parser.add_argument("--palette", choices=PALETTES, default=PALETTES[0])
    parser.add_argument("--pages", nargs="+", help="only those whose names begin so")
    parser.add_argument("--docs", action="store_true", help="only the pictures that README and docs show")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    wanted = [
        (page, width, theme, language)
        for language in given.languages
        for theme in given.themes
        for page in [
            *FIXED,
            *(f"{part}-{game}" for game in MATCHES for part in PARTS),
            *AFTER,
            *AFTER.values(),
            *league_pages.PAGES,
        ]
        for width in given.widths
        if not given.pages or page.startswith(tuple(given.pages))
    ]
    chosen = [
        shot for shot in (CHOSEN.values() if given.docs else wanted)
        if not given.pages or shot[0].startswith(tuple(given.pages))
    ]  # fmt: skip
    shoot_page([shot for shot in chosen if shot[0] not in league_pages.PAGES], given.folder, given.palette)
    shoot_league([shot for shot in chosen if shot[0] in league_pages.PAGES], given.folder, given.palette)
    make_sheets(chosen, given.folder, "" if given.palette == "usual" else f"-{given.palette}")
    if given.docs:
        for name, (page, width, theme, language) in CHOSEN.items():
            if (page, width, theme, language) in chosen:
                _for_docs(given.folder / f"{page}-{width}-{theme}-{language}.png", name, width)


if __name__ == "__main__":
    main()
