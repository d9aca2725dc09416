// SPDX-License-Identifier: Apache-2.0
// Retirement at any time, in the place of vta_retire, of no more than what has ended. Pushes are not looked at.

module vta_retire #(
  parameter int Depth = vta_pkg::ComputeInsns,

  localparam int CountW = $clog2(Depth + 1)
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       issue_i,
  output logic       ready_o,
  input  logic [1:0] engine_i,
  input  logic       push_prev_i,
  input  logic       push_next_i,
  input  logic       finish_i,
  input  logic [2:0] done_i,
  output logic       retire_o,
  output logic       push_prev_o,
  output logic       push_next_o,
  output logic       finish_o,
  output logic       in_flight_o
);

  (* anyseq *) logic f_retires;
  logic [CountW-1:0] count_q, running_q, running;   // issued and not retired; of them not ended

  assign ready_o     = count_q != CountW'(Depth);
  assign in_flight_o = count_q != '0;
  assign running     = running_q - CountW'(done_i[0]) - CountW'(done_i[1]) - CountW'(done_i[2]);
  assign retire_o    = (count_q != running) && f_retires;
  assign push_prev_o = 1'b0;
  assign push_next_o = 1'b0;
  assign finish_o    = 1'b0;

  always @(posedge clk_i) begin
    if (!rst_ni) begin
      count_q   <= '0;
      running_q <= '0;
    end else begin
      count_q   <= count_q + CountW'(issue_i) - CountW'(retire_o);
      running_q <= running + CountW'(issue_i && (engine_i != 2'd0));
    end
  end

endmodule
