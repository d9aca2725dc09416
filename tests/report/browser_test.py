#!/usr/bin/env python3
"""Opens reports in a headless Chromium, as a reader would: draws, hovers, zooms, filters, sorts, prints.

browser_test.py VANTAGE FOLDER: makes reports with VANTAGE in FOLDER, and leaves screenshots beside them.
"""

import pathlib
import subprocess
import sys

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from browser import Page, end, open_browser

class RunPage(Page):
    """A page about a run."""

    def hover(self, x, y):
        """At a place of the timeline's canvas."""
        self.point("#timeline canvas", x, y)

    def colours(self):
        """How many the timeline has."""
        return self.run("""
            const c = document.querySelector("#timeline canvas");
            const data = new Uint32Array(c.getContext("2d").getImageData(0, 0, c.width, c.height).data.buffer);
            return new Set(data).size""")

    def view(self):
        return self.run("const v = vantage.timeline.view(); return [v.from, v.to]")


def check_timeline(page, folder):
    page.check(page.colours() > 8, "has colours on its timeline")
    whole = page.view()

    # An instruction in the middle: its text appears where the pointer is.
    insn = page.run("""
        const list = vantage.instructions.of_engine[2];
        const i = list[list.length >> 1];
        vantage.timeline.show(vantage.instructions.began[i] - 200, vantage.instructions.ended[i] + 200);
        const { y, track } = vantage.timeline.places.find(({ track }) => track.engine === 2);
        const x = vantage.timeline.view().x((vantage.instructions.began[i] + vantage.instructions.ended[i] + 1) / 2);
        return [x, y + track.height / 2, vantage.instructions.assembly(i)]""")
    page.hover(insn[0], insn[1])
    tip = page.find("#tip")
    assembly = " ".join(insn[2].split())
    page.check(tip.is_displayed() and assembly in tip.text, f"says '{assembly}' where it lies, not '{tip.text}'")
    page.check("issued" in tip.text and "works" in tip.text, "says when an instruction was worked on")
    page.screenshot(folder, "hover")
    page.hover(40, 5)
    page.check(not tip.is_displayed(), "hides the tip again")

    # A stage says what it does.
    stage = page.run("const p = vantage.timeline.places.find(({ track }) => track.group === 'Stages');"
                     "return p.y + p.track.height / 2")
    page.hover(600, stage)
    page.check("waits for a token" in tip.text, f"says what a stage does, not '{tip.text}'")

    # Wheel and keys.
    timeline = page.find("#timeline")
    page.run("vantage.timeline.show(0, vantage.report.timeline.cycles)")
    page.settle()
    page.run("""
        const canvas = document.querySelector("#timeline canvas"), box = canvas.getBoundingClientRect();
        canvas.dispatchEvent(new WheelEvent("wheel", { deltaY: -400, clientX: box.left + 700, clientY: box.top + 60,
          bubbles: true, cancelable: true }))""")
    page.settle()
    near = page.view()
    page.check(near[1] - near[0] < whole[1] - whole[0], "zooms by the wheel")
    timeline.send_keys("0")
    page.settle()
    page.check(abs(page.view()[1] - whole[1]) < 1, "shows all again")
    timeline.send_keys("+++")
    page.settle()
    before = page.view()
    page.check(before[1] - before[0] < 0.2 * (whole[1] - whole[0]), "zooms by keys")
    timeline.send_keys(Keys.ARROW_RIGHT)
    page.settle()
    page.check(page.view()[0] > before[0], "pans by keys")
    timeline.send_keys("n")
    first = page.find("#timeline-readout").text
    timeline.send_keys("n")
    second = page.find("#timeline-readout").text
    page.check("instruction #" in first and first != second, "goes from instruction to instruction")
    timeline.send_keys(Keys.ARROW_DOWN)
    page.check(page.find("#timeline-readout").text != second, "goes to another engine")
    page.find("#zoom-all").click()

    # Filters.
    height = page.run("return vantage.timeline.height")
    queues = [b for b in page.all("#timeline-groups button") if b.text == "Queues"][0]
    queues.click()
    page.check(queues.get_attribute("aria-pressed") == "false", "says that queues are hidden")
    page.check(page.run("return vantage.timeline.height") < height, "hides queues")
    queues.click()
    page.check(page.run("return vantage.timeline.height") == height, "shows queues again")
    gemm = [b for b in page.all("#timeline-kinds button") if b.text == "gemm"][0]
    gemm.click()
    page.settle()
    page.check(gemm.get_attribute("aria-pressed") == "false", "says that an instruction is hidden")
    gemm.click()


