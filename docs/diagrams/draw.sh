#!/bin/sh
# Draws the diagrams of docs/ from their text: NAME.dot -> NAME.svg. Needs Graphviz (apt-get install graphviz).
set -e
cd "$(dirname "$0")"
for source in *.dot; do
  dot -Tsvg "$source" -o "${source%.dot}.svg"
done
