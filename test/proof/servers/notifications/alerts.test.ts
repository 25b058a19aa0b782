import { beforeEach, expect, test } from "vitest";
import { mailsTo } from "../../../support/auth/inbox.ts";
import { storePlan } from "../../../support/billing/store-plan.ts";
import { openPage } from "../../../support/browser/browser.ts";
import { fullOptions, storeDeployment } from "../../../support/deployments/deployments.ts";
import { scriptVariants } from "../../../support/run/variants.ts";
import { pagerEvents, webhookAddress, webhookBodies } from "../../../support/servers/arrived.ts";
import { resetFakes, steerAlerts } from "../../../support/site/control-fakes.ts";
import { signedIn } from "../../../support/site/visitor.ts";
import { addMember, personalWorkspace } from "../../../support/workspaces/workspaces.ts";

beforeEach(resetFakes);

const email = "customer.one@example.com";
const colleague = "customer.two@example.com";
const routingKey = "e93facc04764012d7bfb002500d5d1a6";

test.each(scriptVariants)(
  "a team makes a rota of two, notes who is away, and sets quiet hours, $script",
  async ({ javaScript }) => {
    await using person = await openPage({ javaScript, viewport: { width: 320, height: 800 } });
    const { page } = person;
    const visitor = await person.signIn();
    await signedIn(colleague);
    await storePlan(email, "basic");
    await addMember(await personalWorkspace(email), colleague, "operator");
    const id = await storeDeployment(email, fullOptions());
    await visitor.post(`/dashboard/deployments/${id}`, { intent: "connect" });
    const { slug } = await personalWorkspace(email);
    const alerts = `/dashboard/w/${slug}/alerts`;
    await person.visit(alerts);
    await page.locator("summary", { hasText: "Mail to a member" }).click();
    await page.getByRole("button", { name: "Add mail" }).click();
    await page.getByText("The channel was added.").waitFor();

    await page.getByText("Time zone: UTC").click();
    person.expectProblem(`400 POST ${alerts}${javaScript ? ".data" : ""}`);
    await page.getByLabel("Time zone", { exact: true }).fill("Europe/Atlantis");
    await page.getByRole("button", { name: "Save the time zone" }).click();
    await page.getByText("This time zone is not known.").waitFor();
    if (!javaScript) await page.getByText("Time zone: UTC").click();
    await page.getByLabel("Time zone", { exact: true }).fill("Europe/Berlin");
    await page.getByRole("button", { name: "Save the time zone" }).click();
    await page.getByText("The time zone is saved.").waitFor();

    await page.getByText("Make a rota").click();
    await page.getByLabel("Week 1").selectOption({ label: colleague });
    await page.getByLabel("Week 2").selectOption({ label: email });
    await page.getByLabel("Handover on").selectOption("Monday");
    await page.getByLabel("At", { exact: true }).selectOption("09:00");
    await page.getByRole("button", { name: "Save the rota" }).click();
    await page.getByText("The rota is saved.").waitFor();
    const rota = page.locator("#rota");
    await rota
      .getByText(new RegExp(`^${colleague} is first until Mon, .*09:00 .Europe/Berlin.`))
      .waitFor();
    const first = page.locator("#first");
    await first.getByText(`Mail to ${colleague}`).first().waitFor();
    expect(await first.getByText(`Mail to ${email}`).count()).toBe(0);
    expect(await page.getByRole("button", { name: "Tell at once" }).count()).toBe(0);

    await page.getByText("Somebody is away").click();
    await page.getByLabel("Who").selectOption({ label: colleague });
    await page.getByLabel("First day").fill("2026-01-01");
    await page.getByLabel("Last day").fill("2099-12-31");
    await rota.getByRole("button", { name: "Save", exact: true }).click();
    await rota.getByText(`Away: ${colleague}, Thu, Jan 1 to Thu, Dec 31`).waitFor();
    await rota.getByText(new RegExp(`^${email} is first until`)).waitFor();
    await rota.getByRole("button", { name: `Remove (${colleague}` }).click();
    await rota.getByText(new RegExp(`^${colleague} is first until`)).waitFor();
    await page.locator("#second summary", { hasText: "Quiet hours" }).click();
    await page.locator("#second").getByLabel("From").selectOption("22:00");
    await page.locator("#second").getByLabel("Until").selectOption("07:00");
    await page.getByRole("button", { name: `Save the quiet hours (Mail to ${email})` }).click();
    await page.getByText("Quiet from 22:00 until 07:00, but for what wakes somebody.").waitFor();

    // With script the form is open still.
    if (!javaScript) await page.getByText("Change the rota").click();
    await page.getByRole("button", { name: "End the rota" }).click();
    await page.getByText("There is no rota: each channel is told as it says itself.").waitFor();
    expect(await first.getByText(`Mail to ${email}`).count()).toBeGreaterThan(0);
  },
);

