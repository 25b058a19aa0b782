import type { FakeAddresses } from "../../fakes/addresses.ts";
import { portFromEnvironment } from "../lib/ports.ts";
import { PlainFailure } from "../lib/terminal.mjs";

/**
 * The address of the running site: `PORT`, or else that of `npm start` or of `npm run dev`. Fails with what to do
 * where none runs, or where .dev.vars names a real service in place of a fake: nothing is made up there.
 * `command` is what the person called.
 */
export async function findSite(
  addresses: FakeAddresses,
  command: "npm run seed" | "npm run machine",
): Promise<string> {
  const ports = process.env.PORT ? [portFromEnvironment("PORT", 8787)] : [8787, 5173];
  const sites = ports.map((port) => `http://localhost:${port}`);
  const statuses = await Promise.all(sites.map((site) => statusOf(`${site}/healthz`)));
  const site = sites.find((_, place) => statuses[place] === 200);
  if (!site) {
    throw new PlainFailure(
      `No site answers at ${sites.join(" or ")}. Run npm start or npm run dev in another terminal first. Where it has other ports, name them: PORT=… LOCAL_PORT_BASE=… ${command}`,
    );
  }
  const needed = { Supabase: addresses.supabase, Stripe: addresses.stripe, mail: addresses.mail };
  for (const [name, { url }] of Object.entries(needed)) {
    if (await statusOf(url)) continue;
    throw new PlainFailure(
      `The fake of ${name} does not answer at ${url}. ${command} works with the fakes only: where .dev.vars names a real service, nothing is made up there.`,
    );
  }
  return site;
}

/** The status of what answers at an address; undefined where nothing does. */
async function statusOf(url: string): Promise<number | undefined> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(10_000) });
    await response.body?.cancel();
    return response.status;
  } catch {
    return;
  }
}
