#!/bin/sh
# Draws the diagrams of docs/ from their text: NAME.dot -> NAME.svg, and the bars of layers.svg from the table of
# docs/performance.md. Needs Graphviz and Python (apt-get install graphviz python3).
#
# timeline.svg is not drawn here, because it comes from a run. In the root of the checkout:
#   ./vantage run gemm --m 256 --k 256 --n 256 --blocks --virtual-threads 2 --trace gemm.json
#   docs/diagrams/timeline.py gemm.json docs/diagrams/timeline.svg
# Nor is fields.svg, of which fields.py says how, and pictures of pages, which pages.sh takes.
set -e
cd "$(dirname "$0")"
for source in *.dot; do
  dot -Tsvg "$source" -o "${source%.dot}.svg"
done
./layers.py ../performance.md layers.svg
