// SPDX-License-Identifier: Apache-2.0
// The multipliers: for every row b and column o of the tile, the sum over i of inp[b][i] * wgt[o][i]. Three cycles: products,
// sums of a few, sums. Two columns share multipliers where the widths allow (vta_gemm_pair) and ShareMultipliers says so:
// it pays where a multiplier slice takes 25 bits, as a DSP48E1 does.

module vta_gemm_core #(
  parameter int Batch    = vta_pkg::Batch,
  parameter int BlockIn  = vta_pkg::BlockIn,
  parameter int BlockOut = vta_pkg::BlockOut,
  parameter int InpW     = vta_pkg::InpW,
  parameter int WgtW     = vta_pkg::WgtW,
  parameter int AccW     = vta_pkg::AccW,
  parameter int ShareMultipliers = 1
) (
  input  logic                               clk_i,

  input  logic                               operands_valid_i,
  input  logic [Batch*BlockIn*InpW-1:0]      inp_i,
  input  logic [BlockOut*BlockIn*WgtW-1:0]   wgt_i,

  // The operands came in the cycle before, and two before
  input  logic                               products_valid_i,
  input  logic                               parts_valid_i,
  // Sums, modulo 2^AccW, follow in the cycle after parts_valid_i
  output logic [Batch*BlockOut*AccW-1:0]     sum_o
);

  localparam int   ProductW = InpW + WgtW;
  localparam logic Shared   = (ShareMultipliers != 0) && (2 * ProductW <= 32) && (BlockOut > 1);
  localparam int   Columns  = Shared ? 2 : 1;

  for (genvar b = 0; b < Batch; b++) begin : g_row
    for (genvar o = 0; o < BlockOut; o = o + Columns) begin : g_columns
      if (Shared) begin : g_shared
        vta_gemm_pair #(
          .BlockIn(BlockIn),
          .InpW   (InpW),
          .WgtW   (WgtW),
          .AccW   (AccW)
        ) u_pair (
          .clk_i,
          .operands_valid_i,
          .inp_i(inp_i[b*BlockIn*InpW +: BlockIn*InpW]),
          .wgt_i(wgt_i[o*BlockIn*WgtW +: 2*BlockIn*WgtW]),
          .products_valid_i,
          .parts_valid_i,
          .sum_o(sum_o[(b*BlockOut + o)*AccW +: 2*AccW])
        );
      end else begin : g_plain
        vta_gemm_column #(
          .BlockIn(BlockIn),
          .InpW   (InpW),
          .WgtW   (WgtW),
          .AccW   (AccW)
        ) u_column (
          .clk_i,
          .operands_valid_i,
          .inp_i(inp_i[b*BlockIn*InpW +: BlockIn*InpW]),
          .wgt_i(wgt_i[o*BlockIn*WgtW +: BlockIn*WgtW]),
          .products_valid_i,
          .parts_valid_i,
          .sum_o(sum_o[(b*BlockOut + o)*AccW +: AccW])
        );
      end
    end
  end

endmodule
