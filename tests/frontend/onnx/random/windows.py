"""Convolutions, pools, and images in other sizes."""

import numpy as np
from drawing import Impossible
from registry import operator


class Window:
    """A kernel over the axes of images behind the second, with strides, pads and dilations that fit."""

    def __init__(self, g, spatial, dilates=True, ceils=False):
        self.kernel = [g.between(1, min(3, size + 1)) for size in spatial]
        self.strides = [g.between(1, 2) for _ in spatial]
        self.auto = g.choice(["SAME_UPPER", "SAME_LOWER", "VALID", "NOTSET", "NOTSET", "NOTSET"])
        # onnxruntime has no dilations beside SAME.
        dilates = dilates and not self.auto.startswith("SAME")
        self.dilations = [g.between(1, 2) if dilates and g.flip(0.3) else 1 for _ in spatial]
        spans = [d * (k - 1) + 1 for k, d in zip(self.kernel, self.dilations)]
        self.attributes = {"kernel_shape": self.kernel}
        if g.flip(0.7):
            self.attributes["strides"] = self.strides
        else:
            self.strides = [1 for _ in spatial]
        if dilates:
            self.attributes["dilations"] = self.dilations
        self.pads = [0] * (2 * len(spatial))
        self.ceils = bool(ceils) and g.flip(0.3) and self.auto == "NOTSET"
        if self.ceils:
            self.attributes["ceil_mode"] = 1
        if self.auto == "NOTSET":
            if g.flip(0.6):
                # Less than a kernel, so that each window sees something.
                self.pads = [g.below(k) for k in self.kernel] + [g.below(k) for k in self.kernel]
                self.attributes["pads"] = self.pads
        else:
            self.attributes["auto_pad"] = self.auto
        self.shape = []
        for d, size in enumerate(spatial):
            if self.auto.startswith("SAME"):
                made = -(-size // self.strides[d])
            else:
                room = size + self.pads[d] + self.pads[d + len(spatial)] - spans[d]
                if room < 0:
                    raise Impossible
                made = (-(-room // self.strides[d]) if self.ceils else room // self.strides[d]) + 1
                # A window that begins beyond the image and its first pads is none.
                if self.ceils and (made - 1) * self.strides[d] >= size + self.pads[d]:
                    made -= 1
            self.shape.append(made)


@operator(3)
def convolution(g):
    x = g.of_rank(g.choice([3, 4, 4, 4, 5]))
    window = Window(g, x.shape[2:])
    groups = g.choice([n for n in range(1, x.shape[1] + 1) if x.shape[1] % n == 0])
    channels = groups * g.between(1, 3)
    inputs = [x, g.constant(g.floats((channels, x.shape[1] // groups, *window.kernel)))]
    if g.flip(0.6):
        inputs.append(g.constant(g.floats((channels,))))
    g.node("Conv", inputs, (x.shape[0], channels, *window.shape), group=groups, **window.attributes)


@operator(1.5)
def transposed_convolution(g):
    x = g.of_rank(g.choice([3, 4, 4]))
    axes = x.rank - 2
    groups = g.choice([n for n in range(1, x.shape[1] + 1) if x.shape[1] % n == 0])
    channels = groups * g.between(1, 3)
    kernel = [g.between(1, 3) for _ in range(axes)]
    strides = [g.between(1, 3) for _ in range(axes)]
    dilations = [g.between(1, 2) if g.flip(0.3) else 1 for _ in range(axes)]
    pads = [g.below(2) if k > 1 else 0 for k in kernel] * 2
    added = [g.below(max(s, d)) if g.flip(0.4) else 0 for s, d in zip(strides, dilations)]
    shape = [s * (size - 1) + a + (k - 1) * d + 1 - 2 * p
             for s, size, a, k, d, p in zip(strides, x.shape[2:], added, kernel, dilations, pads)]
    inputs = [x, g.constant(g.floats((x.shape[1], channels // groups, *kernel)))]
    if g.flip(0.6):
        inputs.append(g.constant(g.floats((channels,))))
    g.node("ConvTranspose", inputs, (x.shape[0], channels, *shape), group=groups, kernel_shape=kernel, strides=strides,
           dilations=dilations, pads=pads, output_padding=added)


@operator(3)
def pool(g):
    x = g.of_rank(g.choice([3, 4, 4, 4, 5]))
    op = g.choice(["MaxPool", "MaxPool", "AveragePool", "AveragePool", "LpPool"])
    window = Window(g, x.shape[2:], dilates=op == "MaxPool", ceils=op != "LpPool")
    attributes = dict(window.attributes)
    if op == "AveragePool" and g.flip():
        attributes["count_include_pad"] = 1
    if op == "LpPool":
        attributes["p"] = g.between(1, 2)
    g.node(op, [x], (*x.shape[:2], *window.shape), **attributes)


@operator(1)
def global_pool(g):
    x = g.of_rank(g.choice([3, 4, 5]))
    g.node(g.choice(["GlobalAveragePool", "GlobalMaxPool"]), [x], (*x.shape[:2], *(1 for _ in x.shape[2:])))


@operator(2)
def resize(g):
    x = g.of_rank(g.choice([3, 4, 4]))
    mode = g.choice(["nearest", "linear", "cubic"])
    if mode == "cubic" and x.rank != 4:
        raise Impossible
    attributes = {"mode": mode, "coordinate_transformation_mode": g.choice(
        ["half_pixel", "asymmetric", "align_corners", "pytorch_half_pixel"])}
    if mode == "nearest":
        attributes["nearest_mode"] = g.choice(["round_prefer_floor", "floor", "ceil", "round_prefer_ceil"])
    if mode == "cubic":
        attributes["cubic_coeff_a"] = g.choice([-0.75, -0.5])
        if g.flip(0.3):
            attributes["exclude_outside"] = 1
    if g.flip():
        scales = [1.0, 1.0] + [g.choice([0.5, 1.0, 1.5, 2.0, 3.0]) for _ in x.shape[2:]]
        shape = tuple(int(np.floor(np.float32(size * scale))) for size, scale in zip(x.shape, scales))
        g.node("Resize", [x, None, g.constant(np.array(scales, np.float32))], shape, **attributes)
    else:
        shape = (*x.shape[:2], *(g.between(1, 8) for _ in x.shape[2:]))
        g.node("Resize", [x, None, None, g.integers(shape)], shape, **attributes)


@operator(1)
def blocks(g):
    x = g.of_rank(4)
    n, c, h, w = x.shape
    b = 2
    if g.flip():
        if c % (b * b):
            raise Impossible
        g.node("DepthToSpace", [x], (n, c // (b * b), h * b, w * b), blocksize=b, mode=g.choice(["DCR", "CRD"]))
    else:
        if h % b or w % b:
            raise Impossible
        g.node("SpaceToDepth", [x], (n, c * b * b, h // b, w // b), blocksize=b)
