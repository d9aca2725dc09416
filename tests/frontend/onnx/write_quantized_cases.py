"""write_quantized_cases.py FOLDER [SCALE]: networks that onnxruntime quantized, each a file that also holds an
input and what onnxruntime makes of it, without its optimizations. SCALE makes them so many times as wide."""

import logging
import sys
import tempfile
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static

QDQ, OPERATORS = QuantFormat.QDQ, QuantFormat.QOperator
INT8, UINT8 = QuantType.QInt8, QuantType.QUInt8
# How: the form, the activations' type, whether weights have a scale for each output, whether zero points are 0.
FORMS = {
    "qdq_int8_symmetric_by_output": (QDQ, INT8, True, True),
    "qdq_int8": (QDQ, INT8, False, False),
    "qdq_uint8_by_output": (QDQ, UINT8, True, False),
    "operators_uint8": (OPERATORS, UINT8, False, False),
    "operators_int8_symmetric": (OPERATORS, INT8, False, True),
}
node = helper.make_node


class Network:
    def __init__(self, seed):
        self.random = np.random.default_rng(seed)
        self.weights, self.nodes = [], []

    def weight(self, name, *shape, size=None):
        size = size or 1.5 / np.sqrt(np.prod(shape[1:]))
        values = (self.random.standard_normal(shape) * size).astype(np.float32)
        self.weights.append(numpy_helper.from_array(values, name))
        return name

    def number(self, name, value):
        self.weights.append(numpy_helper.from_array(np.array(value), name))
        return name

    def add(self, op, inputs, output, **attributes):
        self.nodes.append(node(op, inputs, [output], name=output, **attributes))
        return output

    def model(self, shape, output, of):
        graph = helper.make_graph(self.nodes, "net", [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)],
                                  [helper.make_tensor_value_info(output, TensorProto.FLOAT, of)], self.weights)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def gemm(n, s):
    n.add("Gemm", ["x", n.weight("w", 6 * s, 8 * s), n.weight("b", 6 * s, size=0.3)], "y", transB=1)
    return n.model([3, 8 * s], "y", [3, 6 * s])


def matmul(n, s):
    n.add("MatMul", ["x", n.weight("w", 8 * s, 5 * s)], "y")
    return n.model([2, 3, 8 * s], "y", [2, 3, 5 * s])


def conv(n, s):
    n.add("Conv", ["x", n.weight("w", 6 * s, 3 * s, 3, 3), n.weight("b", 6 * s, size=0.3)], "c", pads=[1, 0, 1, 1],
          strides=[2, 1])
    n.add("Relu", ["c"], "y")
    return n.model([1, 3 * s, 6, 5], "y", [1, 6 * s, 3, 4])


def pools(n, s):
    n.add("MaxPool", ["x"], "m", kernel_shape=[3, 3], pads=[1, 1, 1, 1])
    n.add("Conv", ["m", n.weight("w", 4 * s, 4 * s, 1, 1)], "c")
    n.add("AveragePool", ["c"], "a", kernel_shape=[2, 2], strides=[2, 2])
    n.add("GlobalAveragePool", ["a"], "y")
    return n.model([1, 4 * s, 6, 6], "y", [1, 4 * s, 1, 1])


def cnn(n, s):
    n.add("Conv", ["x", n.weight("w1", 8 * s, 3, 3, 3), n.weight("b1", 8 * s, size=0.3)], "c1", pads=[1] * 4)
    n.add("Relu", ["c1"], "r1")
    n.add("Conv", ["r1", n.weight("w2", 8 * s, 1, 3, 3), n.weight("b2", 8 * s, size=0.3)], "c2", pads=[1] * 4,
          group=8 * s)
    n.add("Add", ["c2", "r1"], "sum")
    n.add("Relu", ["sum"], "r2")
    n.add("MaxPool", ["r2"], "m", kernel_shape=[2, 2], strides=[2, 2])
    n.add("Conv", ["m", n.weight("w3", 12 * s, 8 * s, 1, 1)], "c3")
    n.add("GlobalAveragePool", ["c3"], "g")
    n.add("Flatten", ["g"], "f")
    n.add("Gemm", ["f", n.weight("w4", 10, 12 * s), n.weight("b4", 10, size=0.3)], "y", transB=1)
    return n.model([1, 3, 8, 8], "y", [1, 10])


