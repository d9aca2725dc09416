#!/usr/bin/env python3
"""Writes synthetic Zynq-7000 bitstreams, good and bad ones, for the virtual board to take or refuse.

    bitstreams.py FOLDER
"""
import pathlib
import struct
import sys

WORDS_7Z020 = 4045564 // 4  # of the .bin files that Vivado makes
WORDS_7Z010 = 2083740 // 4
IDCODE_7Z020 = 0x03727093
IDCODE_7Z010 = 0x03722093

CRC, FAR, FDRI, CMD, IDCODE = 0x00, 0x01, 0x02, 0x04, 0x0C  # registers
WCFG, START, RCRC, DESYNC = 0x01, 0x05, 0x07, 0x0D  # of CMD
SYNC, NOP, DUMMY = 0xAA995566, 0x20000000, 0xFFFFFFFF


def crc_after(crc, register, word):
    """The configuration logic's CRC, a bit at a time: 32 bits of the word, then 5 of the register."""
    value = register << 32 | word
    for _ in range(37):
        if (value ^ crc) & 1:
            crc ^= 0x82F63B78 << 1
        value >>= 1
        crc >>= 1
    return crc


class Stream:
    """The words of a bitstream, and the CRC of what was written since it was reset."""

    def __init__(self, idcode):
        self.words = [DUMMY] * 8 + [0x000000BB, 0x11220044, DUMMY, DUMMY, SYNC, NOP]
        self.crc = 0
        self.write(CMD, RCRC)
        self.write(IDCODE, idcode)
        self.write(CMD, WCFG)
        self.write(FAR, 0)

    def write(self, register, word):
        self.words += [0x30000001 | register << 13, word]
        if register == CMD and word == RCRC:
            self.crc = 0
        elif register != CRC:
            self.crc = crc_after(self.crc, register, word)

    def write_frames(self, frames):
        """A packet of frames, without their CRC, which takes long in Python: frames_crc() adds it."""
        self.words += [FDRI << 13 | 0x30000000, 0x50000000 | len(frames)] + frames

    def frames_crc(self, frames):
        for word in frames:
            self.crc = crc_after(self.crc, FDRI, word)

    def end(self, size=0):
        """Starts the PL up, and fills with NOPs until there are `size` words."""
        self.write(CMD, START)
        self.write(CMD, DESYNC)
        self.words += [NOP] * max(16, size - len(self.words))
        return self.words


def noise(count):
    words, x = [], 12345
    for _ in range(count):
        x = (x * 1103515245 + 12345) & 0xFFFFFFFF
        words.append(x)
    return words


def whole(words, idcode):
    """As large as the part's own, without a CRC."""
    stream = Stream(idcode)
    stream.write_frames(noise(words - 450))
    stream.write(CMD, RCRC)
    return stream.end(words)


def with_crc(wrong_bits):
    """A short one, whose CRC is wrong in these bits."""
    frames = noise(20000)
    stream = Stream(IDCODE_7Z020)
    stream.write_frames(frames)
    stream.frames_crc(frames)
    stream.write(CRC, stream.crc ^ wrong_bits)
    return stream.end()


def packed(words, order):
    return struct.pack(f"{order}{len(words)}I", *words)


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    words = whole(WORDS_7Z020, IDCODE_7Z020)
    good = packed(words, "<")  # as the kernel wants it: the sync word is 66 55 99 AA
    bit = packed(words, ">")  # as Vivado's .bit files have it
    fields = b"\x00\x09\x0f\xf0\x0f\xf0\x0f\xf0\x0f\xf0\x00\x00\x01" + b"a" + struct.pack(">H", 12) + b"top;UserID=X"
    files = {
        "good": good,
        "wrong_order": bit,
        "bit_file": fields + b"e" + struct.pack(">I", len(bit)) + bit,
        "half": good[: len(good) // 8 * 4],
        "odd_length": good[:-3],
        "short": good[:100],
        "no_sync": bytes(len(good)),
        "empty": b"",
        "other_part": packed(whole(WORDS_7Z010, IDCODE_7Z010), "<"),
        "good_crc": packed(with_crc(0), "<"),
        "bad_crc": packed(with_crc(1), "<"),
    }
    for name, contents in files.items():
        (folder / f"{name}.bin").write_bytes(contents)


main()
