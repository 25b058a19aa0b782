import { rm } from "node:fs/promises";
import { join } from "node:path";
import { fakeAddresses } from "../../fakes/addresses.ts";
import { defaultPortBase } from "../../fakes/dev-vars.ts";
import { readCommandLine } from "../lib/command-line.ts";
import { localFolder } from "../lib/local-folder.ts";
import { portFromEnvironment } from "../lib/ports.ts";
import { PlainFailure } from "../lib/terminal.mjs";

readCommandLine({
  usage: "npm run reset",
  about: `Empties the local data: accounts, payments, mails, machines. Of a running npm start it empties the fakes, and
otherwise the folder in .local. LOCAL_PORT_BASE says which, as for npm start. It asks nothing, and takes a second.`,
});

async function resetRunning(portBase: number): Promise<boolean> {
  const url = `${fakeAddresses(portBase).mail.url}/_local/reset-all`;
  let response: Response;
  try {
    response = await fetch(url, { method: "POST" });
  } catch {
    return false;
  }
  if (!response.ok) throw new PlainFailure(`${url} answered ${response.status}.`);
  return true;
}

try {
  const portBase = portFromEnvironment("LOCAL_PORT_BASE", defaultPortBase);
  if (await resetRunning(portBase)) {
    console.log("✓ Emptied the data of the running fakes");
  } else {
    const folder = localFolder(portBase);
    for (const name of ["supabase", "stripe.json", "wrangler", "machines"]) {
      await rm(join(folder, name), { recursive: true, force: true });
    }
    console.log(`✓ Deleted the local data in ${folder}`);
  }
} catch (error) {
  console.error(error instanceof PlainFailure ? error.message : error);
  process.exitCode = 1;
}
