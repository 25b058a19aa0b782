import type { Locator } from "playwright-core";
import { beforeEach, expect, test } from "vitest";
import { arriveAtCheckout } from "../../support/billing/hosted-pages.ts";
import { type OpenPage, openPage } from "../../support/browser/browser.ts";
import { tabTo } from "../../support/browser/page-actions.ts";
import { resetFakes, steerInternet } from "../../support/site/control-fakes.ts";

const domain = "live.mycompany.com";
const address = "198.41.0.4";

beforeEach(resetFakes);

/** A person who works a page by mouse or by keyboard alone, and what they did. */
function counted({ page }: OpenPage, by: "mouse" | "keyboard") {
  const done = { presses: 0, typed: 0 };
  return {
    done,
    async press(target: Locator) {
      done.presses++;
      if (by === "mouse") return target.click();
      await tabTo(page, target);
      await page.keyboard.press("Enter");
    },
    async type(target: Locator, text: string) {
      done.typed++;
      if (by === "mouse") return target.fill(text);
      await tabTo(page, target);
      await page.keyboard.type(text);
    },
  };
}

test.each([
  { by: "mouse", javaScript: true },
  { by: "keyboard", javaScript: true },
  { by: "mouse", javaScript: false },
] as const)(
  "from an account without a plan to the test call of a server that runs: by $by, with script: $javaScript",
  async ({ by, javaScript }) => {
    await using person = await openPage({ javaScript });
    const { page } = person;
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    if (javaScript) await page.clock.install();
    await person.signIn();
    await person.visit("/dashboard");
    const { press, type, done } = counted(person, by);
    const button = (name: string | RegExp) => page.getByRole("button", { name }).first();
    const link = (name: string) => page.getByRole("link", { name, exact: true });
    const stepsDone = (count: number) => page.getByText(`${count} of 5`).first().waitFor();

    await press(link("Choose a plan"));
    await person.arrive("/pricing");
    await press(button("Get started"));
    await arriveAtCheckout(page);
    await press(button("Pay and subscribe"));
    await person.arrive("/success");
    await press(link("Go to Dashboard"));
    await person.arrive("/dashboard");

    await stepsDone(0);
    await type(page.getByLabel("Domain"), domain);
    await press(button("Create with good defaults"));
    await stepsDone(1);

    const download = page.waitForEvent("download");
    await press(button("Download the files"));
    expect((await download).suggestedFilename()).toBe(`${domain}-v1.zip`);
    if (javaScript) await button("Mark as not done: Files downloaded").waitFor();
    if (javaScript) await press(button("Copy the command that creates the VM"));
    // The customer runs it. It prints the address, and their server boots.
    await steerInternet({ server: domain, answers: "livekit" });
    await type(page.getByLabel("IPv4 address of the server"), address);
    await press(button("Save the address"));
    await stepsDone(2);

    if (javaScript) await page.getByText("Not there yet").first().waitFor();
    // The customer sets the two records at their DNS provider.
    for (const name of [domain, `turn.${domain}`]) await steerInternet({ name, A: [address] });
    // The page looks by itself every 30 seconds; without script somebody presses.
    if (javaScript) await page.clock.runFor(31_000);
    else await press(button("Look now"));
    await stepsDone(3);
    if (javaScript) await press(button("Copy the command that runs the doctor"));
    await press(button("Mark as done: Doctor passed"));
    await stepsDone(4);
    await press(link("Make a test call"));
    await page.getByRole("heading", { level: 1, name: "Test call" }).waitFor();
    if (javaScript) {
      await type(page.getByLabel("API key"), "APIwhatTheServerShows");
      await type(page.getByLabel("API secret"), "what the server shows beside it");
      await button(/^Start/).waitFor();
    } else {
      await page.getByText("that needs JavaScript").waitFor();
    }
    expect(done).toEqual(javaScript ? { presses: 11, typed: 4 } : { presses: 10, typed: 2 });
  },
  60_000,
);
