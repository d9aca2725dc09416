#!/usr/bin/env bash
# browser_test.sh VANTAGE FOLDER: reports in a headless Chromium (browser_test.py, sweep_page_test.py).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../support/browser.sh"
require_browser
rm -rf "$2"
for script in browser_test sweep_page_test; do
  "$python" "$here/$script.py" "$1" "$2"
done
