import { beforeEach, expect, test } from "vitest";
import { mailsTo } from "../../support/auth/inbox.ts";
import { storePlan } from "../../support/billing/store-plan.ts";
import { openPage } from "../../support/browser/browser.ts";
import { fullOptions, storeDeployment } from "../../support/deployments/deployments.ts";
import { scriptVariants } from "../../support/run/variants.ts";
import { pagerEvents, webhookAddress, webhookBodies } from "../../support/servers/arrived.ts";
import { resetFakes, steerAlerts } from "../../support/site/control-fakes.ts";

beforeEach(resetFakes);

const email = "customer.one@example.com";
const routingKey = "e93facc04764012d7bfb002500d5d1a6";

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
