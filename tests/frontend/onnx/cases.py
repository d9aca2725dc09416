"""Cases as the programs of these tests read them (case.h): a model, what goes in, and what has to come out."""

import json

import numpy as np


def write_case(folder, model, inputs, outputs, rtol, atol):
    """`model`: its bytes; `inputs`, `outputs`: arrays by name, in the model's order; `atol`: of all, or of each."""
    folder.mkdir()
    (folder / "model.onnx").write_bytes(model)
    for kind, arrays in (("input", inputs), ("output", outputs)):
        for number, array in enumerate(arrays.values()):
            np.save(folder / f"{kind}_{number}.npy", array)
    entry = {"name": folder.name, "rtol": rtol, "atol": atol, "inputs": list(inputs), "outputs": list(outputs)}
    (folder / "case.json").write_text(json.dumps(entry))
