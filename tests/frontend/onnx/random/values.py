"""Operators element by element, products, folds, norms."""

import numpy as np
from drawing import BOOL, FLOAT, INT32, INT64, Impossible
from registry import operator

PLAIN = ("Abs", "Neg", "Sin", "Cos", "Tanh", "Sigmoid", "Erf", "Relu", "Softplus", "Softsign", "Floor", "Ceil", "Round",
         "Sign", "Atan", "Identity", "HardSwish", "Selu")
WITH_NUMBERS = {"LeakyRelu": ("alpha",), "Elu": ("alpha",), "Celu": ("alpha",), "HardSigmoid": ("alpha", "beta"),
                "ThresholdedRelu": ("alpha",), "Shrink": ("lambd", "bias")}
SINCE = {"HardSwish": 14, "Mish": 18, "Gelu": 20}


@operator(6)
def unary(g):
    x = g.pick()
    op = g.choice(PLAIN + tuple(WITH_NUMBERS) + ("Mish", "Gelu"))
    if g.version < SINCE.get(op, 0):
        raise Impossible
    numbers = {key: float(g.random.uniform(0.1, 1)) for key in WITH_NUMBERS.get(op, ()) if g.flip(0.7)}
    if op == "Gelu" and g.flip():
        numbers["approximate"] = "tanh"
    g.node(op, [x], x.shape, **numbers)


def positive(g, x):
    """Some half and more."""
    return g.node("Add", [g.node("Abs", [x], x.shape), g.constant(np.float32(0.5))], x.shape)


@operator(1)
def of_positive(g):
    x = positive(g, g.pick())
    g.node(g.choice(["Log", "Sqrt", "Reciprocal"]), [x], x.shape)


@operator(0.7)
def exponential(g):
    x = g.pick()
    g.node("Exp", [g.node("Tanh", [x], x.shape)], x.shape)


@operator(0.7)
def power(g):
    x = positive(g, g.pick())
    g.node("Pow", [x, g.constant(g.choice([np.float32(2), np.float32(0.5), np.int64(3), np.float32([1.5])]))], x.shape)


@operator(6)
def binary(g):
    x = g.pick(g.choice([FLOAT, FLOAT, FLOAT, INT64, INT32]))
    y, shape = g.partner(x)
    op = g.choice(["Add", "Sub", "Mul", "Div", "Min", "Max", "Sum", "Mean", "PRelu"])
    if op in ("Sum", "Mean", "PRelu") and x.type != FLOAT:
        raise Impossible
    if op == "Div":
        if x.type != FLOAT:
            y = g.constant(np.array(g.between(1, 4), np.int64 if x.type == INT64 else np.int32))
            shape = x.shape
        else:
            y = positive(g, y)
    if op == "PRelu":
        y = g.constant(g.floats(tuple(1 if g.flip() else size for size in x.shape)))
        g.node(op, [x, y], x.shape)
        return
    pair = [x, y] if g.flip() or op == "Div" else [y, x]
    if op in ("Min", "Max", "Sum", "Mean") and g.flip(0.3):
        pair.append(x)
    g.node(op, pair, shape)


@operator(1)
def modulo(g):
    x = g.pick(g.choice([INT64, INT32]))
    y = g.constant(np.array(g.choice([-3, 2, 5]), np.int64 if x.type == INT64 else np.int32))
    g.node("Mod", [x, y], x.shape, fmod=g.below(2))


@operator(2)
def compare(g):
    x = g.pick(g.choice([FLOAT, FLOAT, INT64, INT32]))
    y, shape = g.partner(x)
    ops = ["Less", "Greater", "LessOrEqual", "GreaterOrEqual"] + ["Equal"] * (x.type != FLOAT)
    g.node(g.choice(ops), [x, y], (shape, BOOL))


@operator(1.5)
def logic(g):
    x = g.pick(BOOL)
    if g.flip(0.3):
        g.node("Not", [x], x.shape)
        return
    y, shape = g.partner(x)
    g.node(g.choice(["And", "Or", "Xor"]), [x, y], shape)


@operator(2)
def where(g):
    x = g.pick(g.choice([FLOAT, FLOAT, INT64]))
    y, shape = g.partner(x)
    condition = g.pick(BOOL, lambda v: len(v.shape) <= len(shape) and
                       all(a in (1, b) for a, b in zip(reversed(v.shape), reversed(shape))))
    g.node("Where", [condition, x, y], (shape, x.type))


@operator(2)
def cast(g):
    x = g.pick(g.choice([FLOAT, INT64, INT32, BOOL]))
    to = g.choice([FLOAT, INT64, INT32, BOOL])
    g.node("Cast", [x], (x.shape, to), to=to)


@operator(2)
def clip(g):
    x = g.pick()
    low = g.constant(np.float32(-g.random.random())) if g.flip(0.8) else None
    high = g.constant(np.float32(g.random.random())) if g.flip(0.8) else None
    g.node("Clip", [x, low, high], x.shape)


@operator(3)
def matmul(g):
    x = g.at_least(1)
    columns = g.between(1, 8)
    depth = x.shape[-1]
    kind = g.below(4)
    if kind == 0 and x.rank >= 2:
        y = g.node("Transpose", [x], x.shape[:-2] + (x.shape[-1], x.shape[-2]),
                   perm=[*range(x.rank - 2), x.rank - 1, x.rank - 2])
        g.node("MatMul", [x, y], x.shape[:-1] + (x.shape[-2],))
    elif kind == 1:
        y = g.constant(g.floats((depth,)))
        g.node("MatMul", [x, y], x.shape[:-1])
    elif kind == 2 and x.rank >= 3:
        y = g.constant(g.floats(tuple(1 if g.flip() else s for s in x.shape[:-2]) + (depth, columns)))
        g.node("MatMul", [x, y], x.shape[:-1] + (columns,))
    else:
        y = g.constant(g.floats((depth, columns)))
        g.node("MatMul", [x, y], x.shape[:-1] + (columns,))


