"""write_onnx_corpus.py FOLDER: small ONNX files for the fuzzer to begin from, of the ONNX project's own tests: of every
operator one with each set of attributes. Small integers that go in are constants of the file, since most of them say how
large something is. Needs what tests/frontend/onnx/requirements.txt lists."""

import sys
import warnings
from pathlib import Path

import numpy as np
import onnx
from onnx import helper
from onnx.backend.test.case.node import collect_testcases

MOST_BYTES = 1000
MOST_CONSTANT = 64
# What has these goes in no graph, whatever its operators are.
STRANGE = ("ai.onnx.ml", "ai.onnx.preview.training")


def with_constants(case):
    model = onnx.ModelProto()
    model.CopyFrom(case.model)
    graph = model.graph
    graph.name = "g"
    model.producer_name = ""
    for value, info in zip(case.data_sets[0][0], list(graph.input)):
        array = onnx.numpy_helper.to_array(value) if isinstance(value, onnx.TensorProto) else value
        if isinstance(array, np.ndarray) and array.dtype.kind in "iub" and array.size <= MOST_CONSTANT:
            graph.initializer.append(onnx.numpy_helper.from_array(array, info.name))
            graph.input.remove(info)
    return model


def function_model():
    """One of the file's own functions, which calls another, with an attribute that is handed on."""
    domain = "mine"
    imports = [helper.make_opsetid("", 17), helper.make_opsetid(domain, 1)]
    leaky = helper.make_node("LeakyRelu", ["a"], ["b"])
    attribute = leaky.attribute.add()
    attribute.name, attribute.type, attribute.ref_attr_name = "alpha", onnx.AttributeProto.FLOAT, "slope"
    inner = helper.make_function(domain, "Leaky", ["a"], ["b"], [leaky], imports, ["slope"])
    outer = helper.make_function(domain, "Twice", ["x"], ["z"], [
        helper.make_node("Leaky", ["x"], ["y"], domain=domain, slope=0.5),
        helper.make_node("Leaky", ["y"], ["z"], domain=domain, slope=0.25)], imports)
    floats = [helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, ["n", 3]) for name in "xy"]
    graph = helper.make_graph([helper.make_node("Twice", ["x"], ["y"], domain=domain)], "g", floats[:1], floats[1:])
    return helper.make_model(graph, opset_imports=imports, functions=[inner, outer])


def main():
    warnings.filterwarnings("ignore")
    folder = Path(sys.argv[1])
    smallest = {}
    for case in collect_testcases(None):
        nodes = case.model.graph.node
        if len(nodes) != 1 or nodes[0].domain in STRANGE:
            continue
        key = (nodes[0].op_type, tuple(sorted(a.name for a in nodes[0].attribute)))
        model = with_constants(case)
        if key not in smallest or model.ByteSize() < smallest[key][0].ByteSize():
            smallest[key] = (model, case.name.removeprefix("test_"))
    files = [(model, name) for model, name in smallest.values() if model.ByteSize() <= MOST_BYTES]
    for model, name in [*files, (function_model(), "functions")]:
        (folder / f"{name}.onnx").write_bytes(model.SerializeToString())


if __name__ == "__main__":
    main()
