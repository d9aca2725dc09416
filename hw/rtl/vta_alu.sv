// The vector ALU: one operation on every lane, signed, modulo 2^AccW. Combinational.
//
// SHR shifts right by y, left by -y when y is negative; an amount of the width or more leaves the sign or zero.

module vta_alu #(
  parameter int Lanes = vta_pkg::Batch * vta_pkg::BlockOut,
  parameter int AccW  = vta_pkg::AccW
) (
  input  logic [vta_pkg::AluAluOpcodeW-1:0] op_i,
  input  logic [Lanes*AccW-1:0]             x_i,
  input  logic [Lanes*AccW-1:0]             y_i,
  output logic [Lanes*AccW-1:0]             result_o
);

  for (genvar l = 0; l < Lanes; l++) begin : g_lane
    localparam int AmountW = $clog2(AccW);
    logic signed [AccW-1:0] x, y, left_by, result;
    logic                   far_right, far_left;
    logic [AmountW-1:0]     right_amount, left_amount;

    assign x         = x_i[l*AccW +: AccW];
    assign y         = y_i[l*AccW +: AccW];
    assign left_by   = -y;
    assign far_right = y >= $signed(AccW'(AccW));
    // The least number is its own negative
    assign far_left  = (left_by >= $signed(AccW'(AccW))) || (left_by < 0);

    assign right_amount = far_right ? AmountW'(AccW - 1) : y[AmountW-1:0];
    assign left_amount  = left_by[AmountW-1:0];

    always_comb begin
      case (op_i)
        vta_pkg::AluMin: result = (x < y) ? x : y;
        vta_pkg::AluMax: result = (x < y) ? y : x;
        vta_pkg::AluAdd: result = x + y;
        vta_pkg::AluShr: begin
          if (y >= 0) result = x >>> right_amount;
          else        result = far_left ? '0 : x <<< left_amount;
        end
        default:             result = x * y;
      endcase
    end

    assign result_o[l*AccW +: AccW] = result;
  end

endmodule
