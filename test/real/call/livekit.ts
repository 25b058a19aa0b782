import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { callKey, callSecret, startTls } from "../../support/deployments/call-server.ts";
import { portBase } from "../../support/site/own-site.ts";
import { findLivekitServer } from "./requirements.ts";

/** Which way media can take: `udp` and `tcp` to this machine, or `none`, as behind a firewall. */
export type Way = "udp" | "tcp" | "none";

/** A real LiveKit server with the key of the tests, and TLS in front of it. */
export async function startLivekit(way: Way) {
  const at = portBase + 20;
  const rtc = {
    tcp_port: at + 1,
    port_range_start: at + 2,
    port_range_end: at + 8,
    use_external_ip: false,
    enable_loopback_candidate: true,
    // An address for documentation (RFC 5737): nothing answers there.
    node_ip: way === "none" ? "192.0.2.1" : "127.0.0.1",
    ...(way === "tcp" ? { force_tcp: true } : {}),
    interfaces: { includes: ["lo"] },
  };
  const configuration = {
    port: at,
    bind_addresses: ["127.0.0.1"],
    rtc,
    keys: { [callKey]: callSecret },
    logging: { level: "info" },
  };
  const child = spawn(findLivekitServer(), ["--config-body", JSON.stringify(configuration)], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  const exited = once(child, "exit");
  const outputLines: string[] = [];
  const { promise: started, resolve, reject } = Promise.withResolvers<void>();
  createInterface({ input: child.stderr }).on("line", (line) => {
    outputLines.push(line);
    if (line.includes("starting LiveKit server")) resolve();
  });
  void exited.then(() => reject(new Error(outputLines.join("\n"))));
  await started;
  const tls = await startTls(at);
  return {
    port: tls.port,
    /** Where it answers on the machine itself, as to the commands of a bundle. */
    place: `127.0.0.1:${at}`,
    output: outputLines,
    async [Symbol.asyncDispose]() {
      await tls[Symbol.asyncDispose]();
      // A first SIGTERM would wait until everybody has left.
      child.kill("SIGKILL");
      await exited;
    },
  };
}
