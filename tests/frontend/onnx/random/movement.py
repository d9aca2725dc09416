"""Operators that move elements, what computes shapes, and branches that are known."""

import math

import numpy as np
from drawing import BOOL, FLOAT, INT32, INT64, Impossible
from onnx import TensorProto, helper
from registry import operator

ANY = (FLOAT, FLOAT, FLOAT, INT64, INT32)


def anything(g, rank=0):
    return g.at_least(rank, g.choice(ANY))


def factored(g, count):
    """A shape of so many elements."""
    shape = []
    while count > 1 and len(shape) < 4:
        factor = g.choice([n for n in range(1, min(count, 12) + 1) if count % n == 0])
        shape.append(factor)
        count //= factor
    return tuple(shape + [count])


@operator(3)
def reshape(g):
    x = anything(g)
    shape = factored(g, x.size)
    written = list(shape)
    if g.flip():
        written[g.below(len(written))] = -1
    for d, size in enumerate(written):
        if size != -1 and d < x.rank and x.shape[d] == size and g.flip():
            written[d] = 0
    g.node("Reshape", [x, g.integers(written)], shape)


@operator(1)
def flatten(g):
    x = anything(g, 1)
    axis = g.below(x.rank + 1)
    shape = (math.prod(x.shape[:axis]), math.prod(x.shape[axis:]))
    g.node("Flatten", [x], shape, axis=axis - x.rank if axis < x.rank and g.flip(0.3) else axis)


@operator(3)
def transpose(g):
    x = anything(g, 1)
    order = [int(d) for d in g.random.permutation(x.rank)]
    if g.flip(0.2):
        g.node("Transpose", [x], tuple(reversed(x.shape)))
    else:
        g.node("Transpose", [x], tuple(x.shape[d] for d in order), perm=order)


@operator(1.5)
def unsqueeze(g):
    x = anything(g)
    rank = x.rank + g.between(1, 2)
    new = sorted(int(d) for d in g.random.choice(rank, rank - x.rank, replace=False))
    rest = iter(x.shape)
    shape = tuple(1 if d in new else next(rest) for d in range(rank))
    g.node("Unsqueeze", [x, g.integers([d - rank if g.flip(0.3) else d for d in new])], shape)


@operator(1.5)
def squeeze(g):
    x = g.pick(g.choice(ANY), lambda v: 1 in v.shape)
    ones = [d for d, size in enumerate(x.shape) if size == 1]
    if g.flip(0.3):
        g.node("Squeeze", [x], tuple(size for size in x.shape if size != 1))
        return
    gone = [d for d in ones if g.flip()] or ones[:1]
    g.node("Squeeze", [x, g.integers([d - x.rank if g.flip(0.3) else d for d in gone])],
           tuple(size for d, size in enumerate(x.shape) if d not in gone))


@operator(4)
def slice_(g):
    x = anything(g, 1)
    axes = [d for d in range(x.rank) if g.flip()] or [0]
    starts, ends, steps, shape = [], [], [], list(x.shape)
    for d in axes:
        size = x.shape[d]
        step = g.choice([1, 1, 1, 2, 3, -1, -2])
        low, high = sorted((g.below(size + 1), g.below(size + 1)))
        start, end = (low, high) if step > 0 else (high - 1, low - 1)
        made = len(range(start, end, step))
        # As it may be written, too.
        if end == -1:
            end = -size - 1 if g.flip() else -2**62
        elif end == size and step > 0:
            end = g.choice([size, 2**63 - 1, 2**31 - 1])
        elif g.flip(0.3) and end < size:
            end -= size
        if start == -1:
            raise Impossible
        if g.flip(0.3) and start < size:
            start -= size
        starts.append(start), ends.append(end), steps.append(step)
        shape[d] = made
    inputs = [x, g.integers(starts), g.integers(ends), g.integers([d - x.rank if g.flip(0.3) else d for d in axes])]
    if steps != [1] * len(steps) or g.flip(0.3):
        inputs.append(g.integers(steps))
    g.node("Slice", inputs, tuple(shape))


