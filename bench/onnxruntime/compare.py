"""compare.py VANTAGE FOLDER [--json]: networks of floats on one core, by `vantage run` and by onnxruntime."""

import json
import subprocess
import sys
import time
from pathlib import Path

import networks
import numpy
import onnxruntime

ROUNDS, RUNS = 3, 8
WANTED = 1.3  # times onnxruntime's time, of transformers


def seconds_of_onnxruntime(session, x):
    times = []
    for _ in range(RUNS):
        begin = time.perf_counter()
        session.run(None, {"x": x})
        times.append(time.perf_counter() - begin)
    return min(times)


def measure(vantage, folder, name):
    model, x_file, y_file = (folder / f for f in ("network.onnx", "x.npy", "y.npy"))
    x = numpy.random.RandomState(2).randn(*networks.write(name, model)).astype(numpy.float32)
    numpy.save(x_file, x)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    expected = session.run(None, {"x": x})[0]
    ours, theirs = [], []
    # In turns, so that what else the machine does disturbs both.
    for _ in range(ROUNDS):
        theirs.append(seconds_of_onnxruntime(session, x))
        command = [vantage, "run", model, "--target", "cpu:", "--threads", "1", "--repeat", str(RUNS), "--json",
                   "--input", x_file, "--output", y_file]
        ours.append(json.loads(subprocess.run(command, check=True, capture_output=True).stdout)["host_ms"]["min"] / 1e3)
        got = numpy.load(y_file)
        error = float(numpy.max(numpy.abs(got - expected)) / numpy.max(numpy.abs(expected)))
        if not error <= 1e-3:
            sys.exit(f"error: {name}: the results differ by {error:.1e} of the largest one")
    return {"network": name, "vantage_ms": 1e3 * min(ours), "onnxruntime_ms": 1e3 * min(theirs),
            "ratio": min(ours) / min(theirs), "error": error}


def main():
    vantage, folder = Path(sys.argv[1]), Path(sys.argv[2])
    as_json = "--json" in sys.argv[3:]
    rows = []
    if not as_json:
        print(f"{'floats on one core':<26}{'vantage':>12}{'onnxruntime':>14}{'ratio':>8}")
    for name in networks.NETWORKS:
        row = measure(vantage, folder, name)
        rows.append(row)
        if not as_json:
            print(f"{name:<26}{row['vantage_ms']:>9.1f} ms{row['onnxruntime_ms']:>11.1f} ms{row['ratio']:>8.2f}",
                  flush=True)
    transformers = [row["ratio"] for row in rows if row["network"] != "ResNet-18"]
    ok = max(transformers) <= WANTED
    if as_json:
        print(json.dumps({"networks": rows, "wanted": WANTED, "ok": ok}, indent=1))
    else:
        print(f"\ntransformers take at most {max(transformers):.2f} of onnxruntime's time, wanted {WANTED}")
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main())
