"""tokens.py TOKENIZER TEXTS FOLDER COUNT: sentences of TEXTS as numbers of tokens, with zeros behind the shorter ones.

Of those to be compared the first COUNT.
"""
import sys
from pathlib import Path

import numpy
from tokenizers import Tokenizer

TOKENS = 32  # as many as any sentence has, at least


def write(sentences, prefix):
    encoded = [tokenizer.encode(sentence).ids for sentence in sentences]
    ids = numpy.zeros((len(encoded), TOKENS), numpy.int64)
    mask = numpy.zeros_like(ids)
    for row, tokens in enumerate(encoded):
        assert len(tokens) <= TOKENS, sentences[row]
        ids[row, : len(tokens)] = tokens
        mask[row, : len(tokens)] = 1
    numpy.save(folder / f"{prefix}ids.npy", ids)
    numpy.save(folder / f"{prefix}mask.npy", mask)


tokenizer, texts, folder = Tokenizer.from_file(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3])
tokenizer.no_padding()
tokenizer.no_truncation()
write((texts / "sentences.txt").read_text().splitlines()[: int(sys.argv[4])], "")
write((texts / "calibration.txt").read_text().splitlines(), "calibration_")
