// SPDX-License-Identifier: Apache-2.0
// The vector engine against the loop nest of the instruction set: ALU instructions with an immediate or a source, resets,
// at once after each other or after a while, on few destinations. One cycle a step, one for each source that is read, and
// one behind a step of MUL if no source is read in it.
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

  logic                          start = 1'b0, uop_rd_en, acc_rd_en, acc_wr_en, step, first_step, last_step, done;
  logic                          may_hold = 1'b0;
  logic [InsnW-1:0]              insn = '0;
  logic [1:0]                    halves = '0, released;
  logic [vta_pkg::UopIndexW-1:0] uop_rd_index;
  logic [vta_pkg::AccIndexW-1:0] acc_rd_index, acc_wr_index;
  logic [31:0]                   uop = '0;
  logic [AccElemW-1:0]           acc = '0, acc_wr_data;

  vta_vector_engine u_dut (
    .clk_i         (clk),
    .rst_ni        (rst_n),
    .start_i       (start),
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
    .step_o        (step),
    .first_step_o  (first_step),
    .last_step_o   (last_step),
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
  // What the engine does, a cycle each: a source is looked up, or a step is made, of these kinds; and from when on
  localparam int Step    = 0;
  localparam int First   = 1;
  localparam int Last    = 2;
  localparam int Counted = 3;
  localparam int Mul     = 4;
  logic [4:0] actions [$], act;
  int         froms [$];
  logic [1:0] releases [$];
  logic       waits = 1'b0;   // an instruction for its first step, when no other may start
  logic       behind_mul = 1'b0, acts, steps_now;
  logic [5:1] last_steps = '0;   // that so many cycles ago an instruction's last step was made

  task automatic note;
    int         held;
    logic [4:0] kind;
    held          = -1;
    is_reset      = vta_pkg::gemm_opcode(insn) == 3'(vta_pkg::OpGemm);
    has_source    = !is_reset && !vta_pkg::alu_use_imm(insn);
    kind          = '0;
    kind[First]   = 1'b1;
    kind[Counted] = !is_reset;
    kind[Mul]     = !is_reset && (vta_pkg::alu_alu_opcode(insn) == vta_pkg::AluMul);
    for (int i0 = 0; i0 < int'(vta_pkg::alu_iter_out(insn)); i0++) begin
      for (int i1 = 0; i1 < int'(vta_pkg::alu_iter_in(insn)); i1++) begin
        for (int u = int'(vta_pkg::alu_uop_bgn(insn)); u < int'(vta_pkg::alu_uop_end(insn)); u++) begin
          operate(dst_of(u, i0, i1), src_of(u, i0, i1));
          if (has_source && (!may_hold || held != src_of(u, i0, i1))) begin
            kind[Step] = 1'b0;
            actions.push_back(kind);
            froms.push_back(cycle + vta_pkg::VectorFirstStep);
          end
          held       = src_of(u, i0, i1);
          kind[Step] = 1'b1;
          kind[Last] = (i0 == int'(vta_pkg::alu_iter_out(insn)) - 1) && (i1 == int'(vta_pkg::alu_iter_in(insn)) - 1) &&
                       (u == int'(vta_pkg::alu_uop_end(insn)) - 1);
          actions.push_back(kind);
          froms.push_back(cycle + vta_pkg::VectorFirstStep);
          kind[First] = 1'b0;
        end
      end
    end
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
    start = rst_n && !waits && (started < Insns) && chance(start_percent);
    if (start) choose();
  end

  always @(posedge clk) if (rst_n) begin
    // Neither faster nor slower than it should be
    acts      = 1'b0;
    steps_now = 1'b0;
    act       = '0;
    if (actions.size() > 0) begin
      act       = actions[0];
      acts      = (cycle >= froms[0]) && !(act[Step] && behind_mul);
      steps_now = acts && act[Step];
      if (acts) begin
        actions.delete(0);
        froms.delete(0);
      end
    end
    `CHECK(step == (steps_now && act[Counted]))
    `CHECK(first_step == (steps_now && act[First]))
    `CHECK(last_step == (steps_now && act[Last]))
    behind_mul = steps_now && act[Mul];
    if (first_step) waits = 1'b0;
    // The accumulator is read a cycle after the step and written four later: not a cycle too soon
    `CHECK(released == (last_steps[2] ? releases[0] : 2'b00))
    if (last_steps[2]) releases.delete(0);
    `CHECK(done == last_steps[5])
    if (done) begin
      `CHECK(acc_wr_en)
      ended = ended + 1;
    end
    last_steps = {last_steps[4:1], last_step};
    if (start) begin
      note();
      waits = 1'b1;
    end
    if (ended == Insns && !acc_wr_en) begin
      for (int i = 0; i < Accs; i++) begin
        `CHECK(accs[i] == model[i])
      end
      pass();
    end
    `CHECK(cycle < 100000)
  end
endmodule
