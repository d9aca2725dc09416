#!/bin/sh
# Takes run_page.png and sweep_page.png: reports as a browser shows them. In the root of the checkout:
#   docs/diagrams/pages.sh docs/diagrams
# Needs Chromium and pngquant (apt-get install chromium pngquant), and some minutes for the sweep.
set -e
to=$(realpath "${1:?usage: docs/diagrams/pages.sh FOLDER}")
vantage=$PWD/vantage
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT

# picture NAME HEIGHT PAGE: what a window of that height shows of the page, once it is drawn.
picture() {
  chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --virtual-time-budget=8000 \
    --window-size=1280,"$2" --screenshot="$1" "file://$PWD/$3"
  pngquant --force --speed 1 --strip --output "$to/$1" 64 "$1"
}

"$vantage" report resnet18 -o run.html
"$vantage" sweep scratchpads --workloads resnet18 --search shared --db scratchpads.sqlite
"$vantage" report scratchpads.sqlite -o sweep.html --x block_rams --y cycles
picture run_page.png 1370 run.html
picture sweep_page.png 1400 sweep.html
