import type { FakeAddresses } from "../../../fakes/addresses.ts";
import { Browser } from "../../lib/browser.ts";
import { step } from "../../lib/terminal.mjs";
import { signIn, signUp } from "./account.ts";
import { reportUsage, saveConfigurations } from "./agents.ts";
import { makeDeployments } from "./deployments.ts";
import { beginInThePast, buyAndUpgrade } from "./plan.ts";
import { connectServers } from "./servers.ts";

/** Who signs in. No secret: the account is only in the fakes. */
export const person = { email: "lived.in@example.com", password: "seven quiet months of calls" };

/**
 * Makes the account by the site's own pages, as a person does: a sign-up, a purchase seven months ago and its
 * renewals, an upgrade, deployments with versions, servers, model configurations, a token, and what agents reported.
 * `consoleUrl` is where machines find the console; without one there are no servers.
 */
export async function seed(
  siteUrl: string,
  addresses: FakeAddresses,
  consoleUrl: string | undefined,
): Promise<"made" | "there already"> {
  const browser = new Browser(siteUrl);
  if (await signIn(browser, person)) return "there already";
  const endOfPast = await beginInThePast(addresses.stripe.url);
  await step("Signing up", () => signUp(browser, person, addresses.mail.url));
  await step("Buying Basic seven months ago, and Pro two months ago", () =>
    buyAndUpgrade(browser, addresses.stripe.url, endOfPast),
  );
  await step("Saving three deployments and their versions", () => makeDeployments(browser));
  if (consoleUrl) await step("Connecting four servers", () => connectServers(browser, consoleUrl));
  await step("Saving model configurations", () => saveConfigurations(browser));
  await step("Reporting eight weeks of usage", () => reportUsage(browser));
  return "made";
}
