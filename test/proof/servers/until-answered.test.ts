import { beforeEach, expect, test } from "vitest";
import { mailsTo } from "../../support/auth/inbox.ts";
import { storePlan } from "../../support/billing/store-plan.ts";
import { type OpenPage, openPage } from "../../support/browser/browser.ts";
import { tabTo } from "../../support/browser/page-actions.ts";
import { fullOptions, storeDeployment } from "../../support/deployments/deployments.ts";
import {
  pagerEvents,
  serviceRequests,
  webhookAddress,
  webhookBodies,
} from "../../support/servers/arrived.ts";
import { enrolMachines } from "../../support/servers/connect-server.ts";
import { controlFleet } from "../../support/servers/control-fleet.ts";
import { actAtPagerDuty, resetFakes } from "../../support/site/control-fakes.ts";
import { siteUrl } from "../../support/site/own-site.ts";
import { addMember, personalWorkspace } from "../../support/workspaces/workspaces.ts";

beforeEach(resetFakes);

const emails = { first: "customer.one@example.com", second: "customer.two@example.com" };
const routingKey = "e93facc04764012d7bfb002500d5d1a6";
const secret = "n0t-a-real-secret-of-pagerduty";
const critical = "finding\tturn.udp.silent\tcritical\t\tnothing came back\t";
const minute = 60_000;
const slackAddress = webhookAddress("x").replace("/webhooks/x", "/slack/services/T0/B0/team");

/** Two people, PagerDuty and a channel of Slack are notified of a server, and a webhook as well. */
async function onCall(owner: OpenPage, colleague: OpenPage) {
  const { page } = owner;
  const visitor = await owner.signIn(emails.first);
  await colleague.signIn(emails.second);
  await storePlan(emails.first, "basic");
  const workspace = await personalWorkspace(emails.first);
  await addMember(workspace, emails.second, "operator");
  const deployment = await storeDeployment(emails.first, fullOptions());
  const [machine] = await enrolMachines(visitor, deployment, 1);
  if (!machine) throw new Error("No machine was connected");
  await owner.visit("/dashboard/alerts");
  await page.getByText("Add a second person.").waitFor();
  await page.locator("summary", { hasText: "Mail to a member" }).click();
  await page.getByLabel("Member").selectOption({ label: emails.second });
  await page.getByRole("button", { name: "Add mail" }).click();
  await page.getByText("The channel was added.").waitFor();
  await page.locator("summary", { hasText: "PagerDuty" }).last().click();
  await page.getByLabel("Routing key").fill(routingKey);
  await page.getByRole("button", { name: "Add PagerDuty" }).click();
  await page.getByText("PagerDuty, key …d1a6").first().waitFor();
  await page.locator("summary", { hasText: "Acknowledge at PagerDuty" }).click();
  const url = (await page.getByText(/\/v1\/pagerduty\/lkd_p_/).textContent()) ?? "";
  await page.getByLabel("Signing secret").fill(secret);
  await page.getByRole("button", { name: "Save the secret" }).click();
  await page.getByText("What is acknowledged at PagerDuty is acknowledged here too.").waitFor();
  await page.locator("summary", { hasText: "Slack" }).click();
  await page.getByLabel("Webhook URL").first().fill(slackAddress);
  await page.getByRole("button", { name: "Add Slack" }).click();
  await page.getByText("The channel was added.").waitFor();
  await page.locator("summary", { hasText: "Webhook" }).last().click();
  await page.getByLabel("Address").fill(webhookAddress("team"));
  await page.getByRole("button", { name: "Add the webhook" }).click();
  await page.getByText(/^whsec_/).waitFor();
  const move = (minutes: number) =>
    controlFleet(siteUrl, workspace.id, "clock", { ms: minutes * minute });
  return { machine, move, url };
}

const linkIn = (text: string) => /https?:\/\/\S+\/acknowledge\?link=\S+/.exec(text)?.[0] ?? "";

/** The messages in the channel of Slack, as JSON. */
const slackMessages = async () => (await serviceRequests()).map(({ body }) => JSON.stringify(body));

/** The newest mail to each of both. */
async function mails() {
  const [one] = await mailsTo(emails.first);
  const [other] = await mailsTo(emails.second);
  return [one?.text ?? "", other?.text ?? ""];
}

const paged = async () => (await pagerEvents(routingKey)).map(({ event_action }) => event_action);

