// Shares the AXI4 read channels among the requesters: fetch, the load stage, the compute stage. Addresses are granted
// round-robin, a burst at a time; all have one ID, so data come in the order of the grants, and each beat goes to whoever
// asked for it. At most Bursts are under way.

`include "vta_assert.svh"

module vta_axi_read #(
  parameter int N = 3,
  parameter int Bursts = vta_pkg::ReadBursts,

  localparam int LenW = vta_pkg::BurstLenW
) (
  input  logic                           clk_i,
  input  logic                           rst_ni,

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
  output logic                           idle_o
);

  localparam int IdW = (N > 1) ? $clog2(N) : 1;

  logic           owners_ready, owner_valid, arb_valid;
  logic [IdW-1:0] id, owner;

  vta_arbiter #(
    .N(N)
  ) u_arbiter (
    .clk_i,
    .rst_ni,
    .valid_i(burst_valid_i),
    .grant_o(burst_ready_o),
    .valid_o(arb_valid),
    .ready_i(ar_ready_i && owners_ready),
    .id_o   (id)
  );

  assign ar_valid_o = arb_valid && owners_ready;
  assign ar_addr_o  = burst_addr_i[id*vta_pkg::AddressW +: vta_pkg::AddressW];
  assign ar_len_o   = 8'(burst_len_i[id*LenW +: LenW]);

  // Who asked for the bursts under way
  vta_fifo #(
    .Width(IdW),
    .Depth(Bursts)
  ) u_owners (
    .clk_i,
    .rst_ni,
    .flush_i(1'b0),
    .valid_i(ar_valid_o && ar_ready_i),
    .ready_o(owners_ready),
    .data_i (id),
    .valid_o(owner_valid),
    .ready_i(r_valid_i && r_last_i),
    .data_o (owner),
    .count_o()
  );

  assign r_ready_o    = 1'b1;
  assign beat_valid_o = r_valid_i ? (N'(1) << owner) : '0;
  assign beat_data_o  = r_data_i;
  assign beat_error_o = r_resp_i[1];
  assign idle_o       = !owner_valid;

  `VTA_ASSERT(DataComeOnlyWhenAskedFor, !r_valid_i || owner_valid)

endmodule
