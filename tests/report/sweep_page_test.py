#!/usr/bin/env python3
"""Opens a page about a sweep in a headless Chromium: hovers, zooms, brushes, filters, takes designs, prints.

sweep_page_test.py VANTAGE FOLDER: makes a small sweep with VANTAGE in FOLDER, and leaves screenshots beside it.
"""

import json
import pathlib
import shutil
import sqlite3
import subprocess
import sys

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select, WebDriverWait

from browser import Page, end, open_browser

SPACE = {
    "base": "default",
    "parameters": {
        "LOG_BLOCK_OUT": {"from": 3, "to": 4},
        "LOG_BUS_WIDTH": {"from": 6, "to": 8},
        "LOG_INP_BUFF_SIZE": [13, 15],
        "LOG_ACC_BUFF_SIZE": [16, 17],
        "CLOCK_MHZ": [100, 150, 200],
        "memory": ["m64", "ddr3"],
    },
    "constraints": ["MACS >= 128"],
}


class SweepPage(Page):
    """A page about a sweep."""

    def settle(self):
        self.browser.execute_async_script(
            "const done = arguments[0]; vantage.drawn().then(() => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def state(self, what):
        return self.run(f"return vantage.state.{what}")

    def shown(self):
        return self.run("return vantage.state.shown.length")

    def count_text(self):
        return self.find("#count").text

    def place_in_scatter(self, design):
        return self.run("return vantage.scatter.place(arguments[0])", design)

    def drag(self, css, from_, to):
        self.point(css, *from_)
        left, top = self.run("const b = document.querySelector(arguments[0]).getBoundingClientRect();"
                             "return [b.left, b.top]", css)
        mouse = ActionChains(self.browser, duration=20)
        mouse.w3c_actions.pointer_action.pointer_down()
        for share in (0.3, 0.6, 1):
            mouse.w3c_actions.pointer_action.move_to_location(
                int(left + from_[0] + share * (to[0] - from_[0])), int(top + from_[1] + share * (to[1] - from_[1])))
        mouse.w3c_actions.pointer_action.pointer_up()
        mouse.perform()
        self.settle()

    def press(self, element):
        """Clicks it, with nothing above it."""
        self.run("arguments[0].scrollIntoView({block: 'center'})", element)
        element.click()
        self.settle()

    def click(self, css, x, y):
        self.point(css, x, y)
        ActionChains(self.browser).click().perform()
        self.settle()

    def axis_value(self, name, design):
        return self.run("return vantage.sweep.by_name.get(arguments[0]).values[arguments[1]]", name, design)


def check_scatter(page, folder):
    tip = page.find("#tip")
    best = page.run("return vantage.state.front[0]")
    x, y = page.place_in_scatter(best)
    page.point("#scatter", x, y)
    page.check(tip.is_displayed() and "CLOCK_MHZ" in tip.text and "cycles" in tip.text,
               f"says of a design its keys and results, not '{tip.text}'")
    page.screenshot(folder, "hover")
    page.point("#scatter", 70, 20)
    page.check(not tip.is_displayed(), "hides the tip again")
    before = page.run("return vantage.scatter.x.domain()")
    page.run("""
        const svg = document.querySelector("#scatter svg"), box = svg.getBoundingClientRect();
        svg.dispatchEvent(new WheelEvent("wheel", { deltaY: -300, clientX: box.left + 300, clientY: box.top + 200,
          bubbles: true, cancelable: true, view: window }))""")
    page.settle()
    after = page.run("return vantage.scatter.x.domain()")
    page.check(after[1] - after[0] < before[1] - before[0], "zooms by the wheel")
    page.press(page.find("#scatter-zoom-all"))
    page.check(page.run("return vantage.scatter.x.domain()") == before, "shows all again")
    Select(page.find("#scatter-x")).select_by_visible_text("block_rams")
    page.settle()
    page.check(page.run("return vantage.state.x.name") == "block_rams", "draws another axis")
    front = page.run("""
        const {x, y, front} = vantage.state;
        return front.map((i) => [x.values[i], y.values[i]])""")
    page.check(len(front) > 0 and front == sorted(front, key=lambda p: (p[0], -p[1])), "has a front that falls")
    everything = page.run("""
        const {x, y} = vantage.state;
        return Array.from(vantage.sweep.valid, (i) => [x.values[i], y.values[i]])""")
    beaten = [p for p in front
              if any(q[0] <= p[0] and q[1] <= p[1] and (q[0] < p[0] or q[1] < p[1]) for q in everything)]
    page.check(beaten == [], f"has designs on the front that others beat: {beaten}")
    Select(page.find("#scatter-colour")).select_by_visible_text("LOG_BUS_WIDTH")
    page.settle()
    page.check([item.text for item in page.all("#scatter-key .item")] == ["6", "7", "8"], "says what its colours mean")
    page.screenshot(folder, "coloured")
    Select(page.find("#scatter-colour")).select_by_visible_text("all alike")
    places = "return Array.from(vantage.state.front, (i) => vantage.scatter.place(i)[1])"
    before = page.run(places)
    page.press(page.find("#log-y"))
    page.check(page.find("#log-y").get_attribute("aria-pressed") == "true" and page.run(places) != before,
               "has a logarithmic axis")
    page.press(page.find("#log-y"))
    page.check(page.run(places) == before, "has a linear one again")
    page.press(page.find("#front th:nth-child(3) button"))
    values = [float(cell.text) for cell in page.all("#front tbody td:nth-child(3)")]
    page.check(len(values) > 1 and values == sorted(values), "sorts the front")
    page.press(page.find("#front th:nth-child(3) button"))
    values = [float(cell.text) for cell in page.all("#front tbody td:nth-child(3)")]
    page.check(values == sorted(values, reverse=True), "sorts it the other way")
    Select(page.find("#scatter-x")).select_by_visible_text("CLOCK_MHZ")
    page.settle()
    page.check(page.run("return vantage.state.front.length") == 0, "has no front of keys")
    Select(page.find("#scatter-x")).select_by_visible_text("luts")
    page.settle()


def check_filters(page, folder):
    whole = page.shown()
    page.check(page.count_text() == f"{whole} of {whole} designs", "says how many there are")
    # Brushes in the plot, and along an axis
    page.drag("#scatter", (120, 120), (400, 380))
    some = page.shown()
    page.check(some < whole and page.count_text() == f"{some} of {whole} designs", "filters where one drags")
    page.check(len(page.all("#active-filters button")) == 2, "says which filters there are")
    page.press(page.find("#clear-all"))
    page.check(page.shown() == whole, "clears filters")
    axis = page.run("const c = vantage.parallel.columns.find((c) => c.axis.name === 'CLOCK_MHZ'); return [c.x, c.y(150)]")
    page.drag("#parallel", (axis[0], axis[1] - 20), (axis[0], axis[1] + 20))
    clocks = page.run("return [...new Set(Array.from(vantage.state.shown,"
                      "(i) => vantage.sweep.by_name.get('CLOCK_MHZ').values[i]))]")
    page.check(clocks == [150], f"filters along an axis, not {clocks}")
    listed = [cell.text for cell in page.all("#front tbody tr td:first-child")]
    page.check(len(listed) == page.run("return vantage.state.front.length") > 0, "lists the front of what is left")
    page.screenshot(folder, "filtered")
    page.press(page.find("#active-filters button"))
    page.check(page.shown() == whole, "takes one filter away")
    page.check(page.run("return d3.brushSelection(vantage.parallel.columns.find("
                        "(c) => c.axis.name === 'CLOCK_MHZ').node.node())") is None, "takes its brush away, too")
    # Choices and ranges
    choice = page.find("#filters [aria-label=memory] button")
    page.press(choice)
    page.check(choice.get_attribute("aria-pressed") == "false" and page.shown() == whole / 2, "filters by choices")
    field = page.find("#filters [aria-label='ms, to']")
    middle = page.run("const v = Array.from(vantage.state.shown, (i) => vantage.sweep.by_name.get('ms').values[i]);"
                      "return d3.median(v)")
    field.send_keys(str(middle), Keys.ENTER)
    page.settle()
    page.check(0 < page.shown() < whole / 2, "filters by numbers")
    page.press(page.find("#clear-all"))
    field = page.find("#filters [aria-label='ms, from']")
    field.send_keys("1e9", Keys.ENTER)
    page.settle()
    page.check(page.shown() == 0 and page.count_text().startswith("0 of"), "draws nothing where nothing is left")
    page.press(page.find("#clear-all"))


def check_designs(page, folder, tool, folder_of_files):
    front = page.run("return vantage.state.front")
    page.click("#scatter", *page.place_in_scatter(front[0]))
    a = page.state("pins")[0]
    page.check(a >= 0 and page.axis_value("ms", a) == page.axis_value("ms", front[0]), "takes a design by a click")
    # The JSON that is shown is a configuration, and has the cycles that the page says
    config = page.find(".file .config pre").text
    path = folder_of_files / "taken.json"
    path.write_text(config)
    memory = page.run("return JSON.stringify(vantage.sweep.memory_of(arguments[0]))", a)
    memory_path = folder_of_files / "memory.json"
    memory_path.write_text(memory)
    run = subprocess.run([tool, "run", "gemm", "--m", "32", "--k", "48", "--n", "64", "--config", str(path), "--memory",
                          str(memory_path), "--json"], check=True, stdout=subprocess.PIPE)
    cycles = json.loads(run.stdout)["cycles"]
    page.check(cycles == page.axis_value("cycles", a), f"shows JSON that runs in as many cycles, not {cycles}")
    page.press(page.find(".file .config button"))
    page.check(page.find(".file .config button").text in ("Copy", "Copied"), "copies")
    # B, from the front
    rows = page.all("#front tbody tr")
    page.press(rows[-1])
    page.check(rows[-1].get_attribute("aria-selected") == "true", "marks a row that was taken")
    pins = page.state("pins")
    page.check(pins[0] == a and pins[1] == front[-1], "takes a second design")
    heads = [cell.text for cell in page.all("#side-by-side th")]
    page.check(heads == ["", "A", "B", "B to A"], f"puts both beside each other, not {heads}")
    differing = {cell.text.split()[0] for cell in page.all("#side-by-side tr.differs td:first-child")}
    for name in ("LOG_BUS_WIDTH", "CLOCK_MHZ", "cycles", "luts"):
        differs = page.axis_value(name, pins[0]) != page.axis_value(name, pins[1])
        page.check((name in differing) == differs, f"marks {name} if it differs")
    layers = page.all("#compared-layers tbody tr")
    page.check(len(layers) == 1 and "gemm" in layers[0].text, "puts layers beside each other")
    heads = [cell.text for cell in page.all("#compared-layers th")]
    page.check({"energy A", "energy B", "energy B to A"} <= set(heads), f"has energy layer by layer, not {heads}")
    energy = page.all("#compared-layers tbody td")[heads.index("energy A")].text
    page.check(energy.endswith("J") and page.axis_value("energy_mj", pins[0]) > 0, f"says how much, not '{energy}'")
    page.screenshot_of_all(folder, "taken")
    page.press(page.find("#swap"))
    page.check(page.state("pins") == [pins[1], pins[0]], "swaps")
    # Another workload: the same designs, more layers
    Select(page.find("#workload")).select_by_index(1)
    page.settle()
    WebDriverWait(page.browser, 20).until(lambda _: len(page.all("#compared-layers tbody tr")) > 1)
    layers = [row.text for row in page.all("#compared-layers tbody tr")]
    page.check(len(layers) > 3 and any("conv1" in text for text in layers), f"has a network's layers, not {layers}")
    page.press(page.find("#forget"))
    page.check(page.state("pins") == [-1, -1], "forgets")
    # A line between two axes
    place = page.run("""
        const i = vantage.state.shown[0], [a, b] = vantage.parallel.columns.slice(-2);
        return [(a.x + b.x) / 2, (a.y(a.axis.values[i]) + b.y(b.axis.values[i])) / 2]""")
    page.click("#parallel", *place)
    page.check(page.state("pins")[0] >= 0, "takes a design by its line")


def check_failures(page):
    page.check(page.count_text() == "0 of 0 designs", "has designs that failed")
    page.check("no room" in page.find("#without").text, "says why they failed")
    said = page.find("#nothing").text
    page.check("No design has results" in said and "designs failed" in said, f"says that none has results, not '{said}'")
    page.check(not page.find("#scatter").is_displayed(), "draws no empty plot")
    Select(page.find("#workload")).select_by_index(1)
    page.settle()
    WebDriverWait(page.browser, 20).until(lambda _: page.shown() > 0)
    page.check(page.find("#scatter").is_displayed() and not page.find("#nothing").is_displayed(), "draws them")
    page.check((page.state("x.name"), page.state("y.name")) == ("luts", "ms"), "draws them by area and time")
    page.check(len(page.all("#parallel .column")) > 3, "has axes for them")
    page.click("#scatter", *page.place_in_scatter(page.run("return vantage.state.shown[0]")))
    Select(page.find("#workload")).select_by_index(0)
    page.settle()
    page.check(page.shown() == 0, "goes back")


def check_nothing(page):
    said = page.find("#nothing").text
    page.check("not run to the end" in said and "goes on" in said, f"says that nothing is finished, not '{said}'")
    for css in ("#scatter", "#parallel", "#filters", "#designs-section"):
        page.check(not page.find(css).is_displayed(), f"leaves {css} out")


def check_one(page):
    page.check(page.count_text() == "1 of 1 design", f"counts one design, not '{page.count_text()}'")
    page.check("1 design on" in page.find("#setup").text, "says that it is one")
    page.check((page.state("x.name"), page.state("y.name")) == ("luts", "ms"), "draws it by area and time")
    page.check(not page.find("#parallel").is_displayed(), "draws no axes on which nothing differs")


def main():
    tool, folder = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    space, database = folder / "space.json", folder / "small.sqlite"
    space.write_text(json.dumps(SPACE))
    subprocess.run([tool, "sweep", str(space), "--workloads", "gemm:32x48x64,lenet", "--db", str(database)], check=True,
                   stdout=subprocess.DEVNULL)
    path = folder / "sweep.html"
    subprocess.run([tool, "report", str(database), "-o", str(path), "--energy", "45nm"], check=True, stdout=subprocess.DEVNULL)
    failed, failed_path = folder / "failed.sqlite", folder / "failed.html"
    shutil.copy(database, failed)
    with sqlite3.connect(failed) as connection:
        connection.execute("UPDATE programs SET cycles = NULL, error = 'no room for ' || core WHERE task = "
                           "(SELECT MIN(task) FROM layers)")
    connection.close()
    subprocess.run([tool, "report", str(failed), "-o", str(failed_path)], check=True, stdout=subprocess.DEVNULL)
    # Nothing has been run yet, and one design alone
    nothing, one = folder / "nothing", folder / "one"
    single = folder / "one.json"
    single.write_text(json.dumps({"parameters": {"CLOCK_MHZ": [100]}}))
    subprocess.run([tool, "sweep", str(single), "--workloads", "gemm:32x48x64", "--db", f"{one}.sqlite"], check=True,
                   stdout=subprocess.DEVNULL)
    shutil.copy(f"{one}.sqlite", f"{nothing}.sqlite")
    with sqlite3.connect(f"{nothing}.sqlite") as connection:
        connection.execute("UPDATE layers SET program = NULL")
    connection.close()
    for name in (nothing, one):
        subprocess.run([tool, "report", f"{name}.sqlite", "-o", f"{name}.html"], check=True, stdout=subprocess.DEVNULL)
    browser = open_browser(folder)
    try:
        page = SweepPage(browser, path)
        page.screenshot_of_all(folder, "light")
        check_scatter(page, folder)
        check_filters(page, folder)
        check_designs(page, folder, tool, folder)
        for css in ["#scatter .axis text", "#parallel .axis text"]:
            found = page.overlapping(css)
            page.check(found == [], f"has texts over each other: {found[:3]}")
        page.check_theme(folder)
        page.check(page.find("#without-section").is_displayed(), "counts what is no design")
        page.check_window(["scatter", "parallel", "filters", "sweeps"])
        page.check_console()
        page = SweepPage(browser, failed_path)
        check_failures(page)
        page.check_console()
        for name, check in ((nothing, check_nothing), (one, check_one)):
            page = SweepPage(browser, pathlib.Path(f"{name}.html"))
            check(page)
            page.screenshot_of_all(folder, "all")
            page.check_console()
    finally:
        browser.quit()
    sys.exit(end())


main()
