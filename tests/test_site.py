"""The built site in a browser, at desktop and phone width: no overflow, no dead link, search.

It needs Chromium and a site that `make docs` has built; without either it is skipped. The pages
are measured in frames of a page of ours, so no driver of the browser is needed.
"""

from __future__ import annotations

import functools
import http.server
import json
import os
import queue
import shutil
import subprocess
import threading
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

ROOT = Path(__file__).parents[1]
SITE = Path(os.environ.get("XP_TORCH_SITE", ROOT / "site"))
NAMES = ("chromium", "chromium-browser", "google-chrome")
BROWSER = next(filter(None, map(shutil.which, NAMES)), None)
WIDTHS = {"desktop": 1280, "phone": 390}

HARNESS = """<!doctype html><meta charset="utf-8"><body><script>
var pages = PAGES, told = {};
async function measure(page, width, act) {
  var frame = document.createElement("iframe");
  frame.style.cssText = "border:0;height:800px;width:" + width + "px";
  frame.src = page;
  document.body.append(frame);
  await new Promise(function (done) { frame.onload = done; });
  var result = await act(frame.contentDocument);
  frame.remove();
  return result;
}
function overflow(page) {
  var root = page.documentElement;
  return Math.max(root.scrollWidth, page.body.scrollWidth) - root.clientWidth;
}
async function found(page) {
  var query = page.querySelector("input.md-search__input");
  page.querySelector("#__search").checked = true;
  query.focus();
  query.value = WORD;
  for (var turn = 0; turn < 200; turn++) {
    query.dispatchEvent(new page.defaultView.KeyboardEvent("keyup", {key: "e", bubbles: true}));
    query.dispatchEvent(new page.defaultView.Event("input", {bubbles: true}));
    await new Promise(function (done) { setTimeout(done, 100); });
    var links = page.querySelectorAll(".md-search-result__item a");
    if (links.length) { return [].map.call(links, function (a) { return a.href; }); }
  }
  return [];
}
(async function () {
  for (var page of pages) { told[page] = await measure(page, WIDTH, ACT); }
  await fetch("/told", {method: "POST", body: JSON.stringify(told)});
})();
</script></body>
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the built site, to which a page of ours may be added."""
    if not (SITE / "index.html").is_file():
        pytest.skip(f"there is no built site at {SITE}: run `make docs`")
    copy = tmp_path_factory.mktemp("web") / "site"
    shutil.copytree(SITE, copy)
    return copy


class Server(http.server.ThreadingHTTPServer):
    """The site, and a place to which the harness sends what it has measured."""

    def __init__(self, site: Path) -> None:
        self.told: queue.Queue[bytes] = queue.Queue()
        super().__init__(("127.0.0.1", 0), functools.partial(Handler, directory=str(site)))

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class Handler(http.server.SimpleHTTPRequestHandler):
    def do_POST(self) -> None:
        assert isinstance(self.server, Server)
        self.server.told.put(self.rfile.read(int(self.headers["Content-Length"])))
        self.send_response(204)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture(scope="module")
def server(site: Path) -> Iterator[Server]:
    with Server(site) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


def pages(site: Path) -> list[str]:
    found = sorted(p.relative_to(site).as_posix() for p in site.rglob("*.html"))
    return [page for page in found if page not in ("404.html", "harness.html")]


def browse(site: Path, server: Server, names: list[str], width: int, act: str, tmp: Path) -> dict:
    """What a function of the harness says of each page, in a frame of a width."""
    if BROWSER is None:
        pytest.skip("no Chromium here: apt-get install chromium")
    text = HARNESS.replace("PAGES", json.dumps(names)).replace("WIDTH", str(width))
    text = text.replace("ACT", act).replace("WORD", json.dumps("linspace"))
    (site / "harness.html").write_text(text, encoding="utf-8")
    words = [
        BROWSER, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
        f"--user-data-dir={tmp}", "--window-size=1400,900", f"{server.address}/harness.html",
    ]  # fmt: skip
    with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as browser:
        try:
            return json.loads(server.told.get(timeout=500))
        finally:
            browser.terminate()


@pytest.mark.parametrize("width", WIDTHS)
def test_no_page_is_wider_than_its_window(site: Path, server: Server, width: str, tmp_path: Path):
    """Wide tables and code scroll inside the page, the page itself does not."""
    names = pages(site)
    told = browse(site, server, names, WIDTHS[width], "overflow", tmp_path)
    assert set(told) == set(names)
    assert {page: over for page, over in told.items() if over > 0} == {}


def test_the_measure_sees_what_is_too_wide(site: Path, server: Server, tmp_path: Path):
    """A page that is wider than the frame is told by how much."""
    (site / "wide.html").write_text('<div style="width: 500px">wide</div>', encoding="utf-8")
    try:
        told = browse(site, server, ["wide.html"], 390, "overflow", tmp_path)
    finally:
        (site / "wide.html").unlink()
    assert told["wide.html"] >= 500 - 390


def test_search_finds_linspace(site: Path, server: Server, tmp_path: Path):
    """The search of the site leads to the function in both references."""
    told = browse(site, server, ["index.html"], 1280, "found", tmp_path)
    links = " ".join(told["index.html"])
    assert "#numpy_shim.linspace" in links
    assert "#xp_torch.linspace" in links


class Links(HTMLParser):
    """The addresses and the anchors of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.anchors |= {str(given[key]) for key in ("id", "name") if given.get(key)}
        self.links += [str(given[key]) for key in ("href", "src") if given.get(key)]


def test_no_link_is_dead(site: Path):
    """Every link within the site leads to a page, and to an anchor that the page has."""
    read: dict[Path, Links] = {}
    for name in pages(site):
        parser = Links()
        parser.feed((site / name).read_text(encoding="utf-8"))
        read[(site / name).resolve()] = parser
    dead = []
    for page, parser in read.items():
        for link in parser.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc or link.startswith("data:"):
                continue
            target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
            if target.is_dir():
                target /= "index.html"
            anchors = read[target].anchors if target in read else set()
            if not target.exists() or (
                parts.fragment and target in read and unquote(parts.fragment) not in anchors
            ):
                dead.append(f"{page.relative_to(site.resolve())}: {link}")
    assert read
    assert dead == []
