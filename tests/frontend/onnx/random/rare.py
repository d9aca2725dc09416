"""Operators that are rarer, of other types, or of older versions' form."""

import numpy as np
from drawing import BOOL, FLOAT, INT32, INT64, Impossible
from onnx import TensorProto, helper
from registry import operator

DOUBLE, UINT8, INT8 = TensorProto.DOUBLE, TensorProto.UINT8, TensorProto.INT8


def to(g, x, type):
    return g.node("Cast", [x], (x.shape, type), to=type)


@operator(3)
def integer_unary(g):
    x = g.pick(g.choice([INT64, INT32]))
    op = g.choice(["Abs", "Neg", "Sign", "Clip", "Identity"])
    if op == "Clip":
        kind = helper.tensor_dtype_to_np_dtype(x.type)
        g.node(op, [x, g.constant(np.array(-2, kind)), g.constant(np.array(3, kind)) if g.flip() else None], x.shape)
    else:
        g.node(op, [x], x.shape)


@operator(2)
def integer_fold(g):
    x = g.at_least(1, g.choice([INT64, INT32]))
    op = g.choice(["ReduceSum", "ReduceMax", "ReduceMin", "ReduceMean", "ReduceProd", "ReduceSumSquare", "ReduceL1"])
    keeps = g.below(2)
    written, axis = g.axis(x)
    shape = tuple(1 if d == axis else s for d, s in enumerate(x.shape) if keeps or d != axis)
    if op == "ReduceProd":
        x = g.node("Sign", [x], x.shape)
    if g.version >= (13 if op == "ReduceSum" else 18):
        g.node(op, [x, g.integers([written])], shape, keepdims=keeps)
    else:
        g.node(op, [x], shape, axes=[written], keepdims=keeps)


@operator(1)
def integer_division(g):
    x = g.pick(g.choice([INT64, INT32]))
    kind = helper.tensor_dtype_to_np_dtype(x.type)
    g.node("Div", [x, g.constant(np.array(g.choice([-3, -1, 2, 4]), kind))], x.shape)


@operator(1)
def integer_power(g):
    x = g.pick(g.choice([INT64, INT32]))
    kind = helper.tensor_dtype_to_np_dtype(x.type)
    small = g.node("Mod", [x, g.constant(np.array(5, kind))], x.shape)
    g.node("Pow", [small, g.constant(g.choice([np.array(2, kind), np.float32(2), np.int64(3)]))], x.shape)


@operator(2)
def through_double(g):
    """A few calls of 64 bits. Of 16, onnxruntime does not round what is between two calls."""
    x = to(g, g.at_least(1), DOUBLE)
    for _ in range(g.between(1, 2)):
        op = g.choice(["Add", "Mul", "Abs", "Neg", "Tanh", "Sigmoid", "Relu", "MatMul", "ReduceMean", "Softmax"])
        if op in ("Add", "Mul"):
            x = g.node(op, [x, x], x.shape)
        elif op == "MatMul":
            weights = g.constant(g.floats((x.shape[-1], 3)).astype(np.float64))
            x = g.node(op, [x, weights], x.shape[:-1] + (3,))
        elif op == "ReduceMean":
            x = g.node(op, [x], tuple(1 for _ in x.shape))
        elif op == "Softmax":
            x = g.node(op, [x], x.shape, axis=-1)
        else:
            x = g.node(op, [x], x.shape)
    to(g, x, FLOAT)


@operator(1.5)
def bytes_(g):
    """Integers of 8 bits, with and without a sign."""
    type = g.choice([UINT8, INT8])
    base = g.pick(INT32)
    kind = helper.tensor_dtype_to_np_dtype(type)
    inside = g.node("Clip", [base, g.constant(np.array(0, np.int32)), g.constant(np.array(100, np.int32))], base.shape)
    x = to(g, inside, type)
    op = g.choice(["Max", "Min", "Add", "Mul", "Sub"])
    y = g.node(op, [x, g.constant(np.array(g.between(1, 60), kind))], x.shape)
    to(g, y, g.choice([INT32, FLOAT]))


@operator(1)
def bits(g):
    if g.version < 18:
        raise Impossible
    x = g.pick(g.choice([INT64, INT32]))
    if g.flip(0.3):
        g.node("BitwiseNot", [x], x.shape)
        return
    y, shape = g.partner(x)
    g.node(g.choice(["BitwiseAnd", "BitwiseOr", "BitwiseXor"]), [x, y], shape)


@operator(1)
def hardmax(g):
    x = g.distinct(g.at_least(1))
    written, axis = g.axis(x)
    g.node("Hardmax", [x], x.shape, axis=written)


