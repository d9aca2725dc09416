// One lane of the vector ALU: one operation, signed, modulo 2^AccW. Combinational.
//
// SHR shifts right by y, left by -y when y is negative; an amount of the width or more leaves the sign or zero.

module vta_alu_lane #(
  parameter int AccW = vta_pkg::AccW
) (
  input  logic [vta_pkg::AluAluOpcodeW-1:0] op_i,
  input  logic signed [AccW-1:0]            x_i,
  input  logic signed [AccW-1:0]            y_i,
  output logic signed [AccW-1:0]            result_o
);

  localparam int AmountW = $clog2(AccW);
  logic signed [AccW-1:0] left_by;
  logic                   far_right, far_left;
  logic [AmountW-1:0]     right_amount, left_amount;

  assign left_by   = -y_i;
  assign far_right = y_i >= $signed(AccW'(AccW));
  // The least number is its own negative
  assign far_left  = (left_by >= $signed(AccW'(AccW))) || (left_by < 0);

  assign right_amount = far_right ? AmountW'(AccW - 1) : y_i[AmountW-1:0];
  assign left_amount  = left_by[AmountW-1:0];

  always_comb begin
    case (op_i)
      vta_pkg::AluMin: result_o = (x_i < y_i) ? x_i : y_i;
      vta_pkg::AluMax: result_o = (x_i < y_i) ? y_i : x_i;
      vta_pkg::AluAdd: result_o = x_i + y_i;
      vta_pkg::AluShr: begin
        if (y_i >= 0) result_o = x_i >>> right_amount;
        else          result_o = far_left ? '0 : x_i <<< left_amount;
      end
      default:               result_o = x_i * y_i;
    endcase
  end

endmodule
