// SPDX-License-Identifier: Apache-2.0
// The arbiter against its rule: the first valid requester after the one granted last; nobody waits for more than N - 1 grants of others.
module vta_arbiter_bench #(
  parameter int N = 3
);
  `include "bench.svh"

  logic [N-1:0]                    request = '0, grant;
  logic                            valid, ready = 1'b0;
  logic [((N > 1) ? $clog2(N) : 1)-1:0] id;
  int                              last = N - 1, choice;
  int                              waited [N];
  int                              request_percent = 50, ready_percent = 50;

  vta_arbiter #(
    .N(N)
  ) u_dut (
    .clk_i  (clk),
    .rst_ni (rst_n),
    .valid_i(request),
    .grant_o(grant),
    .valid_o(valid),
    .ready_i(ready),
    .id_o   (id)
  );

  initial for (int i = 0; i < N; i++) waited[i] = 0;

  always @(negedge clk) begin
    if (cycle % 64 == 0) begin
      request_percent = percentage();
      ready_percent   = percentage();
    end
    for (int i = 0; i < N; i++) request[i] = rst_n && (request[i] || chance(request_percent));
    ready = chance(ready_percent);
  end

  always @(posedge clk) if (rst_n) begin
    `CHECK(valid == (request != '0))
    if (request == '0) begin
      `CHECK(grant == '0)
    end else begin
      choice = -1;
      for (int i = 1; i <= N && choice < 0; i++) if (request[(last + i) % N]) choice = (last + i) % N;
      `CHECK(int'(id) == choice)
      `CHECK(grant == (ready ? N'(1) << choice : N'(0)))
      if (ready) begin
        last = choice;
        for (int i = 0; i < N; i++) if (request[i]) waited[i] = waited[i] + 1;
        `CHECK(waited[choice] <= N)
        waited[choice] = 0;
        // A requester that was granted may ask again or not
        request[choice] <= 1'b0;
      end
    end
    if (cycle == 20000) pass();
  end
endmodule
