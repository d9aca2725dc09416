#!/usr/bin/env bash
# browser_test.sh VANTAGE FOLDER: reports in a headless Chromium (browser_test.py, sweep_page_test.py). Says so and skips where there is
# none: packages.txt has what it takes under [browser].
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
skip() {
  echo "SKIPPED: $1"
  exit 77
}
CHROMIUM=$(command -v chromium) || skip "there is no chromium"
CHROMEDRIVER=$(command -v chromedriver) || skip "there is no chromedriver"
export CHROMIUM CHROMEDRIVER
# Debian's own, which its package of selenium is for, whatever else is on the PATH.
python=/usr/bin/python3
"$python" -c 'import selenium' 2>/dev/null || skip "there is no selenium for $python"
rm -rf "$2"
for script in browser_test sweep_page_test; do
  "$python" "$here/$script.py" "$1" "$2"
done
