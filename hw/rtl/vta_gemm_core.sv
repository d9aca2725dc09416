// The multipliers: for every row b and column o of the tile, the sum over i of inp[b][i] * wgt[o][i]. Two cycles: products,
// then sums.
//
// Two columns share a multiplier where the widths allow: (w1 << S) + w0 times x gives both products when each fits S bits.
// The lower one may be negative and then has borrowed from the upper; its sign bit gives that back. With 8-bit operands the
// packed one has 24 bits, which is what a DSP48E1 takes.

module vta_gemm_core #(
  parameter int Batch    = vta_pkg::Batch,
  parameter int BlockIn  = vta_pkg::BlockIn,
  parameter int BlockOut = vta_pkg::BlockOut,
  parameter int InpW     = vta_pkg::InpW,
  parameter int WgtW     = vta_pkg::WgtW,
  parameter int AccW     = vta_pkg::AccW
) (
  input  logic                               clk_i,

  input  logic                               operands_valid_i,
  input  logic [Batch*BlockIn*InpW-1:0]      inp_i,
  input  logic [BlockOut*BlockIn*WgtW-1:0]   wgt_i,

  // The operands came in the cycle before
  input  logic                               products_valid_i,
  // Sums, modulo 2^AccW, follow in the cycle after products_valid_i
  output logic [Batch*BlockOut*AccW-1:0]     sum_o
);

  localparam int ProductW = InpW + WgtW;
  localparam logic Shared   = (2 * ProductW <= 32) && (BlockOut > 1);
  // No sum of products needs more, and none keeps more than the accumulator
  localparam int ExactW = ProductW + $clog2(BlockIn);
  localparam int SumW   = (ExactW < AccW) ? ExactW : AccW;
  localparam int CountW = $clog2(BlockIn + 1);

  for (genvar b = 0; b < Batch; b++) begin : g_row
    logic [BlockIn*InpW-1:0] inp;
    assign inp = inp_i[b*BlockIn*InpW +: BlockIn*InpW];

    if (Shared) begin : g_shared
      for (genvar o = 0; o < BlockOut; o = o + 2) begin : g_columns
        logic [BlockIn*WgtW-1:0]       wgt0, wgt1;
        logic [BlockIn*2*ProductW-1:0] products_q;
        logic signed [SumW-1:0]        sum0, upper, sum1;
        logic [CountW-1:0]             borrows;

        assign wgt0 = wgt_i[o*BlockIn*WgtW +: BlockIn*WgtW];
        assign wgt1 = wgt_i[(o+1)*BlockIn*WgtW +: BlockIn*WgtW];

        always_ff @(posedge clk_i) begin
          if (operands_valid_i) begin
            for (int i = 0; i < BlockIn; i++) begin
              products_q[i*2*ProductW +: 2*ProductW] <=
                  (2*ProductW)'(((32'($signed(wgt1[i*WgtW +: WgtW])) <<< ProductW) +
                                 32'($signed(wgt0[i*WgtW +: WgtW]))) *
                                32'($signed(inp[i*InpW +: InpW])));
            end
          end
        end

        always_comb begin
          sum0    = '0;
          upper   = '0;
          borrows = '0;
          for (int i = 0; i < BlockIn; i++) begin
            sum0    = sum0 + SumW'($signed(products_q[i*2*ProductW +: ProductW]));
            upper   = upper + SumW'($signed(products_q[i*2*ProductW + ProductW +: ProductW]));
            borrows = borrows + CountW'(products_q[i*2*ProductW + ProductW - 1]);
          end
        end

        assign sum1 = upper + SumW'(borrows);

        always_ff @(posedge clk_i) begin
          if (products_valid_i) sum_o[(b*BlockOut + o)*AccW +: 2*AccW] <= {AccW'(sum1), AccW'(sum0)};
        end
      end
    end else begin : g_plain
      for (genvar o = 0; o < BlockOut; o++) begin : g_column
        logic [BlockIn*WgtW-1:0]     wgt;
        logic [BlockIn*ProductW-1:0] products_q;
        logic signed [SumW-1:0]      sum;

        assign wgt = wgt_i[o*BlockIn*WgtW +: BlockIn*WgtW];

        always_ff @(posedge clk_i) begin
          if (operands_valid_i) begin
            for (int i = 0; i < BlockIn; i++) begin
              products_q[i*ProductW +: ProductW] <=
                  ProductW'($signed(wgt[i*WgtW +: WgtW])) * ProductW'($signed(inp[i*InpW +: InpW]));
            end
          end
        end

        always_comb begin
          sum = '0;
          for (int i = 0; i < BlockIn; i++) sum = sum + SumW'($signed(products_q[i*ProductW +: ProductW]));
        end

        always_ff @(posedge clk_i) begin
          if (products_valid_i) sum_o[(b*BlockOut + o)*AccW +: AccW] <= AccW'(sum);
        end
      end
    end
  end

endmodule
