// The vector ALU: one operation on every lane of an element. Combinational.

module vta_alu #(
  parameter int Lanes = vta_pkg::Batch * vta_pkg::BlockOut,
  parameter int AccW  = vta_pkg::AccW
) (
  input  logic [vta_pkg::AluAluOpcodeW-1:0] op_i,
  input  logic [Lanes*AccW-1:0]             x_i,
  input  logic [Lanes*AccW-1:0]             y_i,
  output logic [Lanes*AccW-1:0]             result_o
);

  // A module of its own, which synthesis works on once
  for (genvar l = 0; l < Lanes; l++) begin : g_lane
    vta_alu_lane #(
      .AccW(AccW)
    ) u_lane (
      .op_i,
      .x_i     (x_i[l*AccW +: AccW]),
      .y_i     (y_i[l*AccW +: AccW]),
      .result_o(result_o[l*AccW +: AccW])
    );
  end

endmodule
