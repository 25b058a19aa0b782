import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chownSync, globSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { openPostgresClient, type PostgresClient } from "../../../scripts/lib/postgres-client.ts";
import { pollUntil } from "../site/poll.ts";

/** The folder of the newest initdb and postgres that Debian's package installed. */
export function postgresPrograms(): string | undefined {
  const byVersion = (one: string, other: string) =>
    one.localeCompare(other, "en", { numeric: true });
  const newest = globSync("/usr/lib/postgresql/*/bin/initdb").toSorted(byVersion).at(-1);
  return newest && dirname(newest);
}

export const howToGetPostgres =
  "On Debian and Ubuntu: sudo apt-get install --no-install-recommends postgresql";

// The server ends, and its folder goes, when the other end of this one's input is closed: by us, or because we died.
const untilInputEnds = `
  folder=$1; shift
  "$@" & server=$!
  cat > /dev/null
  kill -INT $server
  wait $server
  rm -rf "$folder"`;

/**
 * Starts Debian's PostgreSQL in a folder of its own, without care for a crash. Anybody on this machine may log in
 * without a password: nothing but made-up data is in it. Only a socket in the folder leads to it, unless `settings`
 * say more. Started by root it runs as "postgres", whom the package makes, since it refuses to run as root.
 */
export async function startPostgresProgram({
  owner = "postgres",
  port = 5432,
  settings = {},
}: {
  owner?: string;
  /** Names the socket too. */
  port?: number;
  settings?: Record<string, string | number>;
} = {}) {
  const bin = postgresPrograms();
  if (!bin) throw new Error(`This needs a real PostgreSQL. ${howToGetPostgres}`);
  const user = process.getuid?.() === 0 ? idsOf("postgres") : undefined;
  const folder = mkdtempSync(join(tmpdir(), "livekit-postgres-"));
  if (user) chownSync(folder, user.uid, user.gid);
  const data = join(folder, "data");
  const made = spawnSync(
    join(bin, "initdb"),
    ["-D", data, "-U", owner, "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"],
    { ...user, cwd: folder, encoding: "utf8" },
  );
  if (made.status !== 0) {
    rmSync(folder, { recursive: true, force: true });
    throw new Error(`initdb: ${made.stdout}${made.stderr}`);
  }
  const all = {
    listen_addresses: "",
    port,
    unix_socket_directories: folder,
    max_connections: 200,
    ...notDurable,
    ...settings,
  };
  const parameters = Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const server = spawn(
    "sh",
    ["-c", untilInputEnds, "sh", folder, join(bin, "postgres"), "-D", data, ...parameters],
    { ...user, cwd: folder, stdio: ["pipe", "ignore", "ignore"], detached: true },
  );
  const ended = once(server, "exit");
  const clients: PostgresClient[] = [];
  /** A connection as the owner of the server. */
  async function connect(database = "postgres"): Promise<PostgresClient> {
    const client = await openPostgresClient({
      host: folder,
      port,
      user: owner,
      database,
    });
    clients.push(client);
    return client;
  }
  await pollUntil(
    () => connect().catch(() => undefined),
    (client) => client !== undefined,
    60_000,
  );
  return {
    connect,
    /** Where its socket is. */
    folder,
    owner,
    async [Symbol.asyncDispose]() {
      await Promise.all(clients.map((client) => client.end()));
      server.stdin.end();
      await ended;
    },
  };
}

export type PostgresProgram = Awaited<ReturnType<typeof startPostgresProgram>>;

/** What is lost with a crash is lost with the run anyway; no plan of a test is worth compiling. */
const notDurable = {
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  wal_level: "minimal",
  max_wal_senders: 0,
  jit: "off",
};

function idsOf(name: string): { uid: number; gid: number } {
  const id = (flag: string) =>
    Number(spawnSync("id", [flag, name], { encoding: "utf8" }).stdout || Number.NaN);
  return { uid: id("-u"), gid: id("-g") };
}
