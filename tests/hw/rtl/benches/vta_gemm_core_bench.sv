// SPDX-License-Identifier: Apache-2.0
// The multipliers against sums of products in 64 bits, with operands that come now and then and hold the corners of their
// range as often as not.
module vta_gemm_core_bench;
  `include "bench.svh"

  localparam int Batch    = vta_pkg::Batch;
  localparam int BlockIn  = vta_pkg::BlockIn;
  localparam int BlockOut = vta_pkg::BlockOut;
  localparam int InpW     = vta_pkg::InpW;
  localparam int WgtW     = vta_pkg::WgtW;
  localparam int AccW     = vta_pkg::AccW;
  localparam int SumsW    = Batch * BlockOut * AccW;

  logic                             operands_valid = 1'b0, products_valid = 1'b0, parts_valid = 1'b0;
  logic [Batch*BlockIn*InpW-1:0]    inp = '0;
  logic [BlockOut*BlockIn*WgtW-1:0] wgt = '0;
  logic [SumsW-1:0]                 sum;
  int                               percent = 50;

  vta_gemm_core u_dut (
    .clk_i           (clk),
    .operands_valid_i(operands_valid),
    .inp_i           (inp),
    .wgt_i           (wgt),
    .products_valid_i(products_valid),
    .parts_valid_i   (parts_valid),
    .sum_o           (sum)
  );

  function automatic logic [SumsW-1:0] sums();
    logic signed [63:0] total;
    for (int b = 0; b < Batch; b++) begin
      for (int o = 0; o < BlockOut; o++) begin
        total = 0;
        for (int i = 0; i < BlockIn; i++) begin
          total = total + 64'($signed(inp[(b*BlockIn + i)*InpW +: InpW])) *
                          64'($signed(wgt[(o*BlockIn + i)*WgtW +: WgtW]));
        end
        sums[(b*BlockOut + o)*AccW +: AccW] = AccW'(total);
      end
    end
  endfunction

  // The least and the greatest number, and those next to them, are where products and their signs go wrong
  function automatic logic [15:0] operand(input int width);
    case (below(5))
      0:       operand = 16'h1 << (width - 1);
      1:       operand = (16'h1 << (width - 1)) - 16'h1;
      2:       operand = 16'hffff;
      3:       operand = '0;
      default: operand = 16'(random_bits());
    endcase
  endfunction

  always @(negedge clk) begin
    if (cycle % 64 == 0) percent = percentage();
    operands_valid = chance(percent);
    for (int i = 0; i < Batch * BlockIn; i++) inp[i*InpW +: InpW] = InpW'(operand(InpW));
    for (int i = 0; i < BlockOut * BlockIn; i++) wgt[i*WgtW +: WgtW] = WgtW'(operand(WgtW));
  end

  // The sums that are on their way, and the last that arrived: a sum stays until the next one comes
  logic [SumsW-1:0] products_sum, parts_sum, shown_sum;
  logic             shown = 1'b0;

  always @(posedge clk) begin
    if (shown) begin
      `CHECK(sum == shown_sum)
    end
    if (parts_valid) begin
      shown     = 1'b1;
      shown_sum = parts_sum;
    end
    if (products_valid) parts_sum = products_sum;
    if (operands_valid) products_sum = sums();
    parts_valid    <= products_valid;
    products_valid <= operands_valid;
    if (cycle == 500) pass();
  end
endmodule
