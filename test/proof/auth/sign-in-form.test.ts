import { beforeAll, expect, test } from "vitest";
import { openPage } from "../../support/browser/browser.ts";
import { keyboard, mouse } from "../../support/browser/page-actions.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";

beforeAll(resetFakes);

test("a new view is announced by its heading", async () => {
  await using person = await openPage();
  const { page } = person;
  await person.visit("/signin");
  await keyboard.press(page, "link", "Mail me a sign-in link instead");
  await page
    .getByRole("heading", { name: "Sign in without a password" })
    .and(page.locator(":focus"))
    .waitFor();
});

test("while a post is under way nothing else can be sent, and the button says so", async () => {
  await using person = await openPage();
  const { page } = person;
  await person.visit("/signin#auth-magic-link");
  const post = await person.hold("/signin.data");
  await mouse.fill(page, "E-mail address", "ada@example.com");
  await mouse.press(page, "button", "Send the sign-in link");
  await page.getByRole("button", { name: "One moment...", disabled: true }).waitFor();
  await expect.poll(() => page.locator("main button[type=submit]:enabled").count()).toBe(0);
  post.release();
  await page.getByRole("status").getByText("Check your email for the magic link").waitFor();
  await page.getByRole("button", { name: "Send it again", disabled: false }).waitFor();
});

test("no second provider can be pressed until somebody comes back from the first", async () => {
  await using person = await openPage();
  const { page } = person;
  await person.visit("/signin");
  const offered = page.locator("button[name=provider]:enabled:visible");
  await expect.poll(() => offered.count()).toBe(3);
  // A page that is really being left answers no questions: this one stays.
  await page.evaluate(() => addEventListener("submit", (event) => event.preventDefault()));
  await mouse.press(page, "button", "Continue with Google");
  await expect.poll(() => offered.count()).toBe(0);
  await page.evaluate(() => dispatchEvent(new Event("pageshow")));
  await expect.poll(() => offered.count()).toBe(3);
});

test("the card is 360 pixels wide, or as wide as a small phone allows", async () => {
  await using person = await openPage();
  const { page } = person;
  await person.visit("/signin");
  const widthAt = async (width: number) => {
    await page.setViewportSize({ width, height: 800 });
    return (await page.locator(".sign-in-views").boundingBox())?.width;
  };
  expect(await widthAt(1280)).toBe(360);
  expect(await widthAt(768)).toBe(360);
  expect(await widthAt(320)).toBeLessThanOrEqual(320 - 2 * 16);
});
