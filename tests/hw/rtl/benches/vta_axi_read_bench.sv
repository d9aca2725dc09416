// SPDX-License-Identifier: Apache-2.0
// The read port: three requesters, a memory that answers in order whenever it likes. Every beat must reach who asked for
// it, an address that has been shown must stay, and no more bursts may be under way than agreed.
module vta_axi_read_bench;
  `include "bench.svh"
  `include "memory.svh"

  localparam int N      = 3;
  localparam int Bursts = 4;
  localparam int BusW   = vta_pkg::BusW;

  logic [N-1:0]    burst_valid = '0, burst_ready, beat_valid;
  logic [N*32-1:0] burst_addr = '0;
  logic [N*4-1:0]  burst_len = '0;
  logic [BusW-1:0] beat_data, r_data = '0;
  logic            ar_valid, ar_ready = 1'b0, r_valid = 1'b0, r_ready, r_last = 1'b0, beat_error, idle;
  logic [31:0]     ar_addr;
  logic [7:0]      ar_len;
  logic [1:0]      r_resp = '0;

  vta_axi_read #(
    .N     (N),
    .Bursts(Bursts)
  ) u_dut (
    .clk_i        (clk),
    .rst_ni       (rst_n),
    .port_rst_ni  (rst_n),
    .burst_valid_i(burst_valid),
    .burst_ready_o(burst_ready),
    .burst_addr_i (burst_addr),
    .burst_len_i  (burst_len),
    .beat_valid_o (beat_valid),
    .beat_data_o  (beat_data),
    .ar_valid_o   (ar_valid),
    .ar_ready_i   (ar_ready),
    .ar_addr_o    (ar_addr),
    .ar_len_o     (ar_len),
    .r_valid_i    (r_valid),
    .r_ready_o    (r_ready),
    .r_data_i     (r_data),
    .r_resp_i     (r_resp),
    .r_last_i     (r_last),
    .beat_error_o (beat_error),
    .idle_o       (idle)
  );

  // Who asked for the bursts under way, in the order of the grants; addresses that were granted and not taken; what
  // memory still has to send
  int          owners [$], lefts [$], asked_beats [$];
  logic [31:0] addrs [$], asked_addrs [$];
  // The beat of the cycle before
  logic            came = 1'b0, came_last, came_error;
  logic [BusW-1:0] came_data;
  int          beats = 0;
  int          ask_percent = 50, ar_percent = 50, r_percent = 50;

  always @(negedge clk) begin
    if (cycle % 64 == 0) begin
      ask_percent = percentage();
      ar_percent  = percentage();
      r_percent   = percentage();
    end
    for (int i = 0; i < N; i++) begin
      if (rst_n && !burst_valid[i] && chance(ask_percent)) begin
        burst_valid[i]         = 1'b1;
        burst_addr[i*32 +: 32] = $random(seed);
        burst_len[i*4 +: 4]    = 4'(below(16));
      end
    end
    ar_ready = chance(ar_percent);
    r_valid  = (addrs.size() > 0) && chance(r_percent);
    r_data   = r_valid ? beat_at(addrs[0]) : BusW'(random_bits());
    r_last   = r_valid && (lefts[0] == 1);
    r_resp   = (below(50) == 0) ? 2'b10 : 2'b00;
  end

  always @(posedge clk) if (rst_n) begin
    `CHECK(r_ready)
    `CHECK(idle == (owners.size() == 0))
    // A beat goes on in the cycle after
    `CHECK(beat_valid == (came ? N'(1) << owners[0] : N'(0)))
    if (came) begin
      `CHECK(beat_data == came_data && beat_error == came_error)
      if (came_last) owners.delete(0);
      beats = beats + 1;
    end
    came       = r_valid;
    came_data  = r_data;
    came_error = r_resp == 2'b10;
    came_last  = r_last;
    if (r_valid) begin
      addrs[0] = addrs[0] + BusW / 8;
      lefts[0] = lefts[0] - 1;
      if (r_last) begin
        addrs.delete(0);
        lefts.delete(0);
      end
    end

    // What was granted is shown from the cycle after on, until it is taken
    `CHECK(ar_valid == (asked_addrs.size() > 0))
    if (ar_valid) begin
      `CHECK(ar_addr == asked_addrs[0] && int'(ar_len) + 1 == asked_beats[0])
      if (ar_ready) begin
        addrs.push_back(asked_addrs[0]);
        lefts.push_back(asked_beats[0]);
        asked_addrs.delete(0);
        asked_beats.delete(0);
      end
    end
    `CHECK((burst_ready & ~burst_valid) == '0)
    `CHECK((burst_ready & (burst_ready - 1'b1)) == '0)
    for (int i = 0; i < N; i++) begin
      if (burst_ready[i]) begin
        owners.push_back(i);
        asked_addrs.push_back(burst_addr[i*32 +: 32]);
        asked_beats.push_back(int'(burst_len[i*4 +: 4]) + 1);
        burst_valid[i] <= 1'b0;
      end
    end
    `CHECK(owners.size() <= Bursts && asked_addrs.size() <= 2)
    if (cycle == 20000) begin
      `CHECK(beats > 1000)
      pass();
    end
  end
endmodule
