// SPDX-License-Identifier: Apache-2.0
// Sends each instruction to its stage's command queue, in program order, one a cycle. QueueDepth instructions of a stage may
// wait to be issued; while the next instruction's stage has that many, it and all after it stay outside.
//
// Stages are numbered as in docs/isa.md: 0 load, 1 compute, 2 store.

`include "vta_assert.svh"

module vta_dispatch (
  input  logic                             clk_i,
  input  logic                             rst_ni,
  input  logic                             flush_i,
  input  logic                             halt_i,

  // From fetch
  input  logic                             insn_valid_i,
  output logic                             insn_ready_o,
  input  logic [vta_pkg::InsnW-1:0]        insn_i,
  input  logic [vta_pkg::InsnCountW-1:0]   index_i,

  // Heads of the three queues
  output logic [2:0]                       queue_valid_o,
  input  logic [2:0]                       queue_ready_i,
  output logic [3*vta_pkg::InsnCountW-1:0] queue_index_o,
  output logic [3*vta_pkg::InsnW-1:0]      queue_insn_o,
  // The stage issues an instruction, which waits no longer
  input  logic [2:0]                       issue_i,

  // What it does in this cycle
  output logic [2:0]                       dispatch_o,
  output logic                             finish_o,   // FINISH goes in
  output logic                             illegal_o,   // these bits are no instruction
  output logic                             stuck_o   // the instruction's stage has no room
);

  localparam int InsnW  = vta_pkg::InsnW;
  localparam int IndexW = vta_pkg::InsnCountW;
  localparam int Depth  = vta_pkg::QueueDepth;
  localparam int CountW = $clog2(Depth + 1);

  // Which stage
  logic [vta_pkg::TransferOpcodeW-1:0]     opcode;
  logic [vta_pkg::TransferMemoryTypeW-1:0] memory;
  logic [vta_pkg::AluAluOpcodeW-1:0]       alu_opcode;
  logic [2:0] stage;   // one-hot
  logic       legal;

  assign opcode     = vta_pkg::transfer_opcode(insn_i);
  assign memory     = vta_pkg::transfer_memory_type(insn_i);
  assign alu_opcode = vta_pkg::alu_alu_opcode(insn_i);

  always_comb begin
    legal = 1'b1;
    stage = 3'b010;
    case (opcode)
      vta_pkg::OpLoad: begin
        if ((memory == vta_pkg::MemInp) || (memory == vta_pkg::MemWgt)) stage = 3'b001;
        legal = memory <= vta_pkg::MemLast;
      end
      vta_pkg::OpStore: begin
        stage = 3'b100;
        legal = memory <= vta_pkg::MemLast;
      end
      vta_pkg::OpGemm:   legal = 1'b1;
      vta_pkg::OpFinish: legal = 1'b1;
      vta_pkg::OpAlu:    legal = alu_opcode <= vta_pkg::AluLast;
      default:               legal = 1'b0;
    endcase
  end

  logic [2:0] room;
  assign illegal_o    = insn_valid_i && !legal;
  assign stuck_o      = insn_valid_i && legal && ((stage & room) == '0);
  assign dispatch_o   = (insn_valid_i && legal && !halt_i) ? (stage & room) : '0;
  assign insn_ready_o = dispatch_o != '0;
  assign finish_o     = insn_ready_o && (opcode == vta_pkg::OpFinish);

  for (genvar s = 0; s < 3; s++) begin : g_stage
    // Dispatched and not issued: in the queue, or in the stage's slots
    logic [CountW-1:0] waiting_q;
    logic              fifo_ready;

    assign room[s] = waiting_q != CountW'(Depth);

    always_ff @(posedge clk_i) begin
      if (!rst_ni)      waiting_q <= '0;
      else if (flush_i) waiting_q <= '0;
      else              waiting_q <= waiting_q + CountW'(dispatch_o[s]) - CountW'(issue_i[s]);
    end

    vta_fifo #(
      .Width  (IndexW + InsnW),
      .Depth  (Depth),
      .Latency(vta_pkg::QueueLatency)
    ) u_queue (
      .clk_i,
      .rst_ni,
      .flush_i,
      .valid_i(dispatch_o[s]),
      .ready_o(fifo_ready),
      .data_i ({index_i, insn_i}),
      .valid_o(queue_valid_o[s]),
      .ready_i(queue_ready_i[s]),
      .data_o ({queue_index_o[s*IndexW +: IndexW], queue_insn_o[s*InsnW +: InsnW]}),
      .count_o()
    );

    `VTA_ASSERT(QueueHasRoom, !dispatch_o[s] || fifo_ready)
  end

endmodule
