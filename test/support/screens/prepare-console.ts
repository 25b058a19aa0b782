import { pauseMark } from "../../../app/features/billing/subscriptions/pause.server.ts";
import { buy } from "../billing/hosted-pages.ts";
import { stripe } from "../billing/stripe-account.ts";
import { database, userIdOf } from "../database/database.ts";
import { fullOptions, storeDeployment, storeVersion } from "../deployments/deployments.ts";
import { settledStripeEvents } from "../site/control-fakes.ts";
import type { Visitor } from "../site/visitor.ts";
import type { ConsoleState } from "./console-screens.ts";
import { signedUpByMail } from "./prepare-workspaces.ts";
import { owner } from "./screen.ts";

/** The newest subscription is paused from the period that it is in. */
async function pauseNow(): Promise<void> {
  const [newest] = (await stripe.subscriptions.list({ limit: 1 })).data;
  const start = newest?.items.data[0]?.current_period_start ?? 0;
  await stripe.subscriptions.update(newest?.id ?? "", {
    pause_collection: { behavior: "void", resumes_at: start + 60 * 86_400 },
    metadata: { [pauseMark]: String(start) },
  });
  await settledStripeEvents();
}

/** Somebody who has given what an invoice needs. */
async function companyOf(email: string): Promise<Visitor> {
  const visitor = await signedUpByMail(email);
  const address = { country: "DE", line1: "Street 1", city: "Berlin" };
  const given = { email: "accounts@okapi.example", company: "Okapi Ltd", ...address };
  await visitor.post("/dashboard/billing", { intent: "details", ...given });
  return visitor;
}

/** People at each point of the way from no plan to servers that run. `buyer` is the owner, who has a plan. */
export async function prepareConsole(buyer: Visitor): Promise<ConsoleState> {
  const id = await storeDeployment(owner, fullOptions());
  const deployment = `/dashboard/deployments/${id}`;
  await buyer.post(`${deployment}/versions`, { applied: "1" });
  await storeVersion(owner, id, { ...fullOptions(), size: "large", updates: "weekly" }, 1);
  const unsaved = { step: "management", version: "1", updates: "monthly" };
  await buyer.post(`${deployment}/unsaved`, unsaved);
  const given = { noted: "2", note: "Room for the conference" };
  await buyer.post(`${deployment}/versions`, given);
  const deleted = await storeDeployment(owner, fullOptions(), "Staging");
  await buyer.post(`/dashboard/deployments/${deleted}/delete`, { name: "Staging" });
  const address = { new_ipv4: "198.41.0.4", new_ipv6: "", of_version: 1 };
  const server = { owner: await userIdOf(owner), target: id, ...address };
  await database.rpc("set_server_address", server).throwOnError();
  const sent = await buyer.post("/dashboard/support", {
    topic: "support",
    deployment: deployment.split("/").at(-1) ?? "",
    message: "Doctor says that 3478/udp is closed. What do I open?",
  });
  const message = new URL(sent.headers.get("location") ?? "", buyer.siteUrl).searchParams.get(
    "sent",
  );
  await database
    .rpc("answer_contact_message", {
      message: message ?? "",
      answer: "Open 3478/udp in the firewall.",
    })
    .throwOnError();
  const beginner = await signedUpByMail("beginner@example.com");
  await buy(beginner, "basic");
  const operator = await signedUpByMail("operator@example.com");
  await buy(operator, "pro");
  for (const name of ["Production", "Rehearsal"]) {
    const server = await storeDeployment("operator@example.com", fullOptions(), name);
    const done = { intent: "progress", step: "connect", done: "yes" };
    await operator.post(`/dashboard/deployments/${server}`, done);
  }
  const paused = await signedUpByMail("paused.plan@example.com");
  await buy(paused, "basic");
  await pauseNow();
  const company = await companyOf("company@example.com");
  const ordered = await companyOf("ordered@example.com");
  await ordered.post("/dashboard/plan", { intent: "order", plan: "pro" });
  return { deployment, beginner, paused, company, ordered, operator };
}
