// SPDX-License-Identifier: Apache-2.0
// A column of the GEMM tile with multipliers of its own. Three cycles: products, sums of four, their sum.

module vta_gemm_column #(
  parameter int BlockIn = vta_pkg::BlockIn,
  parameter int InpW    = vta_pkg::InpW,
  parameter int WgtW    = vta_pkg::WgtW,
  parameter int AccW    = vta_pkg::AccW
) (
  input  logic                    clk_i,

  input  logic                    operands_valid_i,
  input  logic [BlockIn*InpW-1:0] inp_i,
  input  logic [BlockIn*WgtW-1:0] wgt_i,

  input  logic                    products_valid_i,
  input  logic                    parts_valid_i,
  output logic [AccW-1:0]         sum_o
);

  localparam int ProductW = InpW + WgtW;

  logic [BlockIn*ProductW-1:0] products_q;

  localparam int Few   = 4;
  localparam int Parts = (BlockIn + Few - 1) / Few;
  localparam int PartW = ProductW + $clog2(Few);
  logic [Parts*PartW-1:0] parts_q;
  logic signed [AccW-1:0] sum;

  always_ff @(posedge clk_i) begin
    if (operands_valid_i) begin
      for (int i = 0; i < BlockIn; i++) begin
        products_q[i*ProductW +: ProductW] <=
            ProductW'($signed(wgt_i[i*WgtW +: WgtW])) * ProductW'($signed(inp_i[i*InpW +: InpW]));
      end
    end
  end

  for (genvar p = 0; p < Parts; p++) begin : g_part
    localparam int End = ((p + 1) * Few < BlockIn) ? (p + 1) * Few : BlockIn;
    logic signed [PartW-1:0] part;

    always_comb begin
      part = '0;
      for (int i = p * Few; i < End; i++) part = part + PartW'($signed(products_q[i*ProductW +: ProductW]));
    end

    always_ff @(posedge clk_i) begin
      if (products_valid_i) parts_q[p*PartW +: PartW] <= part;
    end
  end

  always_comb begin
    sum = '0;
    for (int p = 0; p < Parts; p++) sum = sum + AccW'($signed(parts_q[p*PartW +: PartW]));
  end

  always_ff @(posedge clk_i) begin
    if (parts_valid_i) sum_o <= sum;
  end

endmodule
