"""A random model in the making: values with their types, and nodes that make more of them."""

import dataclasses
import math

import numpy as np
from onnx import TensorProto, helper, numpy_helper

MOST_ELEMENTS = 4000
FLOAT, INT64, INT32, BOOL = TensorProto.FLOAT, TensorProto.INT64, TensorProto.INT32, TensorProto.BOOL


@dataclasses.dataclass(frozen=True)
class Value:
    name: str
    shape: tuple
    type: int = FLOAT

    @property
    def rank(self):
        return len(self.shape)

    @property
    def size(self):
        return math.prod(self.shape)


class Impossible(Exception):
    """An operator that does not fit what there is: another is drawn."""


class Drawing:
    def __init__(self, random, version):
        self.random, self.version = random, version
        self.nodes, self.initializers, self.inputs, self.values = [], [], {}, []
        self.used = set()
        self.names = 0

    # Numbers.
    def below(self, end):
        return int(self.random.integers(end))

    def between(self, low, high):
        """Both may come."""
        return int(self.random.integers(low, high + 1))

    def flip(self, chance=0.5):
        return bool(self.random.random() < chance)

    def choice(self, options):
        options = list(options)
        if not options:
            raise Impossible
        return options[self.below(len(options))]

    def floats(self, shape, low=-2.0, high=2.0):
        return self.random.uniform(low, high, shape).astype(np.float32)

    def shape(self, rank, largest=6):
        return tuple(self.between(1, largest) for _ in range(rank))

    # Values.
    def name(self, of):
        self.names += 1
        return f"{of}{self.names}"

    def input(self, shape, type=FLOAT):
        value = Value(self.name("x"), tuple(shape), type)
        if type == FLOAT:
            array = self.floats(shape)
        elif type == BOOL:
            array = self.random.random(shape) < 0.5
        else:
            array = self.random.integers(-5, 6, shape).astype(helper.tensor_dtype_to_np_dtype(type))
        self.inputs[value.name] = np.asarray(array)
        self.values.append(value)
        return value

    def constant(self, array):
        """Of floats or integers: an initializer, or sometimes a node."""
        array = np.asarray(array)
        name = self.name("c")
        tensor = numpy_helper.from_array(array, name)
        if self.flip(0.2):
            self.nodes.append(helper.make_node("Constant", [], [name], value=tensor))
        else:
            self.initializers.append(tensor)
        return Value(name, array.shape, tensor.data_type)

    def integers(self, numbers):
        return self.constant(np.array(numbers, np.int64))

    def node(self, op, inputs, *types, outputs=None, **attributes):
        """Adds one; `types`: of each output its shape, or its shape and its type. None among the inputs is left out."""
        made = []
        for each in types:
            shape, type = each if len(each) == 2 and isinstance(each[0], tuple) else (each, None)
            if type is None:
                type = next((i.type for i in inputs if i is not None), FLOAT)
            if any(size < 1 for size in shape) or math.prod(shape) > MOST_ELEMENTS or len(shape) > 6:
                raise Impossible
            made.append(Value(self.name(op.lower()), tuple(int(size) for size in shape), type))
        names = ["" if i is None else i.name for i in inputs]
        while names and not names[-1]:
            names.pop()
        self.used.update(names)
        self.nodes.append(helper.make_node(op, names, [value.name for value in made], **attributes))
        self.values.extend(made)
        return made[0] if len(made) == 1 else made

    def pick(self, type=FLOAT, fits=lambda value: True):
        """Of what there is, rather what was made last."""
        found = [value for value in self.values if value.type == type and fits(value)]
        if not found:
            raise Impossible
        return found[-1 - min(self.below(len(found)), self.below(len(found)))]

    def of_rank(self, rank, type=FLOAT):
        """Something of that many axes, reshaped where need be."""
        value = self.pick(type)
        if value.rank == rank:
            return value
        if value.rank < rank:
            shape = list(value.shape)
            while len(shape) < rank:
                shape.insert(self.below(len(shape) + 1), 1)
        else:
            first = value.rank - rank + 1
            shape = [math.prod(value.shape[:first]), *value.shape[first:]]
        return self.node("Reshape", [value, self.integers(shape)], tuple(shape))

    def at_least(self, rank, type=FLOAT):
        value = self.pick(type)
        return value if value.rank >= rank else self.of_rank(rank, type)

    def distinct(self, value):
        """The same, but for a little that keeps its numbers apart, so that no rounding makes their order."""
        steps = self.random.permutation(value.size).reshape(value.shape)
        return self.node("Add", [value, self.constant((0.0137 * steps).astype(np.float32))], value.shape)

    def partner(self, value):
        """Something that is broadcast with it: the shape of both, and it."""
        same = [v for v in self.values if v.type == value.type and fits_together(v.shape, value.shape)]
        if same and self.flip(0.6):
            other = self.choice(same)
        else:
            shape = tuple(1 if self.flip(0.3) else size for size in value.shape)
            shape = shape[self.below(len(shape) + 1):] if self.flip(0.3) else shape
            if value.type == FLOAT:
                other = self.constant(self.floats(shape))
            elif value.type == BOOL:
                other = self.constant(self.random.random(shape) < 0.5)
            else:
                kind = helper.tensor_dtype_to_np_dtype(value.type)
                other = self.constant(self.random.integers(-5, 6, shape).astype(kind))
        return other, tuple(np.broadcast_shapes(value.shape, other.shape))

    def axis(self, value, rank=None):
        """One of its axes, from either end as it is written, and from 0 on."""
        rank = rank or value.rank
        if rank == 0:
            raise Impossible
        axis = self.below(rank)
        return (axis - rank if self.flip(0.3) else axis), axis

    def model(self):
        outputs = [v for v in self.values if v.name not in self.used and v.name not in self.inputs]
        inputs = [v for v in self.values if v.name in self.inputs and v.name in self.used]
        info = lambda v: helper.make_tensor_value_info(v.name, v.type, v.shape)
        graph = helper.make_graph(self.nodes, "random", [info(v) for v in inputs], [info(v) for v in outputs],
                                  self.initializers)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", self.version)])
        model.ir_version = 8
        return model, {v.name: self.inputs[v.name] for v in inputs}


def fits_together(a, b):
    try:
        return math.prod(np.broadcast_shapes(a, b)) <= MOST_ELEMENTS
    except ValueError:
        return False


def draw(random, operators):
    """A model of 5 to 20 drawn operators, and its inputs."""
    g = Drawing(random, int(random.choice([13, 14, 15, 16, 17, 17, 17, 17, 18, 20, 21])))
    for _ in range(g.between(1, 3)):
        g.input(g.shape(g.between(1, 4)))
    if g.flip(0.5):
        g.input(g.shape(g.between(0, 3)), g.choice([INT64, INT32, BOOL]))
    operators = sorted(operators, key=lambda entry: entry[0].__name__)  # whatever order files were read in
    functions, weights = [op for op, _ in operators], np.array([weight for _, weight in operators], float)
    for _ in range(g.between(5, 20)):
        for _ in range(10):
            state = (list(g.nodes), list(g.initializers), list(g.values), set(g.used), dict(g.inputs))
            try:
                functions[int(random.choice(len(functions), p=weights / weights.sum()))](g)
                break
            except Impossible:
                g.nodes, g.initializers, g.values, g.used, g.inputs = state
    return g.model()
