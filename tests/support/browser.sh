# browser.sh, for tests of pages to source.

# require_browser: sets CHROMIUM, CHROMEDRIVER and `python`, one that has selenium; where there are none it says so and
# exits with 77. packages.txt has what it takes under [browser].
require_browser() {
  CHROMIUM=$(command -v chromium) || skip_browser "there is no chromium"
  CHROMEDRIVER=$(command -v chromedriver) || skip_browser "there is no chromedriver"
  export CHROMIUM CHROMEDRIVER
  # Debian's own, which its package of selenium is for, whatever else is on the PATH.
  python=/usr/bin/python3
  "$python" -c 'import selenium' 2>/dev/null || skip_browser "there is no selenium for $python"
}
skip_browser() {
  echo "SKIPPED: $1"
  exit 77
}
