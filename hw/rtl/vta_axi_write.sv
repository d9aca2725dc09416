// SPDX-License-Identifier: Apache-2.0
// The AXI4 write channels: bursts whose addresses are sent ahead of their data, and the responses to them. At most Bursts
// are under way. The port's side is registered: addresses and data are shown a cycle after they are sent, or once memory
// has taken what is shown before them; data are never sent before their address. A response is given a cycle after it came.
//
// When the requester is reset and the port is not, what was sent is ended as AXI demands: an address that is shown stays,
// the beats that are missing come without strobes, and the responses are dropped. No burst is taken before that.

`include "vta_assert.svh"

module vta_axi_write #(
  parameter int Bursts = vta_pkg::WriteBursts,

  localparam int BusW = vta_pkg::BusW,
  localparam int LenW = vta_pkg::BurstLenW
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,        // of the requester
  input  logic                         port_rst_ni,   // of the port and what is behind it; low only with rst_ni

  // Requester: byte address of the first beat, beats less one, a mark that comes back with the response
  input  logic                         burst_valid_i,
  output logic                         burst_ready_o,
  input  logic [vta_pkg::AddressW-1:0] burst_addr_i,
  input  logic [LenW-1:0]              burst_len_i,
  input  logic                         burst_mark_i,
  // Beats of the bursts, in their order
  input  logic                         beat_valid_i,
  output logic                         beat_ready_o,
  input  logic [BusW-1:0]              beat_data_i,
  input  logic [BusW/8-1:0]            beat_strb_i,
  // The responses; the requester takes them at once
  output logic                         response_o,
  output logic                         response_mark_o,
  output logic                         response_error_o,

  // AXI4
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

  output logic                         idle_o   // nothing is under way that the requester waits for
);

  // Bursts are ended that a reset left behind
  logic drain_q, response_due;

  always_ff @(posedge clk_i) begin
    if (!port_rst_ni)       drain_q <= 1'b0;
    else if (!rst_ni)       drain_q <= 1'b1;
    else if (!response_due) drain_q <= 1'b0;
  end

  // Addresses
  logic            address_ready, address_sent, responses_ready;
  logic [LenW-1:0] shown_len;

  assign burst_ready_o = address_ready && responses_ready && !drain_q;
  assign address_sent  = burst_valid_i && burst_ready_o;
  assign aw_len_o      = 8'(shown_len);

  vta_spill #(
    .Width  (vta_pkg::AddressW + LenW),
    .Latency(vta_pkg::AddressShown)
  ) u_address (
    .clk_i,
    .rst_ni (port_rst_ni),
    .valid_i(address_sent),
    .ready_o(address_ready),
    .data_i ({burst_addr_i, burst_len_i}),
    .valid_o(aw_valid_o),
    .ready_i(aw_ready_i),
    .data_o ({aw_addr_o, shown_len})
  );

  // Bursts whose data are not all sent. Data do not wait until their address is taken: a memory may take both together
  // only.
  logic            addressed, data_ready, data_sent, last;
  logic [LenW-1:0] len, beat_q;

  vta_fifo #(
    .Width  (LenW),
    .Depth  (Bursts),
    .Latency(vta_pkg::AddressToData)
  ) u_lens (
    .clk_i,
    .rst_ni (port_rst_ni),
    .flush_i(1'b0),
    .valid_i(address_sent),
    .ready_o(),   // has room for whatever has a response to come
    .data_i (burst_len_i),
    .valid_o(addressed),
    .ready_i(data_sent && last),
    .data_o (len),
    .count_o()
  );

  assign beat_ready_o = addressed && data_ready && !drain_q;
  assign data_sent    = (beat_valid_i || drain_q) && addressed && data_ready;
  assign last         = beat_q == len;

  always_ff @(posedge clk_i) begin
    if (!port_rst_ni)   beat_q <= '0;
    else if (data_sent) beat_q <= last ? '0 : beat_q + 1'b1;
  end

  vta_spill #(
    .Width  (BusW + BusW / 8 + 1),
    .Latency(vta_pkg::DataShown)
  ) u_data (
    .clk_i,
    .rst_ni (port_rst_ni),
    .valid_i(data_sent),
    .ready_o(data_ready),
    .data_i ({last, drain_q ? (BusW/8)'(0) : beat_strb_i, beat_data_i}),
    .valid_o(w_valid_o),
    .ready_i(w_ready_i),
    .data_o ({w_last_o, w_strb_o, w_data_o})
  );

  // Responses to come
  logic response_q, error_q;

  assign b_ready_o = 1'b1;

  always_ff @(posedge clk_i) begin
    if (!port_rst_ni) response_q <= 1'b0;
    else              response_q <= b_valid_i;
  end

  always_ff @(posedge clk_i) begin
    error_q <= b_resp_i[1];
  end

  vta_fifo #(
    .Width(1),
    .Depth(Bursts)
  ) u_responses (
    .clk_i,
    .rst_ni (port_rst_ni),
    .flush_i(1'b0),
    .valid_i(address_sent),
    .ready_o(responses_ready),
    .data_i (burst_mark_i),
    .valid_o(response_due),
    .ready_i(response_q),
    .data_o (response_mark_o),
    .count_o()
  );

  assign response_o       = response_q && !drain_q;
  assign response_error_o = error_q;
  assign idle_o           = !response_due || drain_q;

  `VTA_STATIC_ASSERT(ResponsesAreBehindOneRegister, vta_pkg::ResponseToEnd == 1)
  `VTA_ASSERT(ResponsesComeOnlyWhenDue, !response_q || response_due)

`ifdef FORMAL
`include "vta_axi_write.formal.svh"
`endif

endmodule