@operator(1)
def other_norms(g):
    x = g.of_rank(4)
    if g.flip():
        written, axis = g.axis(x)
        g.node("LpNormalization", [g.node("Add", [g.node("Abs", [x], x.shape), g.constant(np.float32(0.5))], x.shape)],
               x.shape, axis=written, p=g.between(1, 2))
    else:
        axes = g.choice([[0, 2, 3], [2, 3], [1]])
        if np.prod([x.shape[axis] for axis in axes]) == 1:
            raise Impossible  # of one number there is no variance
        g.node("MeanVarianceNormalization", [g.node("Add", [x, g.constant(g.floats(x.shape))], x.shape)], x.shape,
               axes=axes)


@operator(1)
def scatter_onto(g):
    """What is there joins what comes."""
    x = g.at_least(1)
    if g.version < 16:
        raise Impossible
    how = g.choice(["add", "mul"] + ["max", "min"] * (g.version >= 18))
    written, axis = g.axis(x)
    shape = tuple(g.between(1, size) if d != axis else g.between(1, 6) for d, size in enumerate(x.shape))
    places = g.random.integers(-x.shape[axis], x.shape[axis], shape)
    if g.flip():
        g.node("ScatterElements", [x, g.integers(places), g.constant(g.floats(shape))], x.shape, axis=written,
               reduction=how)
    else:
        rows = g.random.integers(0, x.shape[0], (g.between(1, 5), 1))
        g.node("ScatterND", [x, g.integers(rows), g.constant(g.floats((len(rows), *x.shape[1:])))], x.shape,
               reduction=how)


@operator(1)
def gather_in_batches(g):
    x = g.at_least(2)
    shape = (x.shape[0], g.between(1, 3), 1)
    indices = g.random.integers(0, x.shape[1], shape)
    g.node("GatherND", [x, g.integers(indices)], shape[:-1] + x.shape[2:], batch_dims=1)


@operator(1)
def ties(g):
    """Places of numbers of which several are alike."""
    x = g.at_least(1, g.choice([INT64, INT32]))
    written, axis = g.axis(x)
    if g.flip():
        shape = tuple(s for d, s in enumerate(x.shape) if d != axis)
        g.node(g.choice(["ArgMax", "ArgMin"]), [x], (shape, INT64), axis=written, keepdims=0,
               select_last_index=g.below(2))
    else:
        k = g.between(1, x.shape[axis])
        shape = tuple(k if d == axis else s for d, s in enumerate(x.shape))
        g.node("TopK", [x, g.integers([k])], shape, (shape, INT64), axis=written, largest=g.below(2))


@operator(1)
def known_places(g):
    """Compress and NonZero, of what is known."""
    x = g.at_least(1)
    if g.flip():
        written, axis = g.axis(x)
        keeps = g.random.random(x.shape[axis]) < 0.6
        shape = tuple(int(keeps.sum()) if d == axis else s for d, s in enumerate(x.shape))
        g.node("Compress", [x, g.constant(keeps)], shape, axis=written)
    else:
        pattern = g.random.integers(0, 2, x.shape).astype(np.int64)
        places = g.node("NonZero", [g.integers(pattern)], (x.rank, int(np.count_nonzero(pattern))))
        g.node("GatherND", [x, g.node("Transpose", [places], (places.shape[1], x.rank), perm=[1, 0])],
               (places.shape[1],))


@operator(1)
def recurrent(g):
    op, gates = g.choice([("LSTM", 4), ("GRU", 3), ("RNN", 1)])
    x = g.of_rank(3)
    steps, batch, size = x.shape
    hidden = g.between(1, 4)
    direction = g.choice(["forward", "reverse", "bidirectional"])
    ways = 2 if direction == "bidirectional" else 1
    inputs = [x, g.constant(g.floats((ways, gates * hidden, size))),
              g.constant(g.floats((ways, gates * hidden, hidden))),
              g.constant(g.floats((ways, 2 * gates * hidden))) if op == "GRU" or g.flip() else None]
    attributes = {"linear_before_reset": g.below(2)} if op == "GRU" else {}
    if op == "LSTM" and g.flip(0.3):
        attributes["input_forget"] = 1
    types = [(steps, ways, batch, hidden), (ways, batch, hidden)] + [(ways, batch, hidden)] * (op == "LSTM")
    g.node(op, inputs, *types, hidden_size=hidden, direction=direction, **attributes)


