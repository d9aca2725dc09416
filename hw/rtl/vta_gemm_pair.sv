// SPDX-License-Identifier: Apache-2.0
// Two columns of the GEMM tile that share multipliers: (w1 << S) + w0 times x gives both products when each fits S bits.
// The lower one may be negative and then has borrowed from the upper; its sign bit gives that back. With 8-bit operands the
// packed one has 25 bits, which is what a DSP48E1 takes. Three cycles: products, sums of four, sums.

module vta_gemm_pair #(
  parameter int BlockIn = vta_pkg::BlockIn,
  parameter int InpW    = vta_pkg::InpW,
  parameter int WgtW    = vta_pkg::WgtW,
  parameter int AccW    = vta_pkg::AccW
) (
  input  logic                      clk_i,

  input  logic                      operands_valid_i,
  input  logic [BlockIn*InpW-1:0]   inp_i,
  input  logic [2*BlockIn*WgtW-1:0] wgt_i,

  input  logic                      products_valid_i,
  input  logic                      parts_valid_i,
  output logic [2*AccW-1:0]         sum_o
);

  localparam int ProductW = InpW + WgtW;
  localparam int PackedW  = WgtW + ProductW + 1;

  // Flipping the sign bit adds half the range, so that a number may be extended with zeros; the halves are taken back from
  // the packed operand and from the sums. It is there for the simulators, which are a fifth faster with it. The products
  // are flipped behind their register, so that this register can be the multiplier's own.
  localparam logic [WgtW-1:0]     WgtSign     = WgtW'(1 << (WgtW - 1));
  localparam logic signed [PackedW-1:0] WgtBias = PackedW'(WgtSign);
  localparam logic [ProductW-1:0] ProductSign = ProductW'(1 << (ProductW - 1));
  localparam logic [AccW-1:0]     SignsOfSum  = AccW'(BlockIn << (ProductW - 1));

  logic [BlockIn*WgtW-1:0]       wgt0, wgt1;   // wgt0 with its sign bits flipped
  logic [BlockIn*2*ProductW-1:0] products_q;
  logic [BlockIn*2*ProductW-1:0] flipped;      // products_q with both products' sign bits flipped

  // Sums of a few: of both products, and of how many of the lower are positive
  localparam int Few       = 4;
  localparam int Parts     = (BlockIn + Few - 1) / Few;
  localparam int PartW     = ProductW + $clog2(Few);
  localparam int PositiveW = $clog2(Few + 1);
  logic [Parts*PartW-1:0]     lower_q, upper_q;
  logic [Parts*PositiveW-1:0] positive_q;
  logic [AccW-1:0]            lower, upper, positive, sum0, sum1;

  assign wgt0 = wgt_i[0 +: BlockIn*WgtW] ^ {BlockIn{WgtSign}};
  assign wgt1 = wgt_i[BlockIn*WgtW +: BlockIn*WgtW];

  // The width of the packed operand is said in so many words: it decides whether a multiplier slice holds it
  for (genvar i = 0; i < BlockIn; i++) begin : g_product
    logic signed [PackedW-1:0]    both;
    logic signed [InpW-1:0]       x;
    logic signed [2*ProductW-1:0] product;

    assign both    = $signed({wgt1[i*WgtW +: WgtW], {InpW{1'b0}}, wgt0[i*WgtW +: WgtW]}) - WgtBias;
    assign x       = inp_i[i*InpW +: InpW];
    assign product = both * x;

    always_ff @(posedge clk_i) begin
      if (operands_valid_i) products_q[i*2*ProductW +: 2*ProductW] <= product;
    end
  end

  assign flipped = products_q ^ {2 * BlockIn{ProductSign}};

  for (genvar p = 0; p < Parts; p++) begin : g_part
    localparam int End = ((p + 1) * Few < BlockIn) ? (p + 1) * Few : BlockIn;
    logic [PartW-1:0]     lower_part, upper_part;
    logic [PositiveW-1:0] positive_part;

    always_comb begin
      lower_part    = '0;
      upper_part    = '0;
      positive_part = '0;
      for (int i = p * Few; i < End; i++) begin
        lower_part    = lower_part + PartW'(flipped[i*2*ProductW +: ProductW]);
        upper_part    = upper_part + PartW'(flipped[i*2*ProductW + ProductW +: ProductW]);
        positive_part = positive_part + PositiveW'(flipped[i*2*ProductW + ProductW - 1]);
      end
    end

    always_ff @(posedge clk_i) begin
      if (products_valid_i) begin
        lower_q[p*PartW +: PartW]            <= lower_part;
        upper_q[p*PartW +: PartW]            <= upper_part;
        positive_q[p*PositiveW +: PositiveW] <= positive_part;
      end
    end
  end

  always_comb begin
    lower    = '0;
    upper    = '0;
    positive = '0;
    for (int p = 0; p < Parts; p++) begin
      lower    = lower + AccW'(lower_q[p*PartW +: PartW]);
      upper    = upper + AccW'(upper_q[p*PartW +: PartW]);
      positive = positive + AccW'(positive_q[p*PositiveW +: PositiveW]);
    end
  end

  assign sum0 = lower - SignsOfSum;
  assign sum1 = upper - SignsOfSum + AccW'(BlockIn) - positive;

  always_ff @(posedge clk_i) begin
    if (parts_valid_i) sum_o <= {sum1, sum0};
  end

endmodule