@operator(2)
def gemm(g):
    x = g.of_rank(2)
    a, b = g.below(2), g.below(2)
    rows, depth = (x.shape[1], x.shape[0]) if a else x.shape
    columns = g.between(1, 8)
    inputs = [x, g.constant(g.floats((columns, depth) if b else (depth, columns)))]
    if g.flip(0.7):
        inputs.append(g.constant(g.floats(g.choice([(rows, columns), (columns,), (1, columns), (rows, 1), (1,), ()]))))
    numbers = {key: float(g.random.uniform(0.5, 1.5)) for key in ("alpha", "beta") if g.flip(0.3)}
    g.node("Gemm", inputs, (rows, columns), transA=a, transB=b, **numbers)


@operator(1)
def einsum(g):
    x = g.of_rank(3)
    i, j, k = x.shape
    text, other, made = g.choice([("ijk,kl->ijl", (k, 3), (i, j, 3)), ("ijk,ikl->ijl", (i, k, 2), (i, j, 2)),
                                  ("ijk,ljk->il", (4, j, k), (i, 4)), ("ijk,k->ji", (k,), (j, i)),
                                  ("ijk,ijk->i", (i, j, k), (i,)), ("ijk,jl->kil", (j, 3), (k, i, 3))])
    g.node("Einsum", [x, g.constant(g.floats(other))], made, equation=text)


REDUCTIONS = ("ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd", "ReduceL1", "ReduceL2",
              "ReduceLogSumExp", "ReduceSumSquare", "ReduceLogSum")


@operator(4)
def reduce(g):
    op = g.choice(REDUCTIONS)
    x = g.pick(g.choice([FLOAT, FLOAT, FLOAT, INT32]) if op in ("ReduceSum", "ReduceMax", "ReduceMin") else FLOAT)
    if op == "ReduceProd":
        x = g.node("Tanh", [x], x.shape)
    if op == "ReduceLogSum":
        x = positive(g, x)
    axes = [axis for axis in range(x.rank) if g.flip()]
    keeps = g.below(2)
    shape = tuple(1 if not axes or d in axes else s for d, s in enumerate(x.shape) if keeps or (axes and d not in axes))
    written = [axis - x.rank if g.flip(0.3) else axis for axis in axes]
    as_input = g.version >= (13 if op == "ReduceSum" else 18)
    attributes = {"keepdims": keeps} if not keeps or g.flip() else {}
    if not axes:
        if as_input and g.flip(0.3):
            g.node(op, [x], x.shape, noop_with_empty_axes=1) if op not in ("ReduceLogSum",) else None
            return
        g.node(op, [x], shape, **attributes)
    elif as_input:
        g.node(op, [x, g.integers(written)], shape, **attributes)
    else:
        g.node(op, [x], shape, axes=written, **attributes)


@operator(1)
def arg(g):
    x = g.distinct(g.at_least(1))
    written, axis = g.axis(x)
    keeps = g.below(2)
    shape = tuple(1 if d == axis else s for d, s in enumerate(x.shape) if keeps or d != axis)
    g.node(g.choice(["ArgMax", "ArgMin"]), [x], (shape, INT64), axis=written, keepdims=keeps,
           select_last_index=g.below(2))


@operator(1)
def top_k(g):
    x = g.distinct(g.at_least(1))
    written, axis = g.axis(x)
    k = g.between(1, x.shape[axis])
    shape = tuple(k if d == axis else s for d, s in enumerate(x.shape))
    g.node("TopK", [x, g.integers([k])], shape, (shape, INT64), axis=written, largest=g.below(2))


@operator(1)
def cumulative(g):
    x = g.at_least(1)
    written, axis = g.axis(x)
    g.node("CumSum", [x, g.constant(np.array(written, np.int64))], x.shape, exclusive=g.below(2), reverse=g.below(2))


@operator(2)
def softmax(g):
    x = g.at_least(1)
    written, axis = g.axis(x)
    g.node(g.choice(["Softmax", "Softmax", "LogSoftmax"]), [x], x.shape, axis=written)


@operator(2)
def layer_norm(g):
    x = g.distinct(g.at_least(1))  # of numbers that are all the same the rounding alone is left
    if g.version < 17:
        raise Impossible
    written, axis = g.axis(x)
    inputs = [x, g.constant(g.floats(x.shape[axis:]))]
    if g.flip():
        inputs.append(g.constant(g.floats(x.shape[axis:])))
    g.node("LayerNormalization", inputs, x.shape, axis=written, epsilon=0.1)


@operator(1)
def channel_norm(g):
    x = g.distinct(g.of_rank(g.between(3, 4)))
    c = x.shape[1]
    if g.flip():
        numbers = [g.constant(g.floats((c,))) for _ in range(3)] + [g.constant(g.floats((c,), 0.5, 2))]
        g.node("BatchNormalization", [x, *numbers], x.shape, epsilon=0.01)
    elif g.flip():
        g.node("InstanceNormalization", [x, g.constant(g.floats((c,))), g.constant(g.floats((c,)))], x.shape,
               epsilon=0.1)
    elif g.version >= 21:
        groups = g.choice([n for n in range(1, c + 1) if c % n == 0])
        g.node("GroupNormalization", [x, g.constant(g.floats((c,))), g.constant(g.floats((c,)))], x.shape,
               epsilon=0.1, num_groups=groups)
    elif x.rank == 4:
        g.node("LRN", [x], x.shape, size=g.choice([1, 3, 5]), alpha=0.1, bias=1.5)