@operator(1)
def loop(g):
    """Rounds of a known number, which add up, and pile up."""
    x = g.pick()
    rounds = g.between(1, 4)
    info = helper.make_tensor_value_info
    names = {key: g.name(key) for key in ("i", "go", "state", "next", "each", "same")}
    body = helper.make_graph(
        [helper.make_node("Add", [names["state"], x.name], [names["next"]]),
         helper.make_node("Tanh", [names["next"]], [names["each"]]),
         helper.make_node("Identity", [names["go"]], [names["same"]])], "body",
        [info(names["i"], INT64, []), info(names["go"], BOOL, []), info(names["state"], x.type, x.shape)],
        [info(names["same"], BOOL, []), info(names["next"], x.type, x.shape), info(names["each"], x.type, x.shape)])
    count, go = g.constant(np.array(rounds, np.int64)), g.constant(np.array(True))
    g.node("Loop", [count, go, x], (x.shape, x.type), ((rounds, *x.shape), x.type), body=body)


@operator(1)
def grid_sample(g):
    x = g.of_rank(4)
    if g.version < 16:
        raise Impossible
    grid = g.constant(g.floats((x.shape[0], 2, 3, 2), -1.3, 1.3))
    modes = ["linear", "nearest", "cubic"] if g.version >= 20 else ["bilinear", "nearest", "bicubic"]
    g.node("GridSample", [x, grid], (*x.shape[:2], 2, 3), mode=g.choice(modes),
           padding_mode=g.choice(["zeros", "border", "reflection"]), align_corners=g.below(2))


@operator(1)
def spectrum(g):
    x = g.of_rank(3)
    if g.version < 17 or g.version >= 20:
        raise Impossible
    axis = g.between(1, 2)
    if x.shape[axis] & (x.shape[axis] - 1):
        raise Impossible  # onnxruntime is four digits right where the length is no power of two
    whole = g.node("Unsqueeze", [x, g.integers([3])], (*x.shape, 1))
    spectrum = g.node("DFT", [whole], (*x.shape, 2), axis=axis)
    # Parts of it are 0 but for rounding, which operators with steps would tell.
    g.node("Add", [spectrum, g.constant(np.float32(0.3))], spectrum.shape)


@operator(1)
def alike(g):
    if g.version < 15:
        raise Impossible
    x, like = g.pick(g.choice([FLOAT, INT64, BOOL])), g.pick(g.choice([FLOAT, INT64, INT32]))
    g.node("CastLike", [x, like], (x.shape, like.type))


@operator(1.5)
def quantized(g):
    x = g.at_least(1)
    kind = g.choice([np.uint8, np.int8])
    if g.flip():
        written, axis = g.axis(x)
        scale, zero = g.floats((x.shape[axis],), 0.01, 0.1), g.random.integers(0, 9, x.shape[axis]).astype(kind)
        attributes = {"axis": written}
    else:
        scale, zero, attributes = np.float32(0.05), np.array(g.between(0, 9), kind), {}
    numbers = [g.constant(scale), g.constant(zero)]
    y = g.node("QuantizeLinear", [x, *numbers], (x.shape, UINT8 if kind == np.uint8 else INT8), **attributes)
    g.node("DequantizeLinear", [y, *numbers], (x.shape, FLOAT), **attributes)


@operator(1)
def sized_convolution(g):
    """A transposed convolution of which the result's size is said."""
    x = g.of_rank(4)
    channels = g.between(1, 3)
    kernel, strides = [g.between(2, 3), g.between(2, 3)], [2, 2]
    weights = g.constant(g.floats((x.shape[1], channels, *kernel)))
    if g.flip():
        shape = [size * 2 for size in x.shape[2:]]
        g.node("ConvTranspose", [x, weights], (x.shape[0], channels, *shape), strides=strides,
               auto_pad=g.choice(["SAME_UPPER", "SAME_LOWER"]))
    else:
        shape = [2 * (size - 1) + k - g.below(2) for size, k in zip(x.shape[2:], kernel)]
        g.node("ConvTranspose", [x, weights], (x.shape[0], channels, *shape), strides=strides, output_shape=shape)


@operator(1)
def losses(g):
    x = g.of_rank(2)
    labels = g.constant(g.random.integers(0, x.shape[1], x.shape[0]).astype(np.int64))
    how = g.choice(["none", "mean", "sum"])
    shape = x.shape[:1] if how == "none" else ()
    inputs = [x, labels] + ([g.constant(g.floats((x.shape[1],), 0.5, 2))] if g.flip() else [])
    op = g.choice(["NegativeLogLikelihoodLoss", "SoftmaxCrossEntropyLoss"])
    g.node(op, inputs, shape, reduction=how)
