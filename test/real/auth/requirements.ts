import { spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { PlainFailure } from "../../../scripts/lib/terminal.mjs";
import { howToGetPostgres, postgresPrograms } from "../../support/database/postgres-program.ts";

/** The one version that the proof runs against; the workflow's image and the sentences name it. */
const version = "v2.196.0";
const image = `supabase/gotrue:${version}`;

/** How the auth server is run: a built program, or the published image where there is docker. */
export type AuthProgram = { binary: string } | { image: string };

export interface Requirements {
  authServer: AuthProgram;
}

/** Looks for everything that the proof needs. Throws sentences that say what is missing and how to get it. */
export function findRequirements(environment = process.env): Requirements {
  const missing: string[] = [];
  if (!postgresPrograms()) missing.push(`A real PostgreSQL is missing. ${howToGetPostgres}`);
  if (spawnSync("openssl", ["version"]).status !== 0) {
    missing.push(
      "openssl is missing: the auth server asks the fake of Google over TLS. On Debian and Ubuntu: sudo apt-get install openssl",
    );
  }
  const authServer = authProgram(environment, missing);
  if (!authServer || missing.length > 0) throw new PlainFailure(missing.join("\n"));
  return { authServer };
}

function authProgram(environment: NodeJS.ProcessEnv, missing: string[]): AuthProgram | undefined {
  const binary = environment.AUTH_SERVER;
  if (binary) {
    if (isExecutable(binary)) return { binary };
    missing.push(`AUTH_SERVER names no program that can be run: ${binary}`);
    return;
  }
  if (spawnSync("docker", ["info"]).status === 0) return { image };
  missing.push(
    `The real auth server is missing, and no docker runs that could start ${image}. Build it with Go and name the program:\n` +
      `  git clone --branch ${version} --depth 1 https://github.com/supabase/auth && (cd auth && go build -o auth .)\n` +
      "  AUTH_SERVER=$PWD/auth/auth npm run proof:real auth",
  );
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
