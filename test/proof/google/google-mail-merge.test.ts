import type { Page } from "playwright-core";
import { beforeEach, expect, test } from "vitest";
import { openPage } from "../../support/browser/browser.ts";
import {
  focused,
  gmailAddress,
  gmailCalls,
  noViolations,
  openGmailTab,
  press,
  sentMessages,
  succeeded,
} from "../../support/google/gmail.ts";
import { steerGoogle } from "../../support/google/google-tools.ts";
import { amount } from "../../support/run/variants.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";

beforeEach(resetFakes);

const count = amount({ inTest: 20, inProof: 200 });

test(`${count} messages, stopped and interrupted in every way, reach everybody once`, async () => {
  await using person = await openPage({ viewport: { width: 320, height: 720 } });
  const { page } = person;
  await page.clock.install();
  await openGmailTab(person, "merge");
  const people = Array.from(
    { length: count },
    (_, at) => `"Doe, ${at}",p${at}@example.com,Acme ${at}`,
  );
  const table = ["name,email,company", ...people, "Nobody,,Acme", 'Twice,P0@example.com,"Acme"'];
  await page.getByLabel("Or a CSV file").setInputFiles({
    name: "people.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(table.join("\r\n")),
  });
  await page.getByLabel("To", { exact: true }).fill("{{name}} <{{email}}>");
  await page.getByLabel("Subject").fill("For {{firm}}");
  await page.getByLabel("Body").fill("Dear {{name}}");
  await page.getByText("The table has no column for {{firm}}.").waitFor();
  await page.getByLabel("Subject").fill("For {{company}}");
  await page.getByText(`Row ${count + 1}: No value for {{email}}.`).waitFor();
  await page.getByText(`Row ${count + 2}: Row 1 has the same address.`).waitFor();
  const preview = page.getByRole("region", { name: "Preview" });
  await preview.getByText(`Message 1 of ${count}`).waitFor();
  await press(page, "Next");
  await preview.getByText("Doe, 1 <p1@example.com>").waitFor();
  await preview.getByText("For Acme 1").waitFor();
  await noViolations(page);

  const way = await watchMerge(page);
  const sent = (done: number) =>
    page.getByText(`${done} of ${count} sent`).waitFor({ timeout: 120_000 });
  const resume = async () => {
    await person.visit(gmailAddress("merge"));
    await press(page, "Resume");
  };
  way.interruptAt(count * 0.2, "after it left");
  await press(page, "Start mail merge");
  await way.interrupted();
  await sent(count * 0.2 - 1);
  await resume();
  await page.clock.fastForward(31_000);
  const lost = way.answered(503);
  await steerGoogle("faults", {
    kind: "lostAnswer",
    match: "/gmail/v1/users/me/messages/send",
    times: 1,
  });
  person.expectProblem(`503 POST ${gmailCalls("merge")}`);
  await lost;
  await page.clock.fastForward(31_000);
  way.interruptAt(count * 0.6, "until it was stopped");
  await way.interrupted();
  await press(page, "Stop");
  way.goOn();
  await page.getByRole("button", { name: "Resume" }).waitFor();
  way.interruptAt(count * 0.7, "before it left");
  await press(page, "Resume");
  await way.interrupted();
  await sent(count * 0.7 - 1);
  await resume();
  await page.clock.fastForward(31_000);
  await sent(count);
  await succeeded(page);
  await noViolations(page);

  const receivers = (await sentMessages()).map(({ to }) => to?.[0]?.address);
  expect(receivers).toHaveLength(count);
  expect(new Set(receivers).size).toBe(count);
  await press(page, "Start another");
  expect(await page.getByLabel("Table").inputValue()).toBe("");
}, 300_000);

test("a mail merge that was given up comes back without the recipients who got it, or may have", async () => {
  await using person = await openPage();
  const { page } = person;
  await page.clock.install();
  await openGmailTab(person, "merge");
  await page.getByLabel("Or a CSV file").setInputFiles({
    name: "people.csv",
    mimeType: "text/csv",
    buffer: Buffer.from("name\nMüller", "latin1"),
  });
  await page.getByRole("alert").getByText("The file is not UTF-8.").waitFor();
  await page
    .getByLabel("Table")
    .fill(
      "name,email\nA,a@example.com\nB,b@example.com\nC,c@example.com\nD,d@example.com\nE,A@example.com",
    );
  await page.getByLabel("Subject").fill("Hello");
  await page.getByLabel("Body").fill("Dear {{name}}");
  const way = await watchMerge(page);
  way.interruptAt(2, "before it left");
  await press(page, "Start mail merge");
  await way.interrupted();
  await focused(page, "Stop");
  await person.visit(gmailAddress("merge"));
  await page.getByText("1 of 4 sent").waitFor();
  way.findNothing();
  await press(page, "Resume");
  await page.clock.fastForward(31_000);
  await page.getByRole("alert").getByText("Whether the message of row 2 left").waitFor();
  await focused(page, "Resume");
  way.interruptAt(3, "before it left");
  await press(page, "It left");
  await way.interrupted();
  await focused(page, "Stop");
  await person.visit(gmailAddress("merge"));
  await page.getByText("2 of 4 sent").waitFor();
  await press(page, "Give up the rest");
  await page.getByText("c@example.com may have got the message or not").waitFor();
  expect(await page.getByLabel("Table").inputValue()).toBe("name,email\nD,d@example.com");
  expect(await page.getByLabel("Subject").inputValue()).toBe("Hello");
  await page.getByRole("region", { name: "Preview" }).getByText("Message 1 of 1").waitFor();
});

type Interruption = "before it left" | "after it left" | "until it was stopped";

/** Interrupts a mail merge at chosen requests, and reports when. */
async function watchMerge(page: Page) {
  let sends = 0;
  let findsNothing = false;
  let plan: { at: number; how: Interruption } | undefined;
  let happened = Promise.withResolvers<void>();
  const stopped = Promise.withResolvers<void>();
  const answers = new Map<number, PromiseWithResolvers<void>>();
  page.on("response", (response) => answers.get(response.status())?.resolve());
  await page.route(`**${gmailCalls("merge")}`, async (route) => {
    const isSend = !new URLSearchParams(route.request().postData() ?? "").has("step");
    if (isSend) sends++;
    else if (findsNothing) {
      const result = { sent: false, sure: false };
      return route.fulfill({ json: { ok: true, message: "", result } });
    }
    if (!isSend || !plan || sends < plan.at) return route.continue();
    const { how } = plan;
    plan = undefined;
    if (how === "after it left") await route.fetch();
    happened.resolve();
    // Otherwise the page waits for this answer until it is left.
    if (how === "until it was stopped") {
      await stopped.promise;
      await route.continue();
    }
  });
  return {
    interruptAt(at: number, how: Interruption) {
      happened = Promise.withResolvers();
      plan = { at, how };
    },
    interrupted: () => happened.promise,
    /** Lets the request leave that was held "until it was stopped". */
    goOn: () => stopped.resolve(),
    /** From now on it answers as behind too much other mail. */
    findNothing() {
      findsNothing = true;
    },
    answered(status: number) {
      const answer = answers.get(status) ?? Promise.withResolvers<void>();
      answers.set(status, answer);
      return answer.promise;
    },
  };
}
