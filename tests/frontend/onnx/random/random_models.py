"""random_models.py PROGRAM FOLDER COUNT SEED: random small models, by PROGRAM and by onnxruntime. Of each that differs
the smallest part that still does is saved in FOLDER/failures, as a file and as text."""

import collections
import concurrent.futures
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import onnx
import onnx.printer

sys.path.insert(0, str(Path(__file__).parent.parent))
import movement  # noqa: F401  its operators, as of the others
import rare  # noqa: F401
import reference
import values  # noqa: F401
import windows  # noqa: F401
from cases import write_case
from drawing import draw
from registry import OPERATORS
from shrink import shrink

AT_A_TIME, CANDIDATES_AT_A_TIME = 100, 10


def run_program(program, folder):
    """What it says of each case, by name: nothing where that passed. A share of the cases for each processor."""
    names = sorted(case.name for case in folder.iterdir())
    shares = [names[first::os.cpu_count()] for first in range(os.cpu_count())]
    said = {}
    with concurrent.futures.ThreadPoolExecutor() as pool:
        run = lambda share: subprocess.run([program, folder, *share], capture_output=True, text=True)
        for share, ran in zip(shares, pool.map(run, filter(None, shares))):
            for line in ran.stdout.splitlines():
                name, verdict, *more = line.split("\t")
                said[name] = "" if verdict == "passed" else "\t".join([verdict, *more])
            for name in share:
                said.setdefault(name, f"the program ended with {ran.returncode}: {ran.stderr[-2000:]}")
    return said


def empty(folder):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def kind_of(said):
    """A failure without its names and numbers: a smaller model that fails otherwise is another failure."""
    said = re.sub(r"(node|that makes) [^:]*", "", said)
    said = re.sub(r"(output) \d+ (has|is) .*", r"\1 \2", said)
    return re.sub(r"[\d.]+", "", said)[:60]


def write_if_sound(model, inputs, case):
    """Whether onnxruntime runs it, and other numbers than its own would tell of a mistake."""
    if not all(np.isfinite(value).all() for value in inputs.values()):
        return False
    data = model.SerializeToString()
    try:
        result = reference.expected(data, inputs)
    except Exception:
        return False
    if result:
        write_case(case, data, inputs, result[0], 0.0, result[1])
    return result is not None


def save(program, folder, name, model, inputs, said):
    """Shrinks a failure and keeps it: the path of its folder."""

    def wrong(candidates):
        candidates = [candidate for candidate in candidates if candidate]
        for first in range(0, len(candidates), CANDIDATES_AT_A_TIME):
            scratch = empty(folder / "shrinking")
            some = candidates[first:first + CANDIDATES_AT_A_TIME]
            written = [write_if_sound(*candidate, scratch / str(i)) for i, candidate in enumerate(some)]
            results = run_program(program, scratch)
            for i, candidate in enumerate(some):
                if written[i] and kind_of(results[str(i)]) == kind_of(said):
                    return candidate
        return None

    model, inputs = shrink(model, inputs, reference.run, wrong)
    case = folder / "failures" / name
    write_if_sound(model, inputs, case)
    text = onnx.printer.to_text(model)
    for key, value in (*inputs.items(), *reference.run(model.SerializeToString(), inputs).items()):
        text += f"\n{key} = {value!r}"
    (case / "model.txt").write_text(text + "\n")
    return case


def main():
    program, folder, count, seed = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
    empty(folder / "failures")
    compared, drawn, failures, operators = 0, 0, 0, collections.Counter()
    refused = collections.Counter()
    while compared < count:
        models = {}
        cases = empty(folder / "cases")
        while len(models) < min(AT_A_TIME, count - compared):
            name = f"{seed}_{drawn}"
            model, inputs = draw(np.random.default_rng([seed, drawn]), OPERATORS)
            drawn += 1
            data = model.SerializeToString()
            try:
                result = reference.expected(data, inputs)
            except Exception as error:
                refused[re.sub(r"[\\d]+", "N", str(error))[:100]] += 1
                continue
            if result is None:
                refused["too sensitive, or no numbers"] += 1
                continue
            write_case(cases / name, data, inputs, result[0], 0.0, result[1])
            models[name] = model, inputs
            operators.update({node.op_type for node in model.graph.node})
        said = run_program(program, cases)
        for name, (model, inputs) in models.items():
            if said[name]:
                failures += 1
                print(f"FAILED: {name}: {said[name]}", flush=True)
                smallest = save(program, folder, name, model, inputs, said[name])
                print(f"  the smallest part of it: {smallest}", flush=True)
        compared += len(models)
    print(f"{compared} models of {len(operators)} operators, seed {seed}: {failures} differ from onnxruntime's results")
    print(f"{drawn - compared} more were not compared: " +
          "; ".join(f"{number} {reason}" for reason, number in refused.most_common()))
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