test.each(scriptVariants)(
  "a user who connects a server adds each channel, tests it, sees it fail and removes it, $script",
  async ({ javaScript }) => {
    await using person = await openPage({ javaScript });
    const { page } = person;
    await person.signIn();
    await person.visit("/dashboard/alerts");
    await page.getByText("No server is connected to the console yet").waitFor();
    await storePlan(email, "basic");
    const id = await storeDeployment(email, fullOptions());
    await person.visit(`/dashboard/deployments/${id}`);
    await page.getByRole("button", { name: "Make a token" }).click();
    await page.getByText("Copy the token now").waitFor();

    await page.getByRole("link", { name: "Alerts" }).first().click();
    await page.getByText(`Mail to ${email}`).first().waitFor();
    await page.getByText("Only one channel is told.").waitFor();
    await page.getByText("Everything else: one mail a day at 07:00 UTC.").waitFor();
    await page.getByText("No test sent yet").waitFor();
    await page.getByRole("button", { name: `Send a test now (Mail to ${email})` }).click();
    await page.getByText("The test was sent.").waitFor();
    const subjects = (await mailsTo(email)).map(({ subject }) => subject);
    expect(subjects.filter((subject) => subject.startsWith("A test of your alerts"))).toHaveLength(
      1,
    );

    await page.locator("summary", { hasText: "PagerDuty" }).last().click();
    await page.getByLabel("Routing key").fill("e93facc0");
    person.expectProblem(`400 POST /dashboard/alerts${javaScript ? ".data" : ""}`);
    await page.getByRole("button", { name: "Add PagerDuty" }).click();
    await page.getByText("has 32 letters and digits").waitFor();
    await page.getByLabel("Routing key").fill(routingKey);
    await page.getByRole("button", { name: "Add PagerDuty" }).click();
    await page.getByText("The channel was added.").waitFor();
    await page.getByRole("button", { name: "Send a test now (PagerDuty, key …d1a6)" }).click();
    await page.getByText("The test was sent.").waitFor();
    expect(await pagerEvents(routingKey)).toHaveLength(2);
    await page.getByText("Last test sent").nth(1).waitFor();
    await page.getByRole("button", { name: "Tell after ten minutes (PagerDuty" }).click();
    await page.getByText("Saved: it is told after ten minutes.").waitFor();

    await page.locator("summary", { hasText: "Webhook" }).last().click();
    await page.getByLabel("Address").fill(webhookAddress("team"));
    await page.getByRole("button", { name: "Add the webhook" }).click();
    await page.getByText(/^whsec_/).waitFor();
    await person.visit("/dashboard/alerts");
    expect(await page.content()).not.toContain("whsec_");
    await steerAlerts({ webhooks: "failing" });
    person.expectProblem(`502 POST /dashboard/alerts${javaScript ? ".data" : ""}`);
    await page.getByRole("button", { name: /Send a test now \(Webhook/ }).click();
    await page.getByText("The test did not arrive. It answered 502.").waitFor();
    await page.getByText("The last message did not arrive.").waitFor();
    await steerAlerts({ webhooks: "well" });
    await page.getByRole("button", { name: /Send a test now \(Webhook/ }).click();
    await page.getByText("The test was sent.").waitFor();
    expect(await webhookBodies("team")).toHaveLength(2);

    await page.getByText(/^Remove\s*\(Webhook/).click();
    await page.getByRole("button", { name: /Remove the channel \(Webhook/ }).click();
    await page.getByText("The channel was removed.").waitFor();
    expect(await page.getByRole("button", { name: /\(Webhook/ }).count()).toBe(0);
  },
);
