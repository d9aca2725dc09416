"""write_cases.py FOLDER: the ONNX project's own tests of operators, each in a folder of its own: model.onnx, and what
goes in and comes out as NumPy files. case.json has the names, the tolerances, the operators, and what keeps a case from
being written. What goes in as a type that only weights can have becomes some of the model's."""

import json
import sys
import warnings
from pathlib import Path

import numpy as np
import onnx
from onnx.backend.test.case.node import collect_testcases

# As tensors have them here.
TYPES = {np.dtype(name) for name in ("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "float16",
                                     "float32", "float64")}
# As weights can have them beside that.
WEIGHTS = {"int2", "uint2", "int4", "uint4", "float4_e2m1fn", "float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2",
           "float8_e5m2fnuz", "float8_e8m0fnu"}
MISSING = "tensors have no "
# What the importer makes of a type that tensors have too: results come out as another.
WIDENED = {"bfloat16": "bfloat16 is read as float32, and results are of that type"}


def array_of(value):
    """A NumPy array of a value, or a few words on why there is none."""
    if isinstance(value, onnx.TensorProto):
        value = onnx.numpy_helper.to_array(value)
    if value is None or isinstance(value, (list, tuple, dict)):
        return "sequences, maps and optional values are no tensors"
    value = np.asarray(value)
    if value.dtype not in TYPES:
        return WIDENED.get(str(value.dtype), f"{MISSING}{value.dtype}")
    return value


def write(case, folder):
    folder.mkdir()
    entry = {"name": case.name, "rtol": case.rtol, "atol": case.atol, "inputs": [], "outputs": [],
             "operators": sorted({node.op_type for node in case.model.graph.node})}
    inputs, outputs = case.data_sets[0]
    graph = case.model.graph
    for kind, values, infos in (("inputs", inputs, graph.input), ("outputs", outputs, graph.output)):
        for value, info in zip(values, infos):
            array = array_of(value)
            if kind == "inputs" and isinstance(array, str) and array.removeprefix(MISSING) in WEIGHTS:
                graph.initializer.append(value if isinstance(value, onnx.TensorProto)
                                         else onnx.numpy_helper.from_array(value))
                graph.initializer[-1].name = info.name
                entry["has_weights"] = True
                continue
            if isinstance(array, str):
                entry["reason"] = array
                continue
            file = folder / f"{kind[:-1]}_{len(entry[kind])}.npy"
            np.save(file, np.ascontiguousarray(array).reshape(array.shape))
            entry[kind].append(info.name)
    onnx.save(case.model, folder / "model.onnx")
    (folder / "case.json").write_text(json.dumps(entry))


def main():
    warnings.filterwarnings("ignore")
    folder = Path(sys.argv[1])
    for case in collect_testcases(None):
        write(case, folder / case.name)


if __name__ == "__main__":
    main()
