// A Redis on a small disk of its own, as somebody runs it who left its defaults.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { outcomeOf, ran } from "../../media/world/commands.ts";
import { at, inside } from "./network.ts";
import { startProgram } from "./programs.ts";

const port = 6_399;

export async function startRedis(folder: string) {
  const disk = join(folder, "disk");
  mkdirSync(disk, { recursive: true });
  ran(`mount -t tmpfs -o size=256k tmpfs ${disk}`);
  const command = ["redis-server", "--port", `${port}`, "--dir", disk, "--save", "1 1"];
  const program = await startProgram("server", command, "Ready to accept connections");
  const client = (words: string) => [
    ...at("server"),
    "redis-cli",
    "-p",
    `${port}`,
    ...words.split(" "),
  ];
  return {
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
    /** As the machine's doctor reads it. */
    usedShare(): number {
      const [, line = ""] = inside("server", `df -Pk ${disk}`).split("\n");
      return Number.parseInt(line.split(/\s+/)[4] ?? "", 10);
    },
    async [Symbol.asyncDispose]() {
      await program.kill();
      ran(`umount ${disk}`);
    },
  };
}
