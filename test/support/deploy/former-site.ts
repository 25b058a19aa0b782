import type Stripe from "stripe";
import { fakeAddresses } from "../../../fakes/addresses.ts";
import { exampleVariables } from "../../../fakes/dev-vars.ts";
import { startFakes } from "../../../fakes/start-fakes.ts";
import type { Delivery } from "../../../fakes/stripe/state.ts";
import { startSupabaseFake } from "../../../fakes/supabase/fake.ts";
import type { Migration } from "../../../scripts/deploy/database/migration-files.ts";
import { applyMigrations } from "../../../scripts/deploy/database/migrations.ts";
import { startWorker } from "../../../scripts/lib/worker.ts";
import { beginning, laterMigrations } from "../database/later-migrations.ts";
import { openLiteOnPostgres } from "../database/lite-on-postgres.ts";
import { startPostgresProgram } from "../database/postgres-program.ts";
import { formerWorker } from "./former-build.ts";

/**
 * The Worker of the version with which migrations began, on a real PostgreSQL that has its migrations and none of the
 * later ones. The fakes beside it listen from `portBase` on. `await using` ends it.
 */
export async function startFormerSite(portBase: number) {
  const configuration = formerWorker();
  const sitePort = portBase + 4;
  const url = `http://127.0.0.1:${sitePort}`;
  const addresses = fakeAddresses(portBase);
  const variables = exampleVariables({ siteUrl: url, portBase });

  await using started = new AsyncDisposableStack();
  const postgres = started.use(await startPostgresProgram());
  const deploy = await postgres.connect();
  const observer = await postgres.connect();
  const others = await startFakes({
    // The Supabase that is not at its usual place gets no fake.
    variables: { ...variables, SUPABASE_URL: "elsewhere" },
    siteUrl: url,
    portBase,
  });
  started.defer(() => others.close());
  let opened: Awaited<ReturnType<typeof openLiteOnPostgres>> | undefined;
  const supabase = await startSupabaseFake({
    port: addresses.supabase.port,
    publishableKey: variables.SUPABASE_PUBLISHABLE_KEY ?? "",
    secretKey: variables.SUPABASE_SECRET_KEY ?? "",
    siteUrl: url,
    googleUrl: addresses.google.url,
    sendMail() {},
    async open(config) {
      // A request that waits for a migration holds a connection, and the others must go on.
      const address = {
        host: postgres.folder,
        user: postgres.owner,
        database: "postgres",
        max: 60,
      };
      opened = await openLiteOnPostgres(address, config, () => applyMigrations(deploy, beginning));
      return opened;
    },
  });
  started.defer(() => supabase.close());
  let worker = await startWorker(sitePort, () => variables, configuration);
  started.defer(() => worker[Symbol.asyncDispose]());
  const transferred = started.move();
  return {
    url,
    /** Runs SQL as the owner of the database. */
    query: supabase.query,
    /** What the Worker logged since the last call. */
    takeLogs: () => worker.takeLogs(),
    /** Applies a migration by the command that a deploy runs. It holds all its locks until `meanwhile` ends. */
    async migrate(
      { version }: Migration,
      meanwhile: () => Promise<unknown> = async () => undefined,
    ): Promise<void> {
      const holding = {
        async query<Row extends object>(sql: string, parameters?: unknown[]) {
          if (sql === "commit") await meanwhile();
          return deploy.query<Row>(sql, parameters);
        },
      };
      await applyMigrations(
        holding,
        [...beginning, ...laterMigrations].filter((each) => each.version <= version),
      );
      // A hosted project's API reads the schema anew after each change.
      await opened?.connection.clearSchemaCache();
      await opened?.connection.introspect({ useCache: true });
    },
    /** The queries that wait for a lock of another's, each named by its connection and when it began. */
    async waiting(): Promise<string[]> {
      const { rows } = await observer.query<{ name: string }>(
        `select pid || ' ' || query_start as name from pg_stat_activity
         where cardinality(pg_blocking_pids(pid)) > 0`,
      );
      return rows.map(({ name }) => name);
    },
    /** The events at the Stripe fake with the answers that each delivery got, once all are settled. */
    async stripeEvents() {
      const response = await fetch(`${addresses.stripe.url}/_local/events?settled=true`);
      return (await response.json()) as (Stripe.Event & { deliveries: Delivery[] })[];
    },
    /** Puts the Worker of today into the place of the former one, as a deploy does after its migrations. */
    async deployWorker(): Promise<void> {
      await worker[Symbol.asyncDispose]();
      worker = await startWorker(sitePort, () => variables);
    },
    [Symbol.asyncDispose]: () => transferred.disposeAsync(),
  };
}
