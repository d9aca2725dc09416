// SPDX-License-Identifier: Apache-2.0
// The vector ALU against integers that are wide enough never to wrap, on corner values as often as on random ones.
module vta_alu_bench;
  `include "bench.svh"
  `include "alu_reference.svh"

  localparam int Lanes = vta_pkg::Batch * vta_pkg::BlockOut;
  localparam int AccW  = vta_pkg::AccW;

  logic                  valid = 1'b0, reset = 1'b0;
  logic [2:0]            op = '0;
  logic [Lanes*AccW-1:0] x = '0, y = '0, result, product;

  vta_alu u_dut (
    .clk_i    (clk),
    .valid_i  (valid),
    .reset_i  (reset),
    .op_i     (op),
    .x_i      (x),
    .y_i      (y),
    .result_o (result),
    .product_o(product)
  );

  // All corners of the shift amounts and of the range
  function automatic logic [AccW-1:0] operand();
    case (below(6))
      0:       operand = '0;
      1:       operand = {1'b1, {(AccW - 1){1'b0}}};
      2:       operand = {1'b0, {(AccW - 1){1'b1}}};
      3:       operand = AccW'(below(2 * AccW + 5)) - AccW'(AccW + 2);
      4:       operand = '1;
      default: operand = AccW'(random_bits());
    endcase
  endfunction

  always @(negedge clk) begin
    valid = chance(75);
    reset = chance(10);
    op    = 3'(below(5));
    for (int l = 0; l < Lanes; l++) begin
      x[l*AccW +: AccW] = operand();
      y[l*AccW +: AccW] = operand();
    end
  end

  // Of the last operation, a cycle later and until the next
  logic                  shown = 1'b0, is_mul = 1'b0;
  logic [Lanes*AccW-1:0] expected;

  always @(posedge clk) if (rst_n) begin
    if (shown) begin
      `CHECK((is_mul ? product : result) == expected)
    end
    if (valid) begin
      shown  = 1'b1;
      is_mul = !reset && (op == vta_pkg::AluMul);
      for (int l = 0; l < Lanes; l++) begin
        expected[l*AccW +: AccW] = reset ? '0 : alu_reference(op, x[l*AccW +: AccW], y[l*AccW +: AccW]);
      end
    end
    if (cycle == 1000) pass();
  end
endmodule
