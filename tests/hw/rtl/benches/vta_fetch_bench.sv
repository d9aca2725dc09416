// SPDX-License-Identifier: Apache-2.0
// Fetch: programs at any address and of any length, also none, handed on in order whatever memory and the dispatcher do;
// stopped at any moment it throws away what still comes and can start again. A beat that memory answers with an error
// stands in the way of its instruction, and of no other.
module vta_fetch_bench;
  `include "bench.svh"
  `include "memory.svh"

  localparam int BusBytes = vta_pkg::BusW / 8;

  logic                           start = 1'b0, stop = 1'b0, valid, ready = 1'b0, exhausted, idle, beat;
  logic [31:0]                    addr = '0;
  logic [vta_pkg::InsnCountW-1:0] count = '0, index;
  logic [127:0]                   insn, wanted;
  logic                           burst_valid, burst_ready = 1'b0, beat_valid = 1'b0;
  logic [31:0]                    burst_addr;
  logic [3:0]                     burst_len;
  logic [vta_pkg::BusW-1:0]       beat_data = '0;
  logic                           beat_error = 1'b0, error;

  vta_fetch u_dut (
    .clk_i        (clk),
    .rst_ni       (rst_n),
    .start_i      (start),
    .stop_i       (stop),
    .addr_i       (addr),
    .count_i      (count),
    .valid_o      (valid),
    .ready_i      (ready),
    .insn_o       (insn),
    .index_o      (index),
    .error_o      (error),
    .exhausted_o  (exhausted),
    .idle_o       (idle),
    .beat_o       (beat),
    .burst_valid_o(burst_valid),
    .burst_ready_i(burst_ready),
    .burst_addr_o (burst_addr),
    .burst_len_o  (burst_len),
    .beat_valid_i (beat_valid),
    .beat_error_i (beat_error),
    .beat_data_i  (beat_data)
  );

  logic [31:0] beats [$];     // asked for and not come
  logic [31:0] base, expected;   // of the program; of the next burst
  int          next = 0, length = 0, programs = 0, errors = 0;
  logic        stopped = 1'b1, shown = 1'b0;
  logic [31:0] shown_addr;
  logic [3:0]  shown_len;
  int          ready_percent = 50, burst_percent = 50, beat_percent = 50;

  // Memory is broken at some places, where few programs lie
  function automatic logic broken(input logic [31:0] at);
    broken = at[13:10] == 4'd7;
  endfunction

  function automatic logic broken_insn(input logic [31:0] at);
    broken_insn = 1'b0;
    for (int i = 0; i < 16; i++) broken_insn = broken_insn || broken((at + i) & -BusBytes);
  endfunction

  always @(negedge clk) begin
    if (cycle % 64 == 0) begin
      ready_percent = percentage();
      burst_percent = percentage();
      beat_percent  = percentage();
    end
    ready       = chance(ready_percent);
    burst_ready = chance(burst_percent);
    beat_valid  = (beats.size() > 0) && chance(beat_percent);
    beat_error  = broken(beat_valid ? beats[0] : 32'd0);
    beat_data   = beat_valid ? beat_at(beats[0]) : (vta_pkg::BusW)'(random_bits());
    stop        = rst_n && (below(400) == 0);
    // A run starts when the last is over: all handed on, or stopped, and nothing under way
    start = rst_n && idle && (stopped || exhausted) && !stop && chance(20);
    if (start) begin
      addr  = {$random(seed)} & 32'hffff_fff0;
      count = (vta_pkg::InsnCountW)'(below(150));
    end
  end

  always @(posedge clk) if (rst_n) begin
    // Instructions
    if (stopped || next == length) begin
      `CHECK(!valid && !error)
    end
    if (error) begin
      `CHECK(!valid && broken_insn(base + 16 * next))
      errors = errors + 1;
    end
    if (valid) begin
      `CHECK(!broken_insn(base + 16 * next))
      for (int i = 0; i < 16; i++) wanted[i*8 +: 8] = byte_at(base + 16 * next + i);
      `CHECK(insn == wanted)
      `CHECK(int'(index) == next)
    end
    if (!stopped) begin
      `CHECK(exhausted == (next == length))
    end
    if (valid && ready) next = next + 1;

    // Bursts stay until they are taken, lie within 16 beats, and hold nothing but the program
    if (shown) begin
      `CHECK(burst_valid && burst_addr == shown_addr && burst_len == shown_len)
    end
    shown      = burst_valid && !burst_ready;
    shown_addr = burst_addr;
    shown_len  = burst_len;
    if (beat_valid) beats.delete(0);
    if (burst_valid && burst_ready) begin
      `CHECK(burst_addr % BusBytes == 0)
      `CHECK((burst_addr / BusBytes) % 16 + 32'(burst_len) < 16)
      `CHECK(burst_addr == expected)
      expected = burst_addr + (32'(burst_len) + 1) * BusBytes;
      `CHECK(expected - base < 16 * length + BusBytes)
      for (int i = 0; i <= int'(burst_len); i++) beats.push_back(burst_addr + i * BusBytes);
    end
    `CHECK(beats.size() <= 64)
    `CHECK(beat == beat_valid)
    if (beats.size() > 0) begin
      `CHECK(!idle)
    end

    if (stop) stopped = 1'b1;
    if (start) begin
      base     = addr;
      expected = addr & -BusBytes;
      length   = int'(count);
      next     = 0;
      stopped  = 1'b0;
      programs = programs + 1;
    end
    if (cycle == 12000) begin
      `CHECK(programs > 10 && errors > 0)
      pass();
    end
  end
endmodule
