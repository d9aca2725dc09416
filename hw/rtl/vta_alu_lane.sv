// SPDX-License-Identifier: Apache-2.0
// One lane of the vector ALU: one operation, signed, modulo 2^AccW. Two cycles: in the first every operation but MUL is done
// and MUL's partial products are formed, in the second they are added.
//
// SHR shifts right by y, left by -y when y is negative; an amount of the width or more leaves the sign or zero.

module vta_alu_lane #(
  parameter int AccW = vta_pkg::AccW,
  // Bits without sign that a multiplier slice of the part takes: those of a DSP48E1
  parameter int SliceXW = 24,
  parameter int SliceYW = 17
) (
  input  logic                              clk_i,

  input  logic                              valid_i,
  input  logic                              reset_i,
  input  logic [vta_pkg::AluAluOpcodeW-1:0] op_i,
  input  logic signed [AccW-1:0]            x_i,
  input  logic signed [AccW-1:0]            y_i,

  // A cycle later: the result, but of MUL, or zero for a reset; the result of MUL
  output logic signed [AccW-1:0]            result_o,
  output logic [AccW-1:0]                   product_o
);

  localparam int AmountW = $clog2(AccW);
  logic signed [AccW-1:0] result, shifted, right, left;
  logic                   negative, far_right, far_left;
  logic [AmountW-1:0]     low, left_amount;

  // The amount of a left shift is -y: its low bits are those of y negated, and it is the width or more unless y is one of
  // the negative numbers nearest to zero
  assign negative    = y_i[AccW-1];
  assign low         = y_i[AmountW-1:0];
  assign left_amount = -low;
  assign far_right   = y_i[AccW-2:AmountW] != '0;
  assign far_left    = (y_i[AccW-1:AmountW] != '1) || (low == '0);

  assign shifted = x_i >>> low;
  assign right   = far_right ? {AccW{x_i[AccW-1]}} : shifted;
  assign left    = far_left ? '0 : x_i <<< left_amount;

  always_comb begin
    case (op_i)
      vta_pkg::AluMin: result = (x_i < y_i) ? x_i : y_i;
      vta_pkg::AluMax: result = (x_i < y_i) ? y_i : x_i;
      vta_pkg::AluAdd: result = x_i + y_i;
      default:         result = negative ? left : right;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (valid_i) result_o <= reset_i ? '0 : result;
  end

  // Modulo 2^AccW the sign makes no difference. What is beyond the bits that a slice takes adds to the upper bits alone, so
  // its products are cut to those: with a DSP48E1 one slice more, and a few LUTs.
  localparam int XLowW  = (AccW < SliceXW) ? AccW : SliceXW;
  localparam int YLowW  = (AccW < SliceYW) ? AccW : SliceYW;
  localparam int XHighW = AccW - XLowW;
  localparam int YHighW = AccW - YLowW;

  logic [AccW-1:0] low_q, middle, upper;

  always_ff @(posedge clk_i) begin
    if (valid_i) low_q <= AccW'($unsigned(x_i[XLowW-1:0])) * AccW'($unsigned(y_i[YLowW-1:0]));
  end

  if (YHighW > 0) begin : g_y_high
    logic [YHighW-1:0] product_q;
    always_ff @(posedge clk_i) begin
      if (valid_i) product_q <= x_i[YHighW-1:0] * y_i[AccW-1:YLowW];
    end
    assign middle = {product_q, {YLowW{1'b0}}};
  end else begin : g_y_low
    assign middle = '0;
  end

  if (XHighW > 0) begin : g_x_high
    logic [XHighW-1:0] product_q;
    always_ff @(posedge clk_i) begin
      if (valid_i) product_q <= x_i[AccW-1:XLowW] * y_i[XHighW-1:0];
    end
    assign upper = {product_q, {XLowW{1'b0}}};
  end else begin : g_x_low
    assign upper = '0;
  end

  assign product_o = low_q + middle + upper;

endmodule
