import type { Page } from "playwright-core";
import { beforeEach, expect, test } from "vitest";
import { openPage } from "../../support/browser/browser.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";

beforeEach(resetFakes);

const fields = {
  name: (page: Page) => page.getByLabel("Name"),
  email: (page: Page) => page.getByLabel("E-mail"),
  topic: (page: Page) => page.getByLabel("Topic"),
  message: (page: Page) => page.getByLabel("Message"),
};

async function fill(page: Page) {
  await fields.name(page).fill("Ada Lovelace");
  await fields.email(page).fill("ada@example.com");
  await fields.topic(page).selectOption("Support");
  await fields.message(page).fill("Our TURN relay answers,\nbut only over UDP.");
}

function send(page: Page) {
  return page.getByRole("button", { name: "Send message" }).click();
}

test("the button says that a message is on its way and cannot send it twice", async () => {
  await using person = await openPage();
  const { page } = person;
  await person.visit("/contact");
  await fill(page);
  const held = await person.hold("/contact.data");
  await send(page);
  expect(await page.getByRole("button", { name: "Sending..." }).isDisabled()).toBe(true);
  held.release();
  await person.arrive("/contact/sent");
});

test("what was typed outlives a reload and a look at another page, until it is sent", async () => {
  await using person = await openPage();
  const { page } = person;
  const isThere = async () => {
    await expect.poll(() => fields.message(page).inputValue()).toContain("but only over UDP.");
    expect(await fields.name(page).inputValue()).toBe("Ada Lovelace");
    expect(await fields.topic(page).inputValue()).toBe("support");
  };
  await person.visit("/contact");
  await fill(page);
  await page.reload();
  await isThere();
  await page
    .getByRole("navigation", { name: "Main" })
    .getByRole("link", { name: "Support" })
    .click();
  await person.arrive("/support");
  await page.goBack();
  await isThere();
  await send(page);
  await person.arrive("/contact/sent");
  await page.getByRole("link", { name: "Write again" }).click();
  await person.arrive("/contact");
  await expect.poll(() => fields.message(page).inputValue()).toBe("");
});

test("a screen reader hears four fields and no trap", async () => {
  await using person = await openPage();
  const { page } = person;
  await person.visit("/contact");
  const form = page.locator("form", { has: fields.message(page) });
  expect(await form.getByRole("textbox").count()).toBe(3);
  expect(await form.getByRole("combobox").count()).toBe(1);
  expect(await page.getByLabel("Leave this empty").isVisible()).toBe(true);
  expect(await form.ariaSnapshot()).not.toContain("Leave this empty");
});
