// SPDX-License-Identifier: Apache-2.0
// The vector engine against the loop nest of the instruction set: ALU instructions with an immediate or a source, resets,
// at once after each other or after a while, on few destinations. One cycle a step, and one for each source that is read.
module vta_vector_engine_bench;
  `include "bench.svh"
  `include "insn.svh"
  `include "alu_reference.svh"

  localparam int InsnW    = vta_pkg::InsnW;
  localparam int AccW     = vta_pkg::AccW;
  localparam int Lanes    = vta_pkg::Batch * vta_pkg::BlockOut;
  localparam int AccElemW = 8 << vta_pkg::AccElemLog;
  localparam int Insns    = 300;

  localparam int Uops = (vta_pkg::UopDepth < 32) ? vta_pkg::UopDepth : 32;
  localparam int Accs = (vta_pkg::AccDepth < 32) ? vta_pkg::AccDepth : 32;
  logic [31:0]         uops [Uops];
  logic [AccElemW-1:0] accs [Accs], model [Accs];

  logic                          start = 1'b0, ready, uop_rd_en, acc_rd_en, acc_wr_en, active, step, done;
  logic                          may_hold = 1'b0;
  logic [InsnW-1:0]              insn = '0;
  logic [1:0]                    halves = '0, released;
  logic [vta_pkg::UopIndexW-1:0] uop_rd_index, uop_bgn, uop_last;
  logic [vta_pkg::AccIndexW-1:0] acc_rd_index, acc_wr_index;
  logic [31:0]                   uop = '0;
  logic [AccElemW-1:0]           acc = '0, acc_wr_data;

  vta_vector_engine u_dut (
    .clk_i         (clk),
    .rst_ni        (rst_n),
    .start_i       (start),
    .ready_o       (ready),
    .insn_i        (insn),
    .halves_i      (halves),
    .may_hold_i    (may_hold),
    .uop_rd_en_o   (uop_rd_en),
    .uop_rd_index_o(uop_rd_index),
    .uop_i         (uop),
    .acc_rd_en_o   (acc_rd_en),
    .acc_rd_index_o(acc_rd_index),
    .acc_i         (acc),
    .acc_wr_en_o   (acc_wr_en),
    .acc_wr_index_o(acc_wr_index),
    .acc_wr_data_o (acc_wr_data),
    .active_o      (active),
    .uop_bgn_o     (uop_bgn),
    .uop_last_o    (uop_last),
    .step_o        (step),
    .release_o     (released),
    .done_o        (done)
  );

  // An accumulator that is written while it is read may come out as anything
  always @(posedge clk) begin
    if (uop_rd_en) uop <= uops[uop_rd_index];
    if (acc_rd_en) begin
      acc <= (acc_wr_en && acc_wr_index == acc_rd_index) ? {AccElemW{1'bx}} : accs[acc_rd_index];
    end
    if (acc_wr_en) accs[acc_wr_index] <= acc_wr_data;
  end

  // Often none, so that steps in a row have one source
  function automatic int factor();
    factor = (below(2) == 0) ? 0 : below(Accs / 8 + 1);
  endfunction

  // Micro-ops reach half the scratchpad, the loops together what is left
  task automatic choose;
    int bgn, count;
    bgn   = below(Uops);
    count = 1 + below((Uops - bgn < 5) ? Uops - bgn : 5);
    insn  = InsnW'(random_bits());
    if (below(4) == 0) begin
      insn = with_gemm_opcode(insn, vta_pkg::OpGemm);
      insn = with_gemm_reset(insn, 1);
    end else begin
      insn = with_alu_opcode(insn, vta_pkg::OpAlu);
      insn = with_alu_alu_opcode(insn, below(5));
      insn = with_alu_use_imm(insn, (below(3) == 0) ? 1 : 0);
      if (below(2) == 0) insn = with_alu_imm(insn, below(64) - 32);
    end
    insn = with_alu_uop_bgn(insn, bgn);
    insn = with_alu_uop_end(insn, bgn + count);
    insn = with_alu_iter_out(insn, 1 + below(3));
    insn = with_alu_iter_in(insn, 1 + below(3));
    insn = with_alu_dst_factor_out(insn, factor());
    insn = with_alu_dst_factor_in(insn, factor());
    insn = with_alu_src_factor_out(insn, factor());
    insn = with_alu_src_factor_in(insn, factor());
    halves   = 2'(1 + below(3));
    may_hold = (below(8) != 0) && writes_no_source();
  endtask

  function automatic int dst_of(input int u, input int i0, input int i1);
    dst_of = int'(vta_pkg::uop_dst_idx(uops[u])) + i0 * int'(vta_pkg::alu_dst_factor_out(insn)) +
             i1 * int'(vta_pkg::alu_dst_factor_in(insn));
  endfunction

  function automatic int src_of(input int u, input int i0, input int i1);
    src_of = int'(vta_pkg::uop_src_idx(uops[u])) + i0 * int'(vta_pkg::alu_src_factor_out(insn)) +
             i1 * int'(vta_pkg::alu_src_factor_in(insn));
  endfunction

  // More nests than the check lets through, whose ranges must be apart: any order of sources and destinations will do
  function automatic logic writes_no_source();
    logic [Accs-1:0] written, read;
    written = '0;
    read    = '0;
    for (int i0 = 0; i0 < int'(vta_pkg::alu_iter_out(insn)); i0++) begin
      for (int i1 = 0; i1 < int'(vta_pkg::alu_iter_in(insn)); i1++) begin
        for (int u = int'(vta_pkg::alu_uop_bgn(insn)); u < int'(vta_pkg::alu_uop_end(insn)); u++) begin
          written[dst_of(u, i0, i1)] = 1'b1;
          read[src_of(u, i0, i1)]    = 1'b1;
        end
      end
    end
    writes_no_source = (written & read) == '0;
  endfunction

  task automatic operate(input int dst, input int src);
    logic [AccElemW-1:0] y;
    logic signed [15:0]  imm;
    imm = vta_pkg::alu_imm(insn);
    for (int l = 0; l < Lanes; l++) begin
      y[l*AccW +: AccW] = vta_pkg::alu_use_imm(insn) ? AccW'(imm) : model[src][l*AccW +: AccW];
    end
    for (int l = 0; l < Lanes; l++) begin
      model[dst][l*AccW +: AccW] =
          is_reset ? '0 : alu_reference(vta_pkg::alu_alu_opcode(insn), model[dst][l*AccW +: AccW], y[l*AccW +: AccW]);
    end
  endtask

  int         started = 0, ended = 0, start_percent = 50;
  logic       is_reset, has_source;
  // Of the instructions under way: cycles and counted steps to come, micro-ops; halves to be released
  int         cycles [$], lefts [$], bgns [$], lasts [$];
  logic [1:0] releases [$];
  logic [3:1] last_step = '0;   // that so many cycles ago an instruction's last step was made
  logic       is_last;

  task automatic note;
    int steps, reads, held;
    steps      = 0;
    reads      = 0;
    held       = -1;
    is_reset   = vta_pkg::gemm_opcode(insn) == 3'(vta_pkg::OpGemm);
    has_source = !is_reset && !vta_pkg::alu_use_imm(insn);
    for (int i0 = 0; i0 < int'(vta_pkg::alu_iter_out(insn)); i0++) begin
      for (int i1 = 0; i1 < int'(vta_pkg::alu_iter_in(insn)); i1++) begin
        for (int u = int'(vta_pkg::alu_uop_bgn(insn)); u < int'(vta_pkg::alu_uop_end(insn)); u++) begin
          operate(dst_of(u, i0, i1), src_of(u, i0, i1));
          steps = steps + 1;
          if (!may_hold || held != src_of(u, i0, i1)) reads = reads + 1;
          held = src_of(u, i0, i1);
        end
      end
    end
    cycles.push_back(has_source ? steps + reads : steps);
    lefts.push_back(is_reset ? 0 : steps);
    bgns.push_back(int'(vta_pkg::alu_uop_bgn(insn)));
    lasts.push_back(int'(vta_pkg::alu_uop_end(insn)) - 1);
    releases.push_back(halves);
    started = started + 1;
  endtask

  initial begin
    #1;  // The seed is there
    for (int i = 0; i < Uops; i++) begin
      uops[i] = with_uop_dst_idx(with_uop_src_idx(0, below((Accs + 1) / 2)), below((Accs + 1) / 2));
      if (i > 0 && below(2) == 0) uops[i] = with_uop_src_idx(uops[i], int'(vta_pkg::uop_src_idx(uops[i - 1])));
    end
    for (int i = 0; i < Accs; i++) begin
      for (int l = 0; l < AccElemW; l = l + 8) accs[i][l +: 8] = 8'(below(256));
      model[i] = accs[i];
    end
  end

  always @(negedge clk) begin
    if (cycle % 64 == 0) start_percent = percentage();
    start = rst_n && ready && (started < Insns) && chance(start_percent);
    if (start) choose();
  end

  always @(posedge clk) if (rst_n) begin
    // Neither faster nor slower than it should be
    `CHECK(active == (cycles.size() > 0))
    is_last = 1'b0;
    if (active) begin
      `CHECK(int'(uop_bgn) == bgns[0] && int'(uop_last) == lasts[0])
      cycles[0] = cycles[0] - 1;
      if (step) lefts[0] = lefts[0] - 1;
      is_last = cycles[0] == 0;
      if (is_last) begin
        `CHECK(lefts[0] == 0)
        cycles.delete(0);
        lefts.delete(0);
        bgns.delete(0);
        lasts.delete(0);
      end
    end else begin
      `CHECK(!step)
    end
    // The accumulator is read a cycle after the step and written two later: not a cycle too soon
    `CHECK(released == (last_step[1] ? releases[0] : 2'b00))
    if (last_step[1]) releases.delete(0);
    `CHECK(done == last_step[3])
    if (done) begin
      `CHECK(acc_wr_en)
      ended = ended + 1;
    end
    last_step = {last_step[2:1], is_last};
    if (start) note();
    if (ended == Insns && !acc_wr_en) begin
      for (int i = 0; i < Accs; i++) begin
        `CHECK(accs[i] == model[i])
      end
      pass();
    end
    `CHECK(cycle < 100000)
  end
endmodule
