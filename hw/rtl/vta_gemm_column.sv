// A column of the GEMM tile with multipliers of its own. Two cycles: products, then their sum.

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
  output logic [AccW-1:0]         sum_o
);

  localparam int ProductW = InpW + WgtW;

  logic [BlockIn*ProductW-1:0] products_q;
  logic signed [AccW-1:0]      sum;

  always_ff @(posedge clk_i) begin
    if (operands_valid_i) begin
      for (int i = 0; i < BlockIn; i++) begin
        products_q[i*ProductW +: ProductW] <=
            ProductW'($signed(wgt_i[i*WgtW +: WgtW])) * ProductW'($signed(inp_i[i*InpW +: InpW]));
      end
    end
  end

  always_comb begin
    sum = '0;
    for (int i = 0; i < BlockIn; i++) sum = sum + AccW'($signed(products_q[i*ProductW +: ProductW]));
  end

  always_ff @(posedge clk_i) begin
    if (products_valid_i) sum_o <= sum;
  end

endmodule
