// What a run makes outside itself is removed however it ends, even by SIGKILL: a shell reads from a pipe of the run's what is
// to be done, and does it once the pipe ends.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { ran } from "../media/world/commands.ts";

export type Cleanup = ReturnType<typeof startCleanup>;

export function startCleanup() {
  const shell = spawn("sh", ["-c", 'trap "" HUP INT TERM; commands=$(tac); eval "$commands"'], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  shell.unref();
  return {
    /** A command of one line. The last one is done first; it may find nothing to do. */
    add: (command: string) => void shell.stdin.write(`${command}\n`),
    async [Symbol.asyncDispose]() {
      const ended = once(shell, "exit");
      shell.stdin.end();
      await ended;
    },
  };
}

/** The end of a network namespace, of all that runs in it and of what it finds in /etc. */
const removalOf = (space: string) =>
  `ip netns pids ${space} | xargs -r kill -9; ip netns del ${space}; rm -rf /etc/netns/${space}`;

/** These are removed now, should a run have left them, and once this one has ended. */
export function removesSpaces(cleanup: Cleanup, spaces: readonly string[]): void {
  for (const space of spaces) {
    ran(["sh", "-c", `{ ${removalOf(space)}; } 2>&1 || true`]);
    cleanup.add(removalOf(space));
  }
}
