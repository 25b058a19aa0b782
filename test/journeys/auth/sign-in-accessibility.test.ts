import { beforeAll, expect, test } from "vitest";
import { desktop, faultsOfPage } from "../../support/browser/axe.ts";
import { type OpenPage, openPage } from "../../support/browser/browser.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";

beforeAll(resetFakes);

const views = {
  "sign-in": "Sign in to your account",
  "sign-up": "Create your account",
  "forgot-password": "Reset your password",
  "magic-link": "Sign in without a password",
  "update-password": "Choose a new password",
  "verify-otp": "Enter your code",
};

const inspected = { theme: "light", viewport: desktop, reducedMotion: true } as const;

async function inspect({ page }: OpenPage, state: string, heading: string) {
  await page.getByRole("heading", { level: 1, name: heading }).waitFor();
  expect.soft(await page.getByRole("heading", { level: 1 }).count(), state).toBe(1);
  expect.soft(await faultsOfPage(page), state).toEqual([]);
}

test("axe finds nothing in the six views, and they fit a phone", async () => {
  await using person = await openPage(inspected);
  await person.visit("/signin");
  for (const [anchor, heading] of Object.entries(views)) {
    await person.page.goto(`/signin#auth-${anchor}`);
    await inspect(person, anchor, heading);
  }
});
