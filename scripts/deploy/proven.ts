import { PlainFailure } from "../lib/terminal.mjs";
import { report } from "../smoke/call.ts";
import { smokeTest, type Versions } from "../smoke/smoke-test.ts";
import { rollBack, servingVersion, upload } from "./wrangler.ts";

const tryAgain = "Mend what it says and run this again.";

/** The upload of one of our Workers, and the site whose smoke test proves it. */
export type Proof = {
  /** The built configuration of the Worker. */
  config: string;
  /** The version to roll back to when the test fails; undefined for a Worker's first deploy. */
  before: string | undefined;
  site: string;
  /** The versions that the site is to name once this one of the Worker is in service. */
  named: (version: string) => Versions;
  retryForMs: number;
};

/** Uploads a version and runs the smoke test; answers its id. When either fails, it rolls back and throws. */
export async function deployProven(proof: Proof): Promise<string> {
  const { config, before, site, named, retryForMs } = proof;
  const uploaded = await upload(["deploy", `--config=${config}`]).catch(async (error: unknown) => {
    const failure = error instanceof Error ? error.message : String(error);
    // Wrangler sets routes and schedules after the version, so it may fail when the new version already runs.
    const isAsBefore = (await servingVersion(config)) === before;
    if (isAsBefore) {
      throw new PlainFailure(`${failure} The site still runs its former code. ${tryAgain}`);
    }
    return takeBack(failure, proof);
  });
  const version = uploaded.versionId;
  if (!version) return takeBack("wrangler did not name the version it uploaded.", proof);
  console.log(`\n  Looking at ${site}`);
  if (report(await smokeTest(site, { versions: named(version), retryForMs }))) return version;
  return takeBack("The smoke test failed.", proof);
}

/** Rolls back to the version before, and throws an error that says what happened. */
async function takeBack(why: string, proof: Proof): Promise<never> {
  const { config, before, site, named, retryForMs } = proof;
  if (!before) throw new PlainFailure(`${why} And there is no version before to go back to.`);
  await rollBack(config, before, why);
  const restored = report(await smokeTest(site, { versions: named(before), retryForMs }));
  throw new PlainFailure(
    `${why} Version ${before} runs again; the database keeps its migrations. ` +
      (restored
        ? "Mend what is said above and deploy again."
        : "The smoke test of that version fails too: look at the site now."),
  );
}
