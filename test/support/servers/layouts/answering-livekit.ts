import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** Answers as LiveKit does at its port and at that of its metrics. */
export async function answeringLiveKit() {
  const metrics = `livekit_room_total{node_id="ND_abc",node_type="SERVER"} 2
livekit_participant_total{node_id="ND_abc",node_type="SERVER"} 5
livekit_participant_join_total{node_id="ND_abc",state="rtc_failure"} 3
livekit_participant_join_total{node_id="ND_abc",state="rtc_active"} 40
process_start_time_seconds 1.7722e+09
`;
  const server = createServer((request, response) =>
    response.end(request.url === "/metrics" ? metrics : "OK"),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
