import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { appendFileSync, existsSync } from "node:fs";
import { connect, createServer } from "node:net";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { installDebianPackages } from "../../../scripts/lib/debian-packages.ts";
import {
  howToGetPostgres,
  type PostgresProgram,
  postgresPrograms,
  startPostgresProgram,
} from "./postgres-program.ts";

const preparation = fileURLToPath(new URL("./prepare-postgres.ts", import.meta.url));

/**
 * Offers the processes of a run one PostgreSQL, which starts when the first of them asks. Undefined where there is
 * none, or none is wished (`TEST_DATABASE=pglite`): then each has PGlite, PostgreSQL in WebAssembly.
 */
export function offerPostgres() {
  if (process.env.TEST_DATABASE === "pglite") {
    console.log("Tests run SQL in PGlite, as TEST_DATABASE says.");
    return;
  }
  if (process.platform === "linux" && !postgresPrograms()) installPostgres();
  if (!postgresPrograms()) {
    console.log(`Tests run SQL in PGlite, which takes longer than PostgreSQL. ${howToGetPostgres}`);
    return;
  }
  let started: Promise<PostgresProgram> | undefined;
  const start = () => {
    started ??= startPrepared();
    return started;
  };
  const socketName = `livekit-postgres-${randomUUID()}`;
  const server = createServer(async (socket) => {
    const answer = await start().then(
      (postgres) => ({ folder: postgres.folder }),
      (error: Error) => ({ failure: error.message }),
    );
    socket.end(JSON.stringify(answer));
  });
  server.listen(socketNamed(socketName));
  return {
    socketName,
    async [Symbol.asyncDispose]() {
      server.close();
      const postgres = await started?.catch(() => undefined);
      await postgres?.[Symbol.asyncDispose]();
    },
  };
}

/** The programs alone: without this line the package makes a server of its own, which stays. */
function installPostgres(): void {
  installDebianPackages("PostgreSQL", ["postgresql-common"]);
  const configuration = "/etc/postgresql-common/createcluster.conf";
  if (!existsSync(configuration)) return;
  appendFileSync(configuration, "\ncreate_main_cluster = false\n");
  installDebianPackages("PostgreSQL", ["postgresql"]);
}

async function startPrepared(): Promise<PostgresProgram> {
  await using starting = new AsyncDisposableStack();
  const postgres = starting.use(await startPostgresProgram());
  await promisify(execFile)(process.execPath, ["--no-warnings", preparation, postgres.folder]);
  starting.move();
  return postgres;
}

/** Linux keeps such a name in no folder, and forgets it with the process that listens. */
const socketNamed = (socketName: string) => `\0${socketName}`;

/** The folder of the socket of a run's PostgreSQL, once it is there. */
export async function folderAtSocket(socketName: string): Promise<string> {
  const answer: { folder?: string; failure?: string } = JSON.parse(
    await text(connect(socketNamed(socketName))),
  );
  if (answer.folder) return answer.folder;
  throw new Error(`The PostgreSQL of this run did not start: ${answer.failure}`);
}
