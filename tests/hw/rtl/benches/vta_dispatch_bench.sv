// SPDX-License-Identifier: Apache-2.0
// Dispatch: every instruction reaches its stage's queue, in order, and waits outside while that stage has QueueDepth of
// them; bits that are no instruction stop it.
module vta_dispatch_bench;
  `include "bench.svh"
  `include "insn.svh"

  localparam int IndexW = vta_pkg::InsnCountW;
  localparam int InsnW  = vta_pkg::InsnW;

  logic                flush = 1'b0, halt = 1'b0, insn_valid = 1'b0, insn_ready, finish, illegal, stuck;
  logic [InsnW-1:0]    insn = '0;
  logic [IndexW-1:0]   index = '0;
  logic [2:0]          queue_valid, queue_ready = '0, issue = '0, dispatch;
  logic [3*IndexW-1:0] queue_index;
  logic [3*InsnW-1:0]  queue_insn;

  vta_dispatch u_dut (
    .clk_i        (clk),
    .rst_ni       (rst_n),
    .flush_i      (flush),
    .halt_i       (halt),
    .insn_valid_i (insn_valid),
    .insn_ready_o (insn_ready),
    .insn_i       (insn),
    .index_i      (index),
    .queue_valid_o(queue_valid),
    .queue_ready_i(queue_ready),
    .queue_index_o(queue_index),
    .queue_insn_o (queue_insn),
    .issue_i      (issue),
    .dispatch_o   (dispatch),
    .finish_o     (finish),
    .illegal_o    (illegal),
    .stuck_o      (stuck)
  );

  // Per stage: what is in its queue, how many have left it and are not issued. The indices tell the instructions apart.
  logic [IndexW+InsnW-1:0] load_queue [$], compute_queue [$], store_queue [$];
  logic [IndexW+InsnW-1:0] head;
  int                      held [3], size [3];
  int                      stage = 1, most = 0, illegals = 0, insn_percent = 50, halt_percent = 0;
  int                      ready_percent [3], issue_percent [3];
  logic                    legal;

  // What the instruction set says about an instruction's stage; -1 is none
  function automatic int stage_of(input int opcode, input int memory, input int alu);
    stage_of = -1;
    if (opcode == vta_pkg::OpLoad && memory <= vta_pkg::MemAcc8) begin
      stage_of = (memory == vta_pkg::MemInp || memory == vta_pkg::MemWgt) ? 0 : 1;
    end
    if (opcode == vta_pkg::OpStore && memory <= vta_pkg::MemAcc8) stage_of = 2;
    if (opcode == vta_pkg::OpGemm || opcode == vta_pkg::OpFinish) stage_of = 1;
    if (opcode == vta_pkg::OpAlu && alu <= vta_pkg::AluMul) stage_of = 1;
  endfunction

  initial for (int s = 0; s < 3; s++) {held[s], size[s], ready_percent[s], issue_percent[s]} = {32'd0, 32'd0, 32'd50, 32'd50};

  always @(negedge clk) begin
    if (cycle % 1024 == 0) begin
      insn_percent = (below(2) == 0) ? 100 : percentage();
      halt_percent = (below(4) == 0) ? percentage() : 0;
      for (int s = 0; s < 3; s++) begin
        ready_percent[s] = percentage();
        issue_percent[s] = percentage();
      end
    end
    flush = rst_n && (below(3000) == 0 || (illegal && chance(20)));
    halt  = chance(halt_percent);
    if (!insn_valid && rst_n && chance(insn_percent)) begin
      insn       = InsnW'(random_bits());
      insn       = with_transfer_opcode(insn, (below(200) == 0) ? below(8) : below(5));
      if (below(100) != 0) begin
        // Legal in all likelihood, with FINISH as rare as a program has it
        if (vta_pkg::alu_opcode(insn) == 3'(vta_pkg::OpAlu)) insn = with_alu_alu_opcode(insn, below(5));
        if (vta_pkg::transfer_opcode(insn) <= 3'(vta_pkg::OpStore)) insn = with_transfer_memory_type(insn, below(6));
      end
      index      = index + 1'b1;
      insn_valid = 1'b1;
    end
    for (int s = 0; s < 3; s++) begin
      queue_ready[s] = chance(ready_percent[s]);
      issue[s]       = (held[s] > 0) && chance(issue_percent[s]);
    end
  end

  always @(posedge clk) if (rst_n) begin
    stage = stage_of(int'(vta_pkg::transfer_opcode(insn)), int'(vta_pkg::transfer_memory_type(insn)),
                     int'(vta_pkg::alu_alu_opcode(insn)));
    legal = stage >= 0;
    `CHECK(illegal == (insn_valid && !legal))
    `CHECK(insn_ready == (dispatch != '0))
    if (insn_valid && legal) begin
      `CHECK(stuck == (size[stage] + held[stage] == vta_pkg::QueueDepth))
      `CHECK(dispatch == ((halt || stuck) ? 3'd0 : 3'd1 << stage))
      `CHECK(finish == (insn_ready && vta_pkg::transfer_opcode(insn) == 3'(vta_pkg::OpFinish)))
    end else begin
      `CHECK(!stuck && !finish && dispatch == '0)
    end
    for (int s = 0; s < 3; s++) begin
      `CHECK(queue_valid[s] == (size[s] > 0))
      if (queue_valid[s]) begin
        case (s)
          0:       head = load_queue[0];
          1:       head = compute_queue[0];
          default: head = store_queue[0];
        endcase
        `CHECK({queue_index[s*IndexW +: IndexW], queue_insn[s*InsnW +: InsnW]} == head)
      end
      if (issue[s]) held[s] = held[s] - 1;
      if (queue_valid[s] && queue_ready[s]) begin
        case (s)
          0:       load_queue.delete(0);
          1:       compute_queue.delete(0);
          default: store_queue.delete(0);
        endcase
        size[s] = size[s] - 1;
        held[s] = held[s] + 1;
      end
    end
    if (insn_valid && insn_ready) begin
      case (stage)
        0:       load_queue.push_back({index, insn});
        1:       compute_queue.push_back({index, insn});
        default: store_queue.push_back({index, insn});
      endcase
      size[stage] = size[stage] + 1;
      if (size[stage] > most) most = size[stage];
      insn_valid <= 1'b0;
    end
    if (illegal) illegals = illegals + 1;
    if (flush) begin
      load_queue.delete();
      compute_queue.delete();
      store_queue.delete();
      for (int s = 0; s < 3; s++) {held[s], size[s]} = {32'd0, 32'd0};
      insn_valid <= 1'b0;
    end
    if (cycle == 60000) begin
      `CHECK(illegals > 0)
      `CHECK(most > 100)
      pass();
    end
  end
endmodule
