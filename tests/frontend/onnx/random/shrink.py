"""The smallest model that is still wrong, of one that is."""

import numpy as np
import onnx
from onnx import helper, numpy_helper


def values_of(model, inputs, run):
    """Every value of the model's own graph, by name."""
    whole = onnx.ModelProto()
    whole.CopyFrom(model)
    del whole.graph.output[:]
    names = [name for node in whole.graph.node for name in node.output if name]
    whole.graph.output.extend(helper.make_empty_tensor_value_info(name) for name in names)
    return {**run(whole.SerializeToString(), inputs), **inputs}


def needed(graph, outputs, cut):
    """The nodes that these outputs need, and the values in `cut` that they take."""
    wanted, taken, nodes = set(outputs) - cut, set(), []
    taken |= set(outputs) & cut
    for node in reversed(graph.node):
        if not wanted & set(node.output):
            continue
        nodes.insert(0, node)
        names = set(node.input)
        for attribute in node.attribute:
            names |= {name for inner in attribute.g.node for name in inner.input}
        taken |= names & cut
        wanted |= names - cut
    return nodes, taken


def cut_out(model, values, outputs, cut, with_constants=False):
    """The part of the model that makes `outputs`, with those values in `cut` as inputs, or those of integers as
    constants. None for nothing."""
    cut = cut | {info.name for info in model.graph.input}
    nodes, taken = needed(model.graph, outputs, cut)
    if not nodes:
        return None
    info = lambda name: helper.make_tensor_value_info(
        name, helper.np_dtype_to_tensor_dtype(values[name].dtype), values[name].shape)
    used = {name for node in nodes for name in node.input}
    constants = {name for name in taken if with_constants and values[name].dtype.kind == "i"}
    given = sorted(taken - constants)
    graph = helper.make_graph(nodes, "random", [info(name) for name in given], [info(name) for name in outputs],
                              [tensor for tensor in model.graph.initializer if tensor.name in used] +
                              [numpy_helper.from_array(values[name], name) for name in sorted(constants)])
    made = helper.make_model(graph, opset_imports=list(model.opset_import))
    made.ir_version = model.ir_version
    return made, {name: values[name] for name in given}


def made_by(model):
    """The values that nodes make of others."""
    return [name for node in model.graph.node for name in node.output if name and node.op_type != "Constant"]


def single_nodes(model, inputs, run):
    """Models of one node each."""
    values = values_of(model, inputs, run)
    for node in model.graph.node:
        outputs = [name for name in node.output if name]
        for with_constants in (False, True):
            yield cut_out(model, values, outputs, set(made_by(model)) - set(outputs), with_constants)


def fewer_nodes(model, inputs, run):
    """Models that have less: one output, or a value given instead of computed."""
    values = values_of(model, inputs, run)
    outputs = [output.name for output in model.graph.output]
    for name in made_by(model):
        if [name] != outputs:
            yield cut_out(model, values, [name], set())
    for name in reversed(made_by(model)):
        if name not in outputs:
            for with_constants in (False, True):
                yield cut_out(model, values, outputs, {name}, with_constants)


def shorter(model, inputs, _):
    """Models in which one size is another everywhere, as far as that is right."""
    arrays = {tensor.name: numpy_helper.to_array(tensor) for tensor in model.graph.initializer}
    for size in sorted({size for array in (*inputs.values(), *arrays.values()) for size in array.shape if size > 1}):
        for less in (1, size // 2, size - 1):
            if not 0 < less < size:
                continue
            cut = lambda array: np.ascontiguousarray(array[tuple(slice(less if s == size else s) for s in array.shape)])
            smaller = onnx.ModelProto()
            smaller.CopyFrom(model)
            del smaller.graph.initializer[:]
            for name, array in arrays.items():
                array = cut(array)
                if array.dtype == np.int64:
                    array = np.where(array == size, less, array)
                smaller.graph.initializer.append(numpy_helper.from_array(np.asarray(array), name))
            fewer = {name: cut(array) for name, array in inputs.items()}
            for info in smaller.graph.input:
                info.CopyFrom(helper.make_tensor_value_info(info.name, info.type.tensor_type.elem_type,
                                                            fewer[info.name].shape))
            for info in smaller.graph.output:
                info.type.tensor_type.ClearField("shape")
            yield smaller, fewer


def shrink(model, inputs, run, wrong):
    """`wrong` gives of models with their inputs the first that is still wrong, or None."""
    found = wrong(single_nodes(model, inputs, run)) if len(model.graph.node) > 1 else None
    model, inputs = found or (model, inputs)
    for way in (fewer_nodes, shorter):
        while found := wrong(way(model, inputs, run)):
            model, inputs = found
    return model, inputs
