// SPDX-License-Identifier: Apache-2.0
// Reads a program's instructions from memory, in bursts that do not cross a multiple of BurstBeats beats, and hands them
// on in order. At most BufferBeats are on their way or waiting, so fetching ahead never holds up data for long.
//
// After stop_i it asks for nothing more and throws away what still comes; idle_o tells when that is over.

`include "vta_assert.svh"

module vta_fetch #(
  parameter int BufferBeats = vta_pkg::FetchBeats
) (
  input  logic                           clk_i,
  input  logic                           rst_ni,

  // A program: byte address of the first instruction, a multiple of 16; how many
  input  logic                           start_i,
  input  logic                           stop_i,
  input  logic [vta_pkg::AddressW-1:0]   addr_i,
  input  logic [vta_pkg::InsnCountW-1:0] count_i,

  // Instructions, with their index
  output logic                           valid_o,
  input  logic                           ready_i,
  output logic [vta_pkg::InsnW-1:0]      insn_o,
  output logic [vta_pkg::InsnCountW-1:0] index_o,
  // Instead of an instruction: memory has answered with an error where it lies
  output logic                           error_o,
  // All have been handed on
  output logic                           exhausted_o,
  // Nothing is under way
  output logic                           idle_o,
  output logic                           beat_o,

  // Memory
  output logic                           burst_valid_o,
  input  logic                           burst_ready_i,
  output logic [vta_pkg::AddressW-1:0]   burst_addr_o,
  output logic [vta_pkg::BurstLenW-1:0]  burst_len_o,
  input  logic                           beat_valid_i,
  input  logic                           beat_error_i,
  input  logic [vta_pkg::BusW-1:0]       beat_data_i
);

  localparam int BusLog  = vta_pkg::BusLog;
  localparam int BusW    = vta_pkg::BusW;
  localparam int InsnW   = vta_pkg::InsnW;
  localparam int CountW  = vta_pkg::InsnCountW;
  localparam int BeatW   = vta_pkg::AddressW - BusLog;
  localparam int LenW    = vta_pkg::BurstLenW;
  localparam int CreditW = $clog2(BufferBeats + 1);

  // Bursts
  logic               asking_q;
  logic [BeatW-1:0]   beat_q, end_q;
  logic [CreditW-1:0] promised_q;
  logic               taken, pop, last_burst, stop_q;
  logic [vta_pkg::AddressW-1:0] end_addr;

  assign last_burst    = beat_q[BeatW-1:LenW] == end_q[BeatW-1:LenW];
  assign burst_len_o   = (last_burst ? end_q[LenW-1:0] : LenW'(vta_pkg::BurstBeats - 1)) - beat_q[LenW-1:0];
  assign burst_addr_o  = {beat_q, {BusLog{1'b0}}};
  // Room for the longest
  assign burst_valid_o = asking_q && (32'(promised_q) <= BufferBeats - vta_pkg::BurstBeats);
  assign taken         = burst_valid_o && burst_ready_i;
  assign end_addr      = addr_i + (vta_pkg::AddressW'(count_i) << $clog2(InsnW / 8)) - 1'b1;

  always_ff @(posedge clk_i) begin
    if (!rst_ni)          asking_q <= 1'b0;
    else if (start_i)     asking_q <= count_i != '0;
    // A burst that the arbiter has chosen must not be taken back
    else if (taken && (last_burst || stop_q || stop_i)) asking_q <= 1'b0;
    else if (stop_q && !burst_valid_o)                  asking_q <= 1'b0;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) promised_q <= '0;
    else promised_q <= promised_q + (taken ? CreditW'(burst_len_o) + 1'b1 : '0) - CreditW'(pop);
  end

  always_ff @(posedge clk_i) begin
    if (start_i) begin
      beat_q <= addr_i[vta_pkg::AddressW-1:BusLog];
      end_q  <= (vta_pkg::AddressW - BusLog)'(end_addr >> BusLog);
    end else if (taken) begin
      beat_q <= {beat_q[BeatW-1:LenW] + 1'b1, {LenW{1'b0}}};
    end
  end

  // Beats
  logic            beat_valid, beat_error, buffer_ready;
  logic [BusW-1:0] beat_data;

  vta_fifo #(
    .Width  (BusW + 1),
    .Depth  (BufferBeats),
    .Latency(vta_pkg::BeatToBuffer - 1)   // behind the register of vta_axi_read
  ) u_buffer (
    .clk_i,
    .rst_ni,
    .flush_i(1'b0),
    .valid_i(beat_valid_i),
    .ready_o(buffer_ready),
    .data_i ({beat_error_i, beat_data_i}),
    .valid_o(beat_valid),
    .ready_i(pop),
    .data_o ({beat_error, beat_data}),
    .count_o()
  );

  // Instructions: halves of one, or several in a beat
  logic [CountW-1:0] index_q, count_q;
  logic              more_q, wanted, whole, insn_error, taken_insn, beat_empty;

  assign wanted      = !stop_q && more_q;
  assign valid_o     = wanted && whole && !insn_error;
  assign error_o     = wanted && whole && insn_error;
  assign taken_insn  = valid_o && ready_i;
  assign pop         = beat_valid && (stop_q || !wanted || beat_empty);
  assign index_o     = index_q;
  assign exhausted_o = !more_q;
  assign beat_o      = beat_valid_i;
  assign idle_o      = !asking_q && (promised_q == '0);

  if (BusW < InsnW) begin : g_halves
    logic            have_low_q, low_error_q;
    logic [BusW-1:0] low_q;

    assign whole      = beat_valid && have_low_q;
    assign insn_error = beat_error || low_error_q;
    assign insn_o     = {beat_data, low_q};
    assign beat_empty = !have_low_q || taken_insn;

    always_ff @(posedge clk_i) begin
      if (!rst_ni || start_i) have_low_q <= 1'b0;
      else if (pop)           have_low_q <= !have_low_q;
    end
    always_ff @(posedge clk_i) begin
      if (pop) {low_error_q, low_q} <= {beat_error, beat_data};
    end
  end else if (BusW == InsnW) begin : g_whole
    assign whole      = beat_valid;
    assign insn_error = beat_error;
    assign insn_o     = beat_data;
    assign beat_empty = taken_insn;
  end else begin : g_several
    localparam int Slots = BusW / InsnW;
    localparam int SlotW = $clog2(Slots);
    logic [SlotW-1:0] slot_q;

    assign whole      = beat_valid;
    assign insn_error = beat_error;
    assign insn_o     = beat_data[32'(slot_q)*InsnW +: InsnW];
    assign beat_empty = taken_insn && (slot_q == SlotW'(Slots - 1));

    always_ff @(posedge clk_i) begin
      if (start_i)         slot_q <= addr_i[$clog2(InsnW / 8) +: SlotW];
      else if (taken_insn) slot_q <= slot_q + 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      stop_q  <= 1'b0;
      more_q  <= 1'b0;
      index_q <= '0;
      count_q <= '0;
    end else if (start_i) begin
      stop_q  <= 1'b0;
      more_q  <= count_i != '0;
      index_q <= '0;
      count_q <= count_i;
    end else begin
      if (stop_i) stop_q <= 1'b1;
      if (taken_insn) begin
        more_q  <= index_q + 1'b1 != count_q;
        index_q <= index_q + 1'b1;
      end
    end
  end

  `VTA_ASSERT(BeatsAreTakenAtOnce, !beat_valid_i || buffer_ready)

endmodule
