// SPDX-License-Identifier: Apache-2.0
// A port that takes bursts and beats at any time, and answers what was sent at any time, in its order, in the place of
// vta_axi_write.

module vta_axi_write #(
  parameter int Bursts = vta_pkg::WriteBursts,

  localparam int BusW = vta_pkg::BusW,
  localparam int LenW = vta_pkg::BurstLenW
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  input  logic                         port_rst_ni,
  input  logic                         burst_valid_i,
  output logic                         burst_ready_o,
  input  logic [vta_pkg::AddressW-1:0] burst_addr_i,
  input  logic [LenW-1:0]              burst_len_i,
  input  logic                         burst_mark_i,
  input  logic                         beat_valid_i,
  output logic                         beat_ready_o,
  input  logic [BusW-1:0]              beat_data_i,
  input  logic [BusW/8-1:0]            beat_strb_i,
  output logic                         response_o,
  output logic                         response_mark_o,
  output logic                         response_error_o,
  output logic                         aw_valid_o,
  input  logic                         aw_ready_i,
  output logic [vta_pkg::AddressW-1:0] aw_addr_o,
  output logic [7:0]                   aw_len_o,
  output logic                         w_valid_o,
  input  logic                         w_ready_i,
  output logic [BusW-1:0]              w_data_o,
  output logic [BusW/8-1:0]            w_strb_o,
  output logic                         w_last_o,
  input  logic                         b_valid_i,
  output logic                         b_ready_o,
  input  logic [1:0]                   b_resp_i,
  output logic                         idle_o
);

  (* anyseq *) logic f_takes, f_takes_beat, f_answers, f_error, f_shows;
  logic room, due;

  assign burst_ready_o    = room && f_takes;
  assign beat_ready_o     = f_takes_beat;
  assign response_o       = due && f_answers;
  assign response_error_o = f_error;
  assign aw_valid_o       = due && f_shows;
  assign idle_o           = !due;
  assign b_ready_o        = 1'b1;
  assign {aw_addr_o, aw_len_o, w_valid_o, w_data_o, w_strb_o, w_last_o} = '0;

  vta_fifo #(
    .Width(1),
    .Depth(Bursts)
  ) u_responses (
    .clk_i,
    .rst_ni (port_rst_ni),
    .flush_i(1'b0),
    .valid_i(burst_valid_i && f_takes),
    .ready_o(room),
    .data_i (burst_mark_i),
    .valid_o(due),
    .ready_i(f_answers),
    .data_o (response_mark_o),
    .count_o()
  );

endmodule
