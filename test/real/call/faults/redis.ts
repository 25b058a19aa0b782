// A Redis on a small disk of its own, as somebody runs it who left its defaults.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { outcomeOf, ran } from "../../media/world/commands.ts";
import type { Cleanup } from "../cleanup.ts";
import type { Network } from "./network.ts";
import { at } from "./places.ts";

const port = 6_399;

type World = { folder: string; network: Network; cleanup: Cleanup };

export async function startRedis({ folder, network, cleanup }: World) {
  const disk = join(folder, "disk");
  mkdirSync(disk, { recursive: true });
  cleanup.add(`umount -l ${disk}`);
  ran(`mount -t tmpfs -o size=256k tmpfs ${disk}`);
  const command = ["redis-server", "--port", `${port}`, "--dir", disk, "--save", "1 1"];
  const program = await network.start("server", command, "Ready to accept connections");
  const client = (words: string) => [
    ...at("server"),
    "redis-cli",
    "-p",
    `${port}`,
    ...words.split(" "),
  ];
  return {
    disk,
    address: `127.0.0.1:${port}`,
    kill: () => program.kill(),
    answers: async () => (await outcomeOf(client("ping"))).output.trim() === "PONG",
    /** Whether it still takes what it is told to keep. */
    takes: async () => (await outcomeOf(client("set faults 1"))).output.trim() === "OK",
    fillDisk(): void {
      try {
        for (let file = 0; ; file++) writeFileSync(join(disk, `${file}`), Buffer.alloc(4_096));
      } catch {
        // It is full.
      }
    },
    async [Symbol.asyncDispose]() {
      await program.kill();
      ran(`umount ${disk}`);
    },
  };
}
