import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chownSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pollUntil } from "../../../support/site/poll.ts";
import { databasesAt } from "./databases.ts";
import { supabaseRoles } from "./supabase-roles.ts";

/**
 * Debian's PostgreSQL in a folder of its own, on 127.0.0.1 at `port`, with the roles of a hosted Supabase
 * project. It refuses to run as root: started by root it runs as "postgres", whom its package makes.
 * Anybody on this machine may log in without a password; nothing but made-up data is in it.
 */
export async function startPostgres(bin: string, port: number): Promise<AsyncDisposable> {
  const user = process.getuid?.() === 0 ? postgresUser() : undefined;
  const folder = mkdtempSync(join(tmpdir(), "real-postgres-"));
  if (user) chownSync(folder, user.uid, user.gid);
  const data = join(folder, "data");
  const made = spawnSync(
    join(bin, "initdb"),
    ["-D", data, "-U", "supabase_admin", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"],
    { ...user, cwd: folder, encoding: "utf8" },
  );
  if (made.status !== 0) throw new Error(`initdb: ${made.stdout}${made.stderr}`);
  const settings = {
    listen_addresses: "127.0.0.1",
    port,
    unix_socket_directories: folder,
    fsync: "off",
    max_connections: 200,
    log_min_messages: "panic",
  };
  const server = spawn(
    join(bin, "postgres"),
    [
      "-D",
      data,
      ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
    ],
    { ...user, cwd: folder, stdio: ["ignore", "ignore", "inherit"] },
  );
  const { run } = databasesAt(port);
  await pollUntil(
    () => run("postgres", "select").catch(() => undefined),
    (answer) => answer !== undefined,
    60_000,
  );
  await run("postgres", supabaseRoles);
  return {
    async [Symbol.asyncDispose]() {
      const ended = once(server, "exit");
      server.kill("SIGINT");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function postgresUser(): { uid: number; gid: number } {
  const id = (flag: string) =>
    Number(spawnSync("id", [flag, "postgres"], { encoding: "utf8" }).stdout || Number.NaN);
  return { uid: id("-u"), gid: id("-g") };
}
