#!/bin/sh
# Draws the diagrams of docs/ from their text: NAME.dot -> NAME.svg, and the bars of layers.svg from the table of
# docs/performance.md. Needs Graphviz and Python (apt-get install graphviz python3).
set -e
cd "$(dirname "$0")"
for source in *.dot; do
  dot -Tsvg "$source" -o "${source%.dot}.svg"
done
./layers.py ../performance.md layers.svg