def check_layout(page):
    for css in ["#roofline .axis text", "#bytes text", "#stages text", "#what-ifs text", "#schedule .axis text"]:
        found = page.overlapping(css)
        page.check(found == [], f"has texts over each other: {found[:3]}")
    page.check_window(["numbers", "roofline", "config"])


def check_table(page):
    def column(number):
        return [cell.text for cell in page.all(f"#layers tbody td:nth-child({number})")]

    heads = [head.text for head in page.all("#layers th")]
    cycles = heads.index("cycles") + 1
    button = page.find(f"#layers th:nth-child({cycles}) button")
    button.click()
    values = [int(text.replace(",", "")) for text in column(cycles) if text]
    page.check(len(values) > 3 and values == sorted(values, reverse=True), "sorts by cycles")
    button.click()
    values = [int(text.replace(",", "")) for text in column(cycles) if text]
    page.check(values == sorted(values), "sorts the other way")
    page.check(page.find(f"#layers th:nth-child({cycles})").get_attribute("aria-sort") == "ascending", "says how")
    energies = [text for text in column(heads.index("energy") + 1) if text]
    page.check(len(energies) > 3 and all(text.endswith("J") for text in energies), f"has energies, not {energies}")
    field = page.find("#layers-filter")
    field.send_keys("CONV2D")
    page.check(len(column(1)) > 1 and all("conv" in text for text in column(2)), "filters")
    for _ in range(6):
        field.send_keys(Keys.BACKSPACE)
    whole = page.view()
    row = [row for row in page.all("#layers tbody tr") if "conv2" in row.text][0]
    row.click()
    page.settle()
    page.check(row.get_attribute("aria-selected") == "true", "chooses a layer")
    page.check(page.view()[1] - page.view()[0] < whole[1] - whole[0], "shows a layer that was chosen")
    page.check(page.find("#selection").is_displayed(), "says what holds a layer back")
    row.send_keys(Keys.ENTER)
    page.check(row.get_attribute("aria-selected") == "false", "chooses by keys")
    page.hover(300, page.run("const p = vantage.timeline.places[0]; return p.y + p.track.height / 2"))
    ActionChains(page.browser).click().perform()
    page.check(len(page.all("#layers tr[aria-selected=true]")) == 1, "chooses a layer of the timeline")


def main():
    tool, folder = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
    folder.mkdir(parents=True, exist_ok=True)

    def report(name, *words):
        path = folder / f"{name}.html"
        subprocess.run([tool, *words, "--html", str(path)], check=True, stdout=subprocess.DEVNULL)
        return path

    tiny_blocks = ["--block-m", "8", "--block-k", "16", "--block-n", "16", "--virtual-threads", "1"]
    paths = {
        "gemm": report("gemm", "run", "gemm", "--m", "128", "--k", "300", "--n", "70"),
        "many": report("many", "run", "gemm", "--m", "64", "--k", "1024", "--n", "1024", *tiny_blocks),
        "lenet": report("lenet", "run", "lenet", "--config", "8x8", "--memory", "ddr3", "--energy", "45nm"),
        "untimed": report("untimed", "run", "gemm", "--target", "fsim:"),
        "floats": report("floats", "run", "lenet", "--target", "cpu:"),
    }
    browser = open_browser(folder)
    try:
        for name, path in paths.items():
            page = RunPage(browser, path)
            page.screenshot_of_all(folder, "light")
            if name in ("gemm", "many", "lenet"):
                check_timeline(page, folder)
                check_layout(page)
                page.check_theme(folder)
            else:
                page.check(not page.find("#timeline-section").is_displayed(), "has no timeline where nothing was told")
            if name == "lenet":
                check_table(page)
            page.check_console()
    finally:
        browser.quit()
    sys.exit(end())


main()
