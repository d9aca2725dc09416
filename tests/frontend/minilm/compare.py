"""compare.py WEIGHTS FOLDER: vectors of sentences against those that NumPy makes of the same weights.

Floats must be equal but for rounding; integers must point the same way, and leave pairs of sentences in order.
"""
import json
import math
import sys
from pathlib import Path

import numpy

LAYERS, HEADS, EPSILON = 6, 12, 1e-12
FLOAT_ERROR, COSINE, ORDER = 1e-5, 0.99, 0.98  # at most, at least, at least


def read_weights(path):
    data = Path(path).read_bytes()
    length = int.from_bytes(data[:8], "little")
    weights = {}
    for name, entry in json.loads(data[8 : 8 + length]).items():
        if name == "__metadata__" or entry["dtype"] != "F32":
            continue
        begin, end = entry["data_offsets"]
        values = numpy.frombuffer(data[8 + length + begin : 8 + length + end], numpy.float32)
        weights[name] = values.reshape(entry["shape"]).astype(numpy.float64)
    return weights


erf = numpy.vectorize(math.erf)


def embed(weights, ids):
    def dense(x, name):
        return x @ weights[name + ".weight"].T + weights[name + ".bias"]

    def norm(x, name):
        centred = x - x.mean(-1, keepdims=True)
        deviation = numpy.sqrt((centred**2).mean(-1, keepdims=True) + EPSILON)
        return centred / deviation * weights[name + ".weight"] + weights[name + ".bias"]

    def heads(x):
        return x.reshape(len(ids), HEADS, -1).transpose(1, 0, 2)

    x = weights["embeddings.word_embeddings.weight"][ids]
    x = x + weights["embeddings.position_embeddings.weight"][: len(ids)]
    x = norm(x + weights["embeddings.token_type_embeddings.weight"][0], "embeddings.LayerNorm")
    for layer in range(LAYERS):
        name = f"encoder.layer.{layer}."
        query, key, value = (heads(dense(x, f"{name}attention.self.{part}")) for part in ("query", "key", "value"))
        scores = query @ key.transpose(0, 2, 1) / numpy.sqrt(query.shape[-1])
        scores = numpy.exp(scores - scores.max(-1, keepdims=True))
        rows = (scores / scores.sum(-1, keepdims=True) @ value).transpose(1, 0, 2).reshape(x.shape)
        x = norm(x + dense(rows, name + "attention.output.dense"), name + "attention.output.LayerNorm")
        hidden = dense(x, name + "intermediate.dense")
        hidden = hidden / 2 * (1 + erf(hidden / numpy.sqrt(2)))
        x = norm(x + dense(hidden, name + "output.dense"), name + "output.LayerNorm")
    mean = x.mean(0)
    return mean / numpy.linalg.norm(mean)


def similarities(vectors):
    return (vectors @ vectors.T)[numpy.triu_indices(len(vectors), 1)]


def order_kept(wanted, got):
    """The share of pairs of similarities that are in the same order."""
    same = total = 0
    for i in range(len(wanted)):
        before, after = numpy.sign(wanted[i + 1 :] - wanted[i]), numpy.sign(got[i + 1 :] - got[i])
        same += int((before == after).sum())
        total += len(before)
    return same / total


weights, folder = read_weights(sys.argv[1]), Path(sys.argv[2])
ids, mask = numpy.load(folder / "ids.npy"), numpy.load(folder / "mask.npy")
wanted = numpy.stack([embed(weights, row[seen == 1]) for row, seen in zip(ids, mask)])
floats, integers = numpy.load(folder / "floats.npy"), numpy.load(folder / "integers.npy")
error = numpy.abs(floats - wanted).max()
cosines = (integers * wanted).sum(1) / numpy.linalg.norm(integers, axis=1)
order = order_kept(similarities(wanted), similarities(integers))
print(f"{len(wanted)} sentences: floats differ by {error:.1e} at most; integers have a cosine of {cosines.min():.4f}")
print(f"with floats at least, {cosines.mean():.4f} in the mean; {100 * order:.2f} % of all pairs keep their order")
if error > FLOAT_ERROR or cosines.min() < COSINE or order < ORDER:
    sys.exit(f"FAILED: expected {FLOAT_ERROR} at most, a cosine of {COSINE} and {100 * ORDER} % of pairs at least")
