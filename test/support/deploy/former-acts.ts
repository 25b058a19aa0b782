import { expect } from "vitest";
import type { UserOutcome } from "../../../app/features/agents/configuration/own-view.ts";
import { firstChoices, reportOf } from "../agents/agent.ts";
import { accountId } from "../database/as-person.ts";
import { newDeployment, saveStep } from "../deployments/wizard.ts";
import { randomAddress } from "../site/network-address.ts";
import { textAt, textOfHtml } from "../site/page-text.ts";
import { Visitor } from "../site/visitor.ts";
import { buyHere, signedInAs } from "./former-people.ts";

/** Somebody with a plan, two deployments, and agents. */
export const ada = accountId(1);

/** Somebody who has an account and nothing else, until their turn comes. */
export const newcomer = (turn: number) => ({
  id: accountId(5_000 + turn),
  email: `newcomer.${turn}@example.com`,
});

type FormerActs = {
  /** The deployment that is saved. */
  deployment: string;
  /** Reports usage once; answers the status. */
  report(turn: number): Promise<number>;
  each: Readonly<Record<string, (turn: number) => Promise<unknown>>>;
};

/** What everybody does each turn at the former site, by name. Whatever does not succeed throws. */
export async function formerActs(url: string): Promise<FormerActs> {
  const asAda = () => signedInAs(ada, url);
  const deployment = await newDeployment(asAda(), { name: "Saved each turn" });
  const made = await changeModels(asAda(), { intent: "create-token", name: "Agent of each turn" });
  const token = made.token ?? "none";
  const agent = (path: string, init: RequestInit = {}) =>
    fetch(url + path, {
      ...init,
      headers: {
        authorization: `Bearer ${token}`,
        "cf-connecting-ip": randomAddress(),
        "content-type": "application/json",
      },
    });
  const pages = {
    "/dashboard": "Pro",
    "/dashboard/account": "customer.1@example.com",
    "/dashboard/deployments": "Saved each turn",
    [`/dashboard/deployments/${deployment}`]: "Saved each turn",
    [`/dashboard/deployments/${deployment}/versions`]: "Versions of Saved each turn",
    "/openai-config/own": "Agent of each turn",
    "/openai-config/usage?from=2026-10-01&to=2026-11-30": '"identity":"ada"',
  };
  /** The version of the model configuration that is saved over next. */
  let version = 3;

  return {
    deployment,
    report: async (turn: number) =>
      (
        await agent("/api/token-usage", {
          method: "POST",
          body: JSON.stringify(reportOf(`turn-${turn}`)),
        })
      ).status,
    each: {
      ...Object.fromEntries(
        Object.entries(pages).map(([path, words]) => [
          `${path} is read`,
          async () => expect(await textAt(asAda(), path)).toContain(words),
        ]),
      ),
      async "a deployment is saved"(turn: number) {
        const domain = `turn-${turn}.mycompany.com`;
        const saved = await saveStep(asAda(), deployment, "security", { domain });
        expect(saved.status, textOfHtml(await saved.clone().text())).toBe(303);
      },
      async "a deployment is made"(turn: number) {
        await newDeployment(asAda(), { name: `Made in turn ${turn}` });
      },
      async "a model configuration is saved"(turn: number) {
        const choices = firstChoices({ version: String(version), model: `model-${turn}` });
        expect(await changeModels(asAda(), choices)).toMatchObject({ version: version + 1 });
        version++;
      },
      async "an agent asks for its configuration"() {
        expect((await agent("/api/model-config")).status).toBe(200);
      },
      async "somebody buys"(turn: number) {
        const buyer = signedInAs(newcomer(turn).id, url);
        await buyHere(buyer, "basic");
        expect(await textAt(buyer, "/dashboard")).toContain("Basic");
      },
      async "a guest buys"(turn: number) {
        await buyHere(new Visitor(url), "pro", `guest.${turn}@example.com`);
      },
      async "an account is deleted"(turn: number) {
        if (turn % 2 === 0) return;
        const { id, email } = newcomer(turn - 1);
        const wish = { intent: "delete", confirmation: email };
        const left = await signedInAs(id, url).post("/dashboard/account", wish);
        expect(left.headers.get("location"), textOfHtml(await left.text())).toBe(
          "/account-deleted",
        );
      },
      async "support is written to"(turn: number) {
        const sent = await new Visitor(url).post("/contact", {
          name: "Guest",
          email: "guest@example.com",
          topic: "support",
          message: `Written in turn ${turn}.`,
        });
        expect(sent.status, textOfHtml(await sent.clone().text())).toBe(303);
      },
    },
  };
}

async function changeModels(visitor: Visitor, fields: Record<string, string>) {
  const response = await visitor.post("/openai-config/own", fields);
  const outcome = (await response.json()) as UserOutcome;
  if (!outcome.ok) throw new Error(`${fields.intent}: ${outcome.message}`);
  return outcome;
}
