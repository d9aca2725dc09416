// SPDX-License-Identifier: Apache-2.0
// Shares the AXI4 read channels among the requesters: fetch, the load stage, the compute stage. Addresses are granted
// round-robin, a burst at a time; all have one ID, so data come in the order of the grants, and each beat goes to whoever
// asked for it. At most Bursts are under way. The port's side is registered: an address is shown a cycle after its grant,
// a beat goes to its buffer a cycle after it came.
//
// When the requesters are reset and the port is not, an address that is shown stays, as AXI demands, and the beats of what
// was asked for are dropped as they come. Nothing is granted before the last of them.

`include "vta_assert.svh"

module vta_axi_read #(
  parameter int N = 3,
  parameter int Bursts = vta_pkg::ReadBursts,

  localparam int LenW = vta_pkg::BurstLenW
) (
  input  logic                           clk_i,
  input  logic                           rst_ni,        // of the requesters
  input  logic                           port_rst_ni,   // of the port and what is behind it; low only with rst_ni

  // Requesters: byte address of the first beat, beats less one
  input  logic [N-1:0]                   burst_valid_i,
  output logic [N-1:0]                   burst_ready_o,
  input  logic [N*vta_pkg::AddressW-1:0] burst_addr_i,
  input  logic [N*LenW-1:0]              burst_len_i,
  // The beats; requesters take them at once
  output logic [N-1:0]                   beat_valid_o,
  output logic [vta_pkg::BusW-1:0]       beat_data_o,

  // AXI4
  output logic                           ar_valid_o,
  input  logic                           ar_ready_i,
  output logic [vta_pkg::AddressW-1:0]   ar_addr_o,
  output logic [7:0]                     ar_len_o,
  input  logic                           r_valid_i,
  output logic                           r_ready_o,
  input  logic [vta_pkg::BusW-1:0]       r_data_i,
  input  logic [1:0]                     r_resp_i,
  input  logic                           r_last_i,

  // The beat comes with an error
  output logic                           beat_error_o,
  output logic                           idle_o   // nothing is under way that the requesters wait for
);

  localparam int IdW = (N > 1) ? $clog2(N) : 1;

  logic           drain_q, owners_ready, owner_valid, address_ready, granted;
  logic [IdW-1:0] id, owner;

  // Beats come for requesters of before a reset
  always_ff @(posedge clk_i) begin
    if (!port_rst_ni)      drain_q <= 1'b0;
    else if (!rst_ni)      drain_q <= 1'b1;
    else if (!owner_valid) drain_q <= 1'b0;
  end

  vta_arbiter #(
    .N(N)
  ) u_arbiter (
    .clk_i,
    .rst_ni,
    .valid_i(burst_valid_i),
    .grant_o(burst_ready_o),
    .valid_o(),
    .ready_i(address_ready && owners_ready && !drain_q),
    .id_o   (id)
  );

  assign granted = burst_ready_o != '0;

  logic [LenW-1:0] shown_len;
  assign ar_len_o = 8'(shown_len);

  vta_spill #(
    .Width  (vta_pkg::AddressW + LenW),
    .Latency(vta_pkg::AddressShown)
  ) u_address (
    .clk_i,
    .rst_ni (port_rst_ni),
    .valid_i(granted),
    .ready_o(address_ready),
    .data_i ({burst_addr_i[id*vta_pkg::AddressW +: vta_pkg::AddressW], burst_len_i[id*LenW +: LenW]}),
    .valid_o(ar_valid_o),
    .ready_i(ar_ready_i),
    .data_o ({ar_addr_o, shown_len})
  );

  // A beat as it came
  logic                     beat_valid_q, beat_error_q, beat_last_q;
  logic [vta_pkg::BusW-1:0] beat_data_q;

  assign r_ready_o = 1'b1;

  always_ff @(posedge clk_i) begin
    if (!port_rst_ni) beat_valid_q <= 1'b0;
    else              beat_valid_q <= r_valid_i;
  end

  always_ff @(posedge clk_i) begin
    beat_data_q  <= r_data_i;
    beat_error_q <= r_resp_i[1];
    beat_last_q  <= r_last_i;
  end

  // Who asked for the bursts under way
  vta_fifo #(
    .Width(IdW),
    .Depth(Bursts)
  ) u_owners (
    .clk_i,
    .rst_ni (port_rst_ni),
    .flush_i(1'b0),
    .valid_i(granted),
    .ready_o(owners_ready),
    .data_i (id),
    .valid_o(owner_valid),
    .ready_i(beat_valid_q && beat_last_q),
    .data_o (owner),
    .count_o()
  );

  assign beat_valid_o = (beat_valid_q && !drain_q) ? (N'(1) << owner) : '0;
  assign beat_data_o  = beat_data_q;
  assign beat_error_o = beat_error_q;
  assign idle_o       = !owner_valid || drain_q;

  `VTA_ASSERT(DataComeOnlyWhenAskedFor, !beat_valid_q || owner_valid)

`ifdef FORMAL
`include "vta_axi_read.formal.svh"
`endif

endmodule