test("a fault reaches two people, Slack and PagerDuty, and one press from a mail or there ends the repeats, by name", async () => {
  await using owner = await openPage();
  await using colleague = await openPage();
  // Who opens the link of a mail has no session.
  await using phone = await openPage({ viewport: { width: 320, height: 640 } });
  const { machine, move, url } = await onCall(owner, colleague);
  const server = `/dashboard/servers/${machine.server}`;
  await machine.report(2, [critical]);
  await move(0);
  const [mine = "", theirs = ""] = await mails();
  const links = [mine, theirs].map(linkIn);
  expect(new Set(links).size).toBe(2);

  // A mail scanner opens every link of ours in every message, twice.
  const [webhook] = await webhookBodies("team");
  const [inSlack = ""] = await slackMessages();
  expect(inSlack).toContain(`/servers/${machine.server}>`);
  const everywhere = [mine, theirs, inSlack, JSON.stringify(webhook)].join(" ");
  const ours = [...everywhere.matchAll(/https?:\/\/[^\s"<>|\\]+/g)]
    .map(([link]) => link)
    .filter((link) => new URL(link).origin === siteUrl);
  expect(ours.length).toBeGreaterThan(3);
  for (const link of ours) {
    for (const method of ["HEAD", "GET"]) await fetch(link, { method });
  }
  await owner.visit(server);
  await owner.page.getByText("Nobody has acknowledged it yet.").first().waitFor();
  await move(25);
  const sent = await mailsTo(emails.second);
  expect(sent[0]?.subject).toMatch(/^\S+ is still not well: /);

  const { pathname, search } = new URL(links[1] ?? "");
  await phone.visit(pathname + search);
  await phone.page.getByLabel("Note for the others").fill("I restart it");
  await phone.page.getByRole("button", { name: "Acknowledge", exact: true }).click();
  await phone.page.getByText("Acknowledged. It is not told again.").waitFor();
  // The first person sees who it is, on their page without a reload, and by their own link.
  await owner.page.getByText(`Acknowledged by ${emails.second}`).first().waitFor();
  await owner.page.getByText("I restart it").first().waitFor();
  const first = new URL(links[0] ?? "");
  await colleague.visit(first.pathname + first.search);
  await colleague.page.getByText(`Acknowledged by ${emails.second}`).first().waitFor();
  await move(0);
  expect((await paged()).at(-1)).toBe("acknowledge");
  const messages = await slackMessages();
  await move(3 * 60);
  expect(await mailsTo(emails.second)).toHaveLength(sent.length);
  expect(await slackMessages()).toEqual(messages);

  // It is taken back, and somebody acknowledges at PagerDuty.
  await owner.page.getByRole("button", { name: "Take the acknowledgement back" }).click();
  await owner.page.getByText("Nobody has acknowledged it yet.").first().waitFor();
  await move(0);
  expect(await mailsTo(emails.second)).toHaveLength(sent.length + 1);
  const [trigger] = await pagerEvents(routingKey);
  const status = await actAtPagerDuty({
    ...{ event_type: "incident.acknowledged", dedup_key: trigger?.dedup_key ?? "" },
    ...{ agent: "Tenex Engineer", url, secrets: [secret] },
    occurred_at: new Date(Date.now() + 205 * minute).toISOString(),
  });
  expect(status).toBe(202);
  await owner.page.getByText("Acknowledged by Tenex Engineer at PagerDuty").first().waitFor();
  await move(3 * 60);
  expect(await mailsTo(emails.second)).toHaveLength(sent.length + 1);
  expect((await webhookBodies("team")).at(-1)?.type).toBe("incident.acknowledged");
});

test("by keyboard alone the link of a message acknowledges, and the overview does what is left at once", async () => {
  await using owner = await openPage();
  await using phone = await openPage({ viewport: { width: 320, height: 640 } });
  const { page } = owner;
  const visitor = await owner.signIn(emails.first);
  await storePlan(emails.first, "pro");
  const workspace = await personalWorkspace(emails.first);
  const deployment = await storeDeployment(emails.first, fullOptions());
  const [first, ...others] = await enrolMachines(visitor, deployment, 3);
  await first?.report(2, [critical]);
  await controlFleet(siteUrl, workspace.id, "clock", { ms: minute });
  const [mail = ""] = await mails();
  const { pathname, search } = new URL(linkIn(mail));
  await phone.visit(pathname + search);
  await tabTo(phone.page, phone.page.getByLabel("Note for the others (optional)"));
  await phone.page.keyboard.type("I restart it");
  await phone.page.keyboard.press("Enter");
  await phone.page.getByText("Acknowledged. It is not told again.").waitFor();
  for (const machine of others) await machine.report(2, [critical]);

  await owner.visit("/dashboard");
  await page.getByText("Nobody has acknowledged what is wrong with 2 servers.").waitFor();
  await tabTo(page, page.getByRole("button", { name: "Acknowledge all 2" }));
  await page.keyboard.press("Enter");
  const acknowledged = page.getByRole("list", { name: "Servers" }).getByText("Acknowledged");
  await expect.poll(() => acknowledged.count()).toBe(3);
  await page.getByText("Nobody has acknowledged what is wrong").waitFor({ state: "detached" });
});
