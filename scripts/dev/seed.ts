import { fakeAddresses } from "../../fakes/addresses.ts";
import { defaultPortBase, localVariables } from "../../fakes/dev-vars.ts";
import { readCommandLine } from "../lib/command-line.ts";
import { portFromEnvironment } from "../lib/ports.ts";
import { PlainFailure } from "../lib/terminal.mjs";
import { findSite } from "./find-site.ts";
import { person, seed } from "./seed/seed.ts";

readCommandLine({
  usage: "npm run seed",
  about: `Beside a running npm start or npm run dev, before anybody has bought a plan there: makes an account that somebody
has used for months, with invoices, deployments and usage, and prints how to sign in. It takes half a minute. A second
time it says that the account is there.`,
});

/** Gives the running `npm start` or `npm run dev` an account with months of use behind it. */
try {
  if (process.env.NODE_ENV === "production") {
    throw new PlainFailure(
      "npm run seed makes up a person and payments. It does not run when NODE_ENV is production.",
    );
  }
  const portBase = portFromEnvironment("LOCAL_PORT_BASE", defaultPortBase);
  const addresses = fakeAddresses(portBase);
  const siteUrl = await findSite(addresses, "npm run seed");
  const done = await seed(siteUrl, addresses, localVariables({ siteUrl, portBase }).SERVERS_URL);
  console.log(`
${done === "there already" ? "The account is there already. npm run reset empties everything." : "The account is ready."}

  Sign in at  ${siteUrl}/signin
  E-mail      ${person.email}
  Password    ${person.password}

  Nothing reports for its servers any more, so they fall silent within minutes.
  A server that goes on reporting: npm run machine
`);
} catch (error) {
  console.error(error instanceof PlainFailure ? error.message : error);
  process.exitCode = 1;
}
