// SPDX-License-Identifier: Apache-2.0
// The vector ALU: one operation on every lane of an element, in two cycles (vta_alu_lane).

module vta_alu #(
  parameter int Lanes = vta_pkg::Batch * vta_pkg::BlockOut,
  parameter int AccW  = vta_pkg::AccW
) (
  input  logic                              clk_i,

  input  logic                              valid_i,
  input  logic                              reset_i,
  input  logic [vta_pkg::AluAluOpcodeW-1:0] op_i,
  input  logic [Lanes*AccW-1:0]             x_i,
  input  logic [Lanes*AccW-1:0]             y_i,

  // A cycle later: the result, but of MUL, or zero for a reset; the result of MUL
  output logic [Lanes*AccW-1:0]             result_o,
  output logic [Lanes*AccW-1:0]             product_o
);

  // A module of its own, which synthesis works on once
  for (genvar l = 0; l < Lanes; l++) begin : g_lane
    vta_alu_lane #(
      .AccW(AccW)
    ) u_lane (
      .clk_i,
      .valid_i,
      .reset_i,
      .op_i,
      .x_i      (x_i[l*AccW +: AccW]),
      .y_i      (y_i[l*AccW +: AccW]),
      .result_o (result_o[l*AccW +: AccW]),
      .product_o(product_o[l*AccW +: AccW])
    );
  end

endmodule
