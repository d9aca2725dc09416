"""Networks of known shapes as ONNX files, with random weights: transformers as exporters write them, and a ResNet."""

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper


class Builder:
    """A graph that is written node by node."""

    def __init__(self):
        self.random = numpy.random.RandomState(1)
        self.nodes, self.constants = [], []

    def constant(self, array):
        name = f"c{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(numpy.asarray(array), name))
        return name

    def weights(self, *shape):
        scale = (2 / max(1, numpy.prod(shape[1:]))) ** 0.5 if len(shape) == 4 else shape[0] ** -0.5
        return self.constant((self.random.randn(*shape) * scale).astype(numpy.float32))

    def call(self, operator, *inputs, **attributes):
        name = f"v{len(self.nodes)}"
        self.nodes.append(helper.make_node(operator, inputs, [name], **attributes))
        return name

    def dense(self, x, inputs, outputs):
        bias = self.constant(numpy.full(outputs, 0.01, numpy.float32))
        return self.call("Add", self.call("MatMul", x, self.weights(inputs, outputs)), bias)

    def norm(self, x, width):
        gamma = self.constant(numpy.ones(width, numpy.float32))
        beta = self.constant(numpy.zeros(width, numpy.float32))
        return self.call("LayerNormalization", x, gamma, beta, axis=-1, epsilon=1e-12)

    def scalar(self, number):
        return self.constant(numpy.float32(number))

    def gelu(self, x):
        """As exporters write the exact one."""
        erf = self.call("Erf", self.call("Mul", x, self.scalar(2**-0.5)))
        return self.call("Mul", self.call("Mul", x, self.scalar(0.5)), self.call("Add", erf, self.scalar(1)))

    def gelu_tanh(self, x):
        cube = self.call("Mul", self.call("Mul", x, x), x)
        inner = self.call("Mul", self.call("Add", x, self.call("Mul", cube, self.scalar(0.044715))),
                          self.scalar((2 / numpy.pi) ** 0.5))
        return self.call("Mul", self.call("Mul", x, self.scalar(0.5)),
                         self.call("Add", self.call("Tanh", inner), self.scalar(1)))

    def attention(self, x, tokens, width, heads, mask=None):
        by_head = self.constant(numpy.array([1, tokens, heads, width // heads], numpy.int64))
        query, key, value = (self.call("Reshape", self.dense(x, width, width), by_head) for _ in range(3))
        scores = self.call("MatMul", self.call("Transpose", query, perm=[0, 2, 1, 3]),
                           self.call("Transpose", key, perm=[0, 2, 3, 1]))
        scores = self.call("Mul", scores, self.scalar((width // heads) ** -0.5))
        if mask is not None:
            scores = self.call("Add", scores, mask)
        means = self.call("MatMul", self.call("Softmax", scores, axis=-1),
                          self.call("Transpose", value, perm=[0, 2, 1, 3]))
        together = self.constant(numpy.array([1, tokens, width], numpy.int64))
        return self.dense(self.call("Reshape", self.call("Transpose", means, perm=[0, 2, 1, 3]), together), width,
                          width)

    def model(self, x_shape, output, output_shape):
        self.nodes.append(helper.make_node("Identity", [output], ["y"]))
        graph = helper.make_graph(self.nodes, "network",
                                  [helper.make_tensor_value_info("x", TensorProto.FLOAT, x_shape)],
                                  [helper.make_tensor_value_info("y", TensorProto.FLOAT, output_shape)], self.constants)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
        model.ir_version = 8
        return model


def encoder(tokens, width, heads, layers):
    """BERT's kind: norms behind the sums."""
    b = Builder()
    x = b.norm("x", width)
    for _ in range(layers):
        x = b.norm(b.call("Add", x, b.attention(x, tokens, width, heads)), width)
        x = b.norm(b.call("Add", x, b.dense(b.gelu(b.dense(x, width, 4 * width)), 4 * width, width)), width)
    return b.model([1, tokens, width], x, [1, tokens, width])


def decoder(tokens, width, heads, layers):
    """GPT-2's kind: norms before, and no token sees a later one."""
    b = Builder()
    mask = b.constant(numpy.triu(numpy.full((tokens, tokens), -1e9, numpy.float32), 1))
    x = "x"
    for _ in range(layers):
        x = b.call("Add", x, b.attention(b.norm(x, width), tokens, width, heads, mask))
        x = b.call("Add", x, b.dense(b.gelu_tanh(b.dense(b.norm(x, width), width, 4 * width)), 4 * width, width))
    return b.model([1, tokens, width], b.norm(x, width), [1, tokens, width])


def vision(width, heads, layers):
    """ViT's kind: 16 x 16 pixels a token, and one for the class."""
    b = Builder()
    patches = b.call("Conv", "x", b.weights(width, 3, 16, 16), strides=[16, 16])
    patches = b.call("Transpose", b.call("Reshape", patches, b.constant(numpy.array([1, width, 196], numpy.int64))),
                     perm=[0, 2, 1])
    x = b.call("Concat", b.constant(numpy.zeros((1, 1, width), numpy.float32)), patches, axis=1)
    for _ in range(layers):
        x = b.call("Add", x, b.attention(b.norm(x, width), 197, width, heads))
        x = b.call("Add", x, b.dense(b.gelu(b.dense(b.norm(x, width), width, 4 * width)), 4 * width, width))
    first = b.call("Gather", b.norm(x, width), b.constant(numpy.int64(0)), axis=1)
    return b.model([1, 3, 224, 224], b.dense(first, width, 1000), [1, 1000])


def residual():
    """ResNet-18, batch norms folded."""
    b = Builder()

    def convolution(x, inputs, outputs, kernel, stride):
        bias = b.constant(numpy.full(outputs, 0.01, numpy.float32))
        return b.call("Conv", x, b.weights(outputs, inputs, kernel, kernel), bias, strides=[stride, stride],
                      pads=[kernel // 2] * 4)

    x = b.call("Relu", convolution("x", 3, 64, 7, 2))
    x = b.call("MaxPool", x, kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1])
    before = 64
    for channels in (64, 128, 256, 512):
        for block in range(2):
            stride = 2 if block == 0 and channels > 64 else 1
            y = b.call("Relu", convolution(x, before, channels, 3, stride))
            y = convolution(y, channels, channels, 3, 1)
            if stride == 2:
                x = convolution(x, before, channels, 1, 2)
            x = b.call("Relu", b.call("Add", x, y))
            before = channels
    x = b.call("Flatten", b.call("GlobalAveragePool", x))
    return b.model([1, 3, 224, 224], b.dense(x, 512, 1000), [1, 1000])


NETWORKS = {
    "BERT-base, 128 tokens": lambda: encoder(128, 768, 12, 12),
    "BERT-base, 16 tokens": lambda: encoder(16, 768, 12, 12),
    "MiniLM-L6, 32 tokens": lambda: encoder(32, 384, 12, 6),
    "GPT-2 small, 128 tokens": lambda: decoder(128, 768, 12, 12),
    "ViT-tiny": lambda: vision(192, 3, 12),
    "ResNet-18": residual,
}


def write(name, file):
    """The network's file; its input's shape."""
    model = NETWORKS[name]()
    onnx.save(model, file)
    return [d.dim_value for d in model.graph.input[0].type.tensor_type.shape.dim]