def block(n, s):
    rows, heads, depth = 4, 2, 4 * s
    width = heads * depth
    for name in ("scale1", "scale2"):
        n.weights.append(numpy_helper.from_array(np.ones(width, np.float32), name))
    n.number("apart", [1, rows, heads, depth])
    n.number("whole", [1, rows, width])
    n.add("LayerNormalization", ["x", "scale1"], "n1")
    for name, order in (("q", [0, 2, 1, 3]), ("k", [0, 2, 3, 1]), ("v", [0, 2, 1, 3])):
        n.add("MatMul", ["n1", n.weight("w" + name, width, width)], name + "1")
        n.add("Reshape", [name + "1", "apart"], name + "2")
        n.add("Transpose", [name + "2"], name + "3", perm=order)
    n.add("MatMul", ["q3", "k3"], "scores")
    n.add("Mul", ["scores", n.number("by", np.float32(depth ** -0.5))], "scaled")
    n.add("Softmax", ["scaled"], "shares", axis=-1)
    n.add("MatMul", ["shares", "v3"], "o1")
    n.add("Transpose", ["o1"], "o2", perm=[0, 2, 1, 3])
    n.add("Reshape", ["o2", "whole"], "o3")
    n.add("MatMul", ["o3", n.weight("wo", width, width)], "o4")
    n.add("Add", ["o4", "x"], "r1")
    n.add("LayerNormalization", ["r1", "scale2"], "n2")
    n.add("MatMul", ["n2", n.weight("f1", width, 2 * width)], "m1")
    n.add("Add", ["m1", n.weight("b1", 2 * width, size=0.3)], "m2")
    n.add("Relu", ["m2"], "m3")
    n.add("MatMul", ["m3", n.weight("f2", 2 * width, width)], "m4")
    n.add("Add", ["m4", "r1"], "y")
    return n.model([1, rows, width], "y", [1, rows, width])


class Data(CalibrationDataReader):
    def __init__(self, shape, random):
        self.left = [{"x": random.uniform(-1, 1, shape).astype(np.float32)} for _ in range(8)]

    def get_next(self):
        return self.left.pop() if self.left else None


def numbers(array):
    return " ".join([str(list(array.shape)).replace(" ", "")] + [f"{value:.9g}" for value in array.ravel()])


def write(build, form, scale, seed, file):
    random = np.random.default_rng(seed)
    floats = build(Network(seed), scale)
    shape = [d.dim_value for d in floats.graph.input[0].type.tensor_type.shape.dim]
    how, activations, by_output, symmetric = FORMS[form]
    with tempfile.TemporaryDirectory() as folder:
        before, after = f"{folder}/floats.onnx", f"{folder}/model.onnx"
        onnx.save(floats, before)
        # Processors without VNNI saturate sums of two products of uint8 and int8, unless weights have 7 bits.
        quantize_static(before, after, Data(shape, random), quant_format=how, activation_type=activations,
                        weight_type=INT8, per_channel=by_output, reduce_range=(how, activations) == (OPERATORS, UINT8),
                        extra_options={"ActivationSymmetric": symmetric, "WeightSymmetric": True})
        model = onnx.load(after)
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 3
    x = random.uniform(-1, 1, shape).astype(np.float32)
    y = onnxruntime.InferenceSession(model.SerializeToString(), options).run(None, {"x": x})[0]
    # What comes out is integers times the last scale.
    last = next(n for n in reversed(model.graph.node) if n.op_type == "DequantizeLinear")
    step = next(numpy_helper.to_array(t) for t in model.graph.initializer if t.name == last.input[1])
    del model.metadata_props[:]
    for key, value in (("input", numbers(x)), ("output", numbers(y)), ("step", f"{float(step):.9g}")):
        model.metadata_props.add(key=key, value=value)
    onnx.save(model, file)


def main():
    logging.disable(logging.WARNING)
    folder, scale = Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1
    folder.mkdir(parents=True, exist_ok=True)
    for build in (gemm, matmul, conv, pools, cnn, block):
        for form in FORMS:
            write(build, form, scale, 1, folder / f"{build.__name__}_{form}.onnx")


if __name__ == "__main__":
    main()