@operator(3)
def concat(g):
    x = anything(g, 1)
    written, axis = g.axis(x)
    others = [v for v in g.values if v.type == x.type and v.rank == x.rank and
              all(a == b or d == axis for d, (a, b) in enumerate(zip(v.shape, x.shape)))]
    parts = [x] + [g.choice(others) for _ in range(g.between(1, 2))]
    if x.type == FLOAT and g.flip(0.3):
        parts.insert(g.below(len(parts) + 1), g.constant(g.floats(x.shape)))
    g.node("Concat", parts, tuple(sum(v.shape[d] for v in parts) if d == axis else size
                                  for d, size in enumerate(x.shape)), axis=written)


@operator(2)
def split(g):
    x = anything(g, 1)
    written, axis = g.axis(x)
    size = x.shape[axis]
    if size < 2:
        raise Impossible
    of = lambda n: tuple(n if d == axis else s for d, s in enumerate(x.shape))
    if g.flip():
        first = g.between(1, size - 1)
        g.node("Split", [x, g.integers([first, size - first])], of(first), of(size - first), axis=written)
    elif g.version >= 18:
        each = -(-size // 2)
        g.node("Split", [x], of(each), of(size - each), axis=written, num_outputs=2)
    elif size % 2 == 0:
        g.node("Split", [x], of(size // 2), of(size // 2), axis=written)


@operator(2.5)
def gather(g):
    x = anything(g, 1)
    written, axis = g.axis(x)
    size = x.shape[axis]
    shape = g.choice([(), (g.between(1, 4),), (2, g.between(1, 3))])
    kind = g.choice([np.int64, np.int32])
    indices = g.constant(g.random.integers(-size, size, shape).astype(kind))
    g.node("Gather", [x, indices], x.shape[:axis] + shape + x.shape[axis + 1:], axis=written)


@operator(1)
def gather_elements(g):
    x = anything(g, 1)
    written, axis = g.axis(x)
    shape = tuple(g.between(1, size) if d != axis else g.between(1, 5) for d, size in enumerate(x.shape))
    size = x.shape[axis]
    g.node("GatherElements", [x, g.integers(g.random.integers(-size, size, shape))], shape, axis=written)


@operator(1)
def gather_nd(g):
    x = anything(g, 1)
    depth = g.between(1, x.rank)
    shape = g.shape(g.between(1, 2), 4)
    indices = np.stack([g.random.integers(-size, size, shape) for size in x.shape[:depth]], -1)
    g.node("GatherND", [x, g.integers(indices)], shape + x.shape[depth:])


@operator(1)
def scatter(g):
    x = g.at_least(1)
    if g.flip():
        depth = g.between(1, x.rank)
        rows = [tuple(index) for index in np.ndindex(*x.shape[:depth])]
        chosen = [rows[i] for i in g.random.choice(len(rows), g.between(1, min(4, len(rows))), replace=False)]
        updates = g.constant(g.floats((len(chosen), *x.shape[depth:])))
        g.node("ScatterND", [x, g.integers(chosen), updates], x.shape)
        return
    written, axis = g.axis(x)
    shape = tuple(g.between(1, size) for size in x.shape)
    # Each place once.
    along = np.argsort(g.random.random(x.shape), axis)[tuple(slice(n) for n in shape)]
    g.node("ScatterElements", [x, g.integers(along), g.constant(g.floats(shape))], x.shape, axis=written)


@operator(2)
def pad(g):
    x = g.at_least(1)
    mode = g.choice(["constant", "constant", "reflect", "edge"] + ["wrap"] * (g.version >= 19))
    before, after = [], []
    for size in x.shape:
        most = 2 if mode != "reflect" else min(2, size - 1)
        low = -1 if mode == "constant" and size > 2 and g.flip(0.2) else 0
        before.append(g.between(low, max(low, min(most, size))))
        after.append(g.between(low, max(low, min(most, size))))
    shape = tuple(b + size + a for b, size, a in zip(before, x.shape, after))
    inputs = [x, g.integers(before + after)]
    if mode == "constant" and g.flip():
        inputs.append(g.constant(np.float32(0.5)))
    g.node("Pad", inputs, shape, mode=mode)


@operator(1.5)
def expand(g):
    x = anything(g)
    whole = [g.between(1, 4) if size == 1 else size for size in x.shape]
    written = [1 if g.flip(0.3) else size for size in whole]
    shape = tuple(max(a, b) for a, b in zip(x.shape, written))
    front = g.shape(g.below(2), 3)
    g.node("Expand", [x, g.integers([*front, *written])], front + shape)


@operator(1.5)
def tile(g):
    x = anything(g, 1)
    repeats = [g.between(1, 3) if g.flip() else 1 for _ in x.shape]
    g.node("Tile", [x, g.integers(repeats)], tuple(r * size for r, size in zip(repeats, x.shape)))


@operator(1)
def trilu(g):
    x = g.at_least(2)
    if g.version < 14:
        raise Impossible
    inputs = [x, g.constant(np.array(g.between(-2, 2), np.int64))] if g.flip() else [x]
    g.node("Trilu", inputs, x.shape, upper=g.below(2))


@operator(0.7)
def one_hot(g):
    x = g.at_least(1, INT64)
    depth = g.between(2, 5)
    inside = g.node("Mod", [x, g.constant(np.array(depth, np.int64))], x.shape)
    written, axis = g.axis(x, x.rank + 1)
    shape = x.shape[:axis] + (depth,) + x.shape[axis:]
    g.node("OneHot", [inside, g.constant(np.array(depth, np.int64)), g.constant(np.float32([0.25, 2]))], (shape, FLOAT),
           axis=written)


@operator(0.5)
def reverse_sequence(g):
    x = g.of_rank(3)
    batch = g.below(2)
    lengths = g.random.integers(1, x.shape[1 - batch] + 1, x.shape[batch])
    g.node("ReverseSequence", [x, g.integers(lengths)], x.shape, batch_axis=batch, time_axis=1 - batch)


@operator(3)
def computed_shape(g):
    """Shape, Gather, Concat and Reshape, as exporters write them."""
    x = g.at_least(1)
    axis = g.below(x.rank)
    all_sizes = g.node("Shape", [x], ((x.rank,), INT64))
    kind = g.below(4)
    if kind == 0:
        one = g.node("Gather", [all_sizes, g.integers([axis])], (1,), axis=0)
        whole = g.node("Concat", [one, g.integers([-1])], (2,), axis=0)
        g.node("Reshape", [x, whole], (x.shape[axis], x.size // x.shape[axis]))
    elif kind == 1:
        one = g.node("Gather", [all_sizes, g.constant(np.array(axis, np.int64))], (), axis=0)
        row = g.node("Unsqueeze", [one, g.integers([0])], (1,))
        filled = g.node("ConstantOfShape", [row], ((x.shape[axis],), FLOAT),
                        value=helper.make_tensor("value", TensorProto.FLOAT, [1], [0.5]))
        g.node("Mul", [filled, g.constant(np.float32(3))], filled.shape)
    elif kind == 2:
        rest = g.node("Slice", [all_sizes, g.integers([axis]), g.integers([2**31 - 1])], (x.rank - axis,))
        count = g.node("ReduceProd", [rest], (1,), keepdims=1)
        whole = g.node("Concat", [g.integers([-1]), count], (2,), axis=0)
        behind = math.prod(x.shape[axis:])
        g.node("Reshape", [x, whole], (x.size // behind, behind))
    else:
        one = g.node("Gather", [all_sizes, g.constant(np.array(axis, np.int64))], (), axis=0)
        numbers = g.node("Range", [g.constant(np.array(0, np.int64)), one, g.constant(np.array(1, np.int64))],
                         ((x.shape[axis],), INT64))
        g.node("Gather", [x, numbers], x.shape, axis=axis)


@operator(1)
def known_branch(g):
    """An If that shapes decide."""
    x = g.at_least(1)
    sizes = g.node("Shape", [x], ((x.rank,), INT64))
    first = g.node("Gather", [sizes, g.constant(np.array(0, np.int64))], (), axis=0)
    condition = g.node("Equal", [first, g.constant(np.array(g.choice([x.shape[0], 7]), np.int64))], ((), BOOL))

    def branch(op):
        inner = g.name("inner")
        return helper.make_graph([helper.make_node(op, [x.name], [inner])], op.lower(), [],
                                 [helper.make_tensor_value_info(inner, x.type, x.shape)])

    g.used.add(x.name)
    g.node("If", [condition], (x.shape, x.type), then_branch=branch("Tanh"), else_branch=branch("Neg"))
