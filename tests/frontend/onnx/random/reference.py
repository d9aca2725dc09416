"""What onnxruntime makes of a model, and how near another implementation can be expected to come."""

import numpy as np
import onnxruntime

ROUNDING = 1e-5  # of an output's largest number, that sums in another order may make
NOTHING = 0.1  # what is smaller may be all that is left of numbers of this size
DISTURBANCE = 1e-6  # of each number that goes in
MOST_TROUBLE = 0.01  # of an output's largest number, that the disturbance may make


def run(model, inputs):
    """Outputs by name. Throws what onnxruntime does."""
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    # As the model says it, call by call.
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(model, options)
    names = [output.name for output in session.get_outputs()]
    return dict(zip(names, session.run(names, inputs)))


def expected(model, inputs):
    """Outputs by name, and for each how far one may be off: rounding, and ten times what a disturbance of the inputs
    makes. None for a model that makes too much of that, or what is no number."""
    outputs = run(model, inputs)
    signs = np.random.default_rng(1)
    near = {name: (value * (1 + DISTURBANCE * signs.choice([-1, 1], value.shape))).astype(value.dtype)
            if value.dtype == np.float32 else value for name, value in inputs.items()}
    tolerances = []
    for value, other in zip(outputs.values(), run(model, near).values()):
        if value.dtype.kind != "f":
            if not np.array_equal(value, other):
                return None
            tolerances.append(0.0)
            continue
        if not np.isfinite(value).all() or not np.isfinite(other).all() or value.size == 0:
            return None
        largest, trouble = float(np.abs(value).max()), float(np.abs(value - other).max())
        if largest > 1e7 or trouble > MOST_TROUBLE * largest:
            return None
        tolerances.append(ROUNDING * max(largest, NOTHING) + 10 * trouble)
    return outputs, tolerances
