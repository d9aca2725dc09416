#!/usr/bin/env python3
"""The far end of the virtual board's PL bridge: a small AXI-Lite block at 0x43C00000 that answers every access of the
guest's, raises an interrupt, and reads and writes the board's memory as a bus master does. An RTL model would stand in
its place.

    pl_peer.py SOCKET DRAM_FILE
"""
import mmap
import pathlib
import socket
import struct
import sys

BASE = 0x43C00000
# Registers.
ID, READS, DATA, START, STATUS, INTERRUPT, INVERT = 0x00, 0x04, 0x08, 0x0C, 0x10, 0x14, 0x18
TICKS_TO_INTERRUPT = 5


class Block:
    def __init__(self, dram_file):
        self.dram_file = dram_file
        self.data = self.status = self.interrupt = self.reads = self.ticks_left = 0

    def read(self, register):
        self.reads += 1
        if register == STATUS:  # cleared by reading it
            status, self.status = self.status, 0
            return status
        return {ID: 0x56544130, READS: self.reads, DATA: self.data}.get(register, 0)

    def write(self, register, value):
        if register == DATA:
            self.data = value
        elif register == START:
            self.status = self.data ^ 0xFFFFFFFF
        elif register == INTERRUPT:  # 1: raise it soon; 0: take it back
            self.ticks_left = TICKS_TO_INTERRUPT if value else 0
            self.interrupt = 0
        elif register == INVERT:  # the word of memory at this address
            with open(self.dram_file, "r+b") as file, mmap.mmap(file.fileno(), 0) as memory:
                (word,) = struct.unpack_from("<I", memory, value)
                struct.pack_into("<I", memory, value, word ^ 0xFFFFFFFF)

    def tick(self):
        """A virtual millisecond."""
        if self.ticks_left:
            self.ticks_left -= 1
            self.interrupt = int(self.ticks_left == 0)


def main():
    path, dram_file = pathlib.Path(sys.argv[1]), sys.argv[2]
    path.unlink(missing_ok=True)
    server = socket.socket(socket.AF_UNIX)
    server.bind(str(path))
    server.listen(1)
    bridge, _ = server.accept()
    path.unlink()  # so that the next boot waits for the next peer
    block = Block(dram_file)
    while len(request := bridge.recv(12, socket.MSG_WAITALL)) == 12:
        operation, _, _, address, value = struct.unpack("<cBHII", request)
        result = 0
        if operation == b"R":
            result = block.read(address - BASE)
        elif operation == b"W":
            block.write(address - BASE, value)
        else:
            block.tick()
        bridge.sendall(struct.pack("<II", result, block.interrupt))


main()
