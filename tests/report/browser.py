"""What tests of pages share: a headless Chromium, and a page that is open in it."""

import os
import time

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.support.ui import WebDriverWait

failures = []


def check(is_so, what):
    if not is_so:
        failures.append(what)
        print("FAILED:", what)


def open_browser(folder):
    options = Options()
    arguments = ["--headless=new", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
                 "--window-size=1360,1000", "--force-prefers-reduced-motion", f"--user-data-dir={folder}/profile"]
    if os.geteuid() == 0:
        arguments.append("--no-sandbox")  # which root may not use
    for argument in arguments:
        options.add_argument(argument)
    options.binary_location = os.environ["CHROMIUM"]
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(service=Service(os.environ["CHROMEDRIVER"]), options=options)


class Page:
    """A report that is open."""

    def __init__(self, browser, path):
        self.browser, self.name = browser, path.stem
        began = time.time()
        browser.set_window_size(1360, 1000)
        browser.get(path.as_uri())
        WebDriverWait(browser, 60).until(lambda _: self.run("return document.body.dataset.ready"))
        print(f"{self.name}: {path.stat().st_size} bytes, ready after {time.time() - began:.2f} s")
        self.check(self.run("return document.body.dataset.ready") == "yes", "draws itself")
        self.check(self.run("return performance.getEntriesByType('resource').length") == 0, "loads nothing else")
        self.check(path.stat().st_size <= 5_000_000, "has at most 5 MB")

    def check(self, is_so, what):
        check(is_so, f"{self.name}: {what}")

    def run(self, script, *arguments):
        return self.browser.execute_script(script, *arguments)

    def find(self, css):
        return self.browser.find_element("css selector", css)

    def all(self, css):
        return self.browser.find_elements("css selector", css)

    def settle(self):
        """Waits until what was asked for is drawn."""
        self.browser.execute_async_script(
            "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(done));")

    def screenshot(self, folder, what):
        self.settle()
        self.browser.save_screenshot(str(folder / f"{self.name}_{what}.png"))

    def screenshot_of_all(self, folder, what):
        height = self.run("return document.documentElement.scrollHeight")
        self.browser.set_window_size(1360, min(height + 200, 8000))
        self.screenshot(folder, what)
        self.browser.set_window_size(1360, 1000)

    def point(self, css, x, y):
        """Puts the pointer at a place of an element, which is scrolled to first."""
        self.run("document.querySelector(arguments[0]).scrollIntoView({block: 'center'})", css)
        self.settle()
        box = self.run("const b = document.querySelector(arguments[0]).getBoundingClientRect();"
                       "return [b.left, b.top]", css)
        mouse = ActionChains(self.browser)
        mouse.w3c_actions.pointer_action.move_to_location(int(box[0] + x), int(box[1] + y))
        mouse.perform()
        self.settle()

    def overlapping(self, css):
        """Texts of these elements that lie over each other."""
        return self.run("""
            const boxes = [...document.querySelectorAll(arguments[0])].filter((t) => t.textContent)
              .map((t) => [t.textContent, t.getBoundingClientRect()]);
            const found = [];
            for (const [i, [a, p]] of boxes.entries()) {
              for (const [b, q] of boxes.slice(i + 1)) {
                const is_beside = p.left >= q.right - 1 || q.left >= p.right - 1;
                if (!is_beside && p.top < q.bottom - 2 && q.top < p.bottom - 2) found.push(a + " | " + b);
              }
            }
            return found""", css)

    def check_theme(self, folder):
        paper = "return getComputedStyle(document.body).backgroundColor"
        light = self.run(paper)
        self.find("#theme").click()
        self.check(self.run(paper) != light, "has a dark side")
        self.screenshot_of_all(folder, "dark")
        self.find("#theme").click()
        self.check(self.run(paper) == light, "has a light side")

    def check_window(self, sections):
        """That it fits a narrow window, prints, and has numbers only."""
        self.browser.set_window_size(600, 1000)
        self.settle()
        self.check(self.run("return document.documentElement.scrollWidth <= innerWidth"), "fits a narrow window")
        self.browser.set_window_size(1360, 1000)
        pdf = self.browser.execute_cdp_cmd("Page.printToPDF", {"preferCSSPageSize": True})
        self.check(len(pdf["data"]) > 20_000, "prints")
        text = self.find("main").text
        self.check("NaN" not in text and "Infinity" not in text and "undefined" not in text, "has numbers only")
        for section in sections:
            self.check(self.find("#" + section).is_displayed(), f"shows {section}")

    def check_console(self):
        said = self.browser.get_log("browser")
        self.check(said == [], f"says on the console: {said}")


def end():
    print(f"{len(failures)} failures")
    return 1 if failures else 0
