// SPDX-License-Identifier: Apache-2.0
// What memory holds: bytes that follow from their address, so that a beat from a wrong place shows.
function automatic logic [7:0] byte_at(input logic [31:0] addr);
  logic [31:0] mixed;
  mixed   = (addr ^ (addr >> 7)) * 32'h9e3779b1;
  byte_at = mixed[23:16];
endfunction

// The beat that begins at a byte address
function automatic logic [vta_pkg::BusW-1:0] beat_at(input logic [31:0] addr);
  for (int i = 0; i < vta_pkg::BusW / 8; i++) beat_at[i*8 +: 8] = byte_at(addr + i);
endfunction
