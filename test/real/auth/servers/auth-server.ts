import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { pollUntil } from "../../../support/site/poll.ts";
import type { AuthProgram } from "../requirements.ts";

type Environment = Record<string, string>;

const maxLines = 400;

/** What each instance needs, whatever else it is given. */
function basics(databaseUrl: string, port: number): Environment {
  return {
    DATABASE_URL: databaseUrl,
    GOTRUE_DB_DRIVER: "postgres",
    GOTRUE_DB_DATABASE_URL: databaseUrl,
    DB_NAMESPACE: "auth",
    GOTRUE_API_HOST: "127.0.0.1",
    PORT: String(port),
    GOTRUE_SITE_URL: "http://127.0.0.1",
    GOTRUE_JWT_SECRET: "not used by a migration, which wants one",
    GOTRUE_JWT_AUD: "authenticated",
    GOTRUE_JWT_ADMIN_ROLES: "service_role",
    GOTRUE_JWT_DEFAULT_GROUP_NAME: "authenticated",
    GOTRUE_LOG_LEVEL: "info",
    API_EXTERNAL_URL: `http://127.0.0.1:${port}`,
  };
}

/** Gives a database the auth server's own tables. */
export function migrateAuth(program: AuthProgram, databaseUrl: string): void {
  const [command, ...parameters] = commandLine(program, "migrate", basics(databaseUrl, 0), []);
  const { status, stdout, stderr } = spawnSync(command, parameters, {
    env: { ...process.env, ...basics(databaseUrl, 0) },
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`The auth server's migrations failed:\n${stdout}${stderr}`);
}

/** The real auth server at `port`, once it answers. `readable` are folders that a container must see. */
export async function startAuthServer(
  program: AuthProgram,
  options: { databaseUrl: string; port: number; environment: Environment; readable: string[] },
) {
  const environment = { ...basics(options.databaseUrl, options.port), ...options.environment };
  const [command, ...parameters] = commandLine(program, "serve", environment, options.readable);
  const child = spawn(command, parameters, {
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const lines: string[] = [];
  for (const output of [child.stdout, child.stderr]) {
    createInterface({ input: output }).on("line", (line) => {
      lines.push(line);
      if (lines.length > maxLines) lines.shift();
    });
  }
  const exited = once(child, "exit");
  const url = `http://127.0.0.1:${options.port}`;
  const isReady = () =>
    fetch(`${url}/health`).then(
      ({ ok }) => ok,
      () => false,
    );
  await Promise.race([
    pollUntil(isReady, Boolean, 60_000),
    exited.then(() => {
      throw new Error(`The auth server ended:\n${lines.join("\n")}`);
    }),
  ]);
  return {
    url,
    /** The last lines of its log. */
    lines,
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await exited;
    },
  };
}

function commandLine(
  program: AuthProgram,
  act: "migrate" | "serve",
  environment: Environment,
  readable: string[],
): [string, ...string[]] {
  if ("binary" in program) return [program.binary, act];
  return [
    "docker",
    ...["run", "--rm", "--network=host"],
    // By name alone: the values are in the environment, not in the list of processes.
    ...Object.keys(environment).flatMap((name) => ["--env", name]),
    ...readable.flatMap((folder) => ["--volume", `${folder}:${folder}:ro`]),
    ...[program.image, "auth", act],
  ];
}
