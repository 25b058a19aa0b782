import { expect, test } from "vitest";
import { addAccount } from "../../support/database/as-person.ts";
import { laterMigrations as later } from "../../support/database/later-migrations.ts";
import { addCustomers } from "../../support/database/migrated-database.ts";
import { ada, formerActs, newcomer } from "../../support/deploy/former-acts.ts";
import { signedInAs } from "../../support/deploy/former-people.ts";
import { startFormerSite } from "../../support/deploy/former-site.ts";
import { portBase } from "../../support/site/own-site.ts";
import { textAt, textOfHtml } from "../../support/site/page-text.ts";
import { pollUntil } from "../../support/site/poll.ts";

/** The migrations that write the rows of everybody. They take as long as there are rows, and nobody waits to read. */
const fillsRows = /_filled$/;

test("the former version's Worker serves while its database of 2,000 customers is migrated, and the present one goes on", async () => {
  await using site = await startFormerSite(portBase + 22);
  const { query } = site;
  expect(later.some(({ name }) => fillsRows.test(name))).toBe(true);
  await addCustomers(query, 2_000);
  // Room for those that are made in the turns: a plan holds twenty.
  await query("delete from public.deployments where name not in ('Server 1', 'Server 2')");
  await query("update public.subscriptions set price_id = 'price_local_pro', status = 'active'");
  for (let turn = 0; turn <= later.length; turn++) {
    const { id, email } = newcomer(turn);
    await addAccount(query, id, email);
  }
  const { each, report, deployment } = await formerActs(site.url);

  /**
   * Everybody does their part in a turn, each as soon as all before are done or wait for the migration. Answers how it
   * ends, with the status that the agent got for its report, and which pages wait.
   */
  async function takeTurn(turn: number, name: string) {
    let reported = 0;
    const acts: typeof each = {
      "an agent reports": async () => {
        reported = await report(turn);
      },
      ...each,
    };
    const failed: string[] = [];
    const going: Promise<unknown>[] = [];
    const waiting = new Set<string>();
    for (const [act, run] of Object.entries(acts)) {
      const before = new Set(await site.waiting());
      let isDone = false;
      waiting.add(act);
      const work = run(turn)
        .catch((error) => failed.push(`${name}: ${act}: ${textOfHtml(String(error))}`))
        .finally(() => {
          isDone = true;
          waiting.delete(act);
        });
      going.push(work);
      await pollUntil(
        async () => isDone || (await site.waiting()).some((query) => !before.has(query)),
        (met) => met,
        60_000,
      );
    }
    const pages = [...waiting].filter((act) => act.startsWith("/"));
    return {
      pages,
      async end(): Promise<number> {
        await Promise.all(going);
        expect(failed).toEqual([]);
        return reported;
      },
    };
  }

  for (const [turn, migration] of later.entries()) {
    await site.stripeEvents();
    let turnTaken: Awaited<ReturnType<typeof takeTurn>> | undefined;
    await site.migrate(migration, async () => {
      turnTaken = await takeTurn(turn, migration.file);
    });
    expect(await turnTaken?.end(), migration.file).toBe(200);
    if (fillsRows.test(migration.name)) expect(turnTaken?.pages, migration.file).toEqual([]);
  }
  const last = await takeTurn(later.length, "after the last");
  expect(await last.end()).toBe(200);
  const logged = site.takeLogs().filter(({ level }) => level === "error");
  expect(logged.map(({ message }) => message)).toEqual([]);
  const events = await site.stripeEvents();
  expect(events.length).toBeGreaterThan(later.length);
  for (const { type, deliveries } of events) {
    // Stripe's patience may have ended meanwhile; then it asked again.
    const answers = deliveries.flatMap(({ attempts }) => attempts.map(({ status }) => status));
    expect(
      answers.filter((status) => status !== null),
      type,
    ).toEqual([200]);
  }

  await site.deployWorker();
  const asAda = signedInAs(ada, site.url);
  const turns = later.length + 1;
  const list = await textAt(asAda, "/dashboard/deployments");
  expect(list).toContain(`Made in turn ${later.length}`);
  expect(await textAt(asAda, `/dashboard/deployments/${deployment}`)).toContain(
    `turn-${later.length}.mycompany.com`,
  );
  expect(await textAt(asAda, `/dashboard/deployments/${deployment}/versions`)).toContain(
    `v${turns + 1}`,
  );
  const models = await textAt(asAda, "/openai-config/own");
  expect(JSON.parse(models)).toMatchObject({
    version: turns + 3,
    configuration: { model: `model-${later.length}` },
  });
  const usage = await textAt(asAda, "/openai-config/usage?from=2026-10-05&to=2026-10-05");
  expect(JSON.parse(usage)).toMatchObject({ total: { responses: turns + 1 } });
  for (let turn = 0; turn <= later.length; turn++) {
    const { id } = newcomer(turn);
    const isGone = turn % 2 === 0 && turn < later.length;
    if (isGone) expect(await query("select from auth.users where id = $1", [id])).toEqual([]);
    else expect(await textAt(signedInAs(id, site.url), "/dashboard/plan")).toContain("Basic");
  }
}, 900_000);
