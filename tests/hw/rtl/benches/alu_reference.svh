// SPDX-License-Identifier: Apache-2.0
// What an ALU operation makes of one lane, in integers wide enough never to wrap.
function automatic logic [vta_pkg::AccW-1:0] alu_reference(input logic [2:0] op, input logic signed [vta_pkg::AccW-1:0] x,
                                                           input logic signed [vta_pkg::AccW-1:0] y);
  logic signed [63:0] a, b, r;
  a = x;
  b = y;
  case (op)
    3'(vta_pkg::AluMin): r = (a < b) ? a : b;
    3'(vta_pkg::AluMax): r = (a > b) ? a : b;
    3'(vta_pkg::AluAdd): r = a + b;
    3'(vta_pkg::AluMul): r = a * b;
    default: begin
      // One place at a time, and no further than any width
      r = a;
      if (b >= 0) for (int i = 0; i < 64 && i < b; i++) r = r >>> 1;
      else        for (int i = 0; i < 64 && i < -b; i++) r = r << 1;
    end
  endcase
  alu_reference = r[vta_pkg::AccW-1:0];
endfunction
