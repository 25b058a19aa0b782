import type { Page } from "playwright-core";
import { beforeEach, expect, test } from "vitest";
import { openPage } from "../../support/browser/browser.ts";
import { scriptVariants, testInProof, variants } from "../../support/run/variants.ts";
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

async function focused(page: Page) {
  return page.evaluate(() => document.activeElement?.getAttribute("name"));
}

const ways = variants(scriptVariants);

test.each(ways())(
  "a message $script ends at a page that says where the answer goes",
  async (way) => {
    await using person = await openPage(way);
    const { page } = person;
    await person.visit("/contact");
    await fill(page);
    await send(page);
    await person.arrive("/contact/sent");
    await page.getByRole("heading", { name: "Message sent" }).waitFor();
    await page.reload();
    await page.getByText("ada@example.com").waitFor();
    await page.getByText("Support", { exact: true }).first().waitFor();
    expect(await page.title()).toBe("Message sent · LiveKit Deploy");
  },
);

testInProof.each(ways())(
  "what is wrong is marked and focused $script, the rest is kept",
  async (way) => {
    await using person = await openPage(way);
    const { page } = person;
    await person.visit("/contact");
    await fill(page);
    await fields.email(page).fill("ada at example.com");
    if (way.javaScript) person.expectProblem("400 POST /contact.data");
    else person.expectProblem("400 POST /contact");
    await send(page);
    await page.getByRole("alert").getByText("Nothing was sent yet.").waitFor();
    await expect.poll(() => focused(page)).toBe("email");
    const email = fields.email(page);
    expect(await email.getAttribute("aria-invalid")).toBe("true");
    const ids = (await email.getAttribute("aria-describedby"))?.split(" ") ?? [];
    const described = await Promise.all(
      ids.map((id) => page.locator(`[id="${id}"]`).textContent()),
    );
    expect(described).toEqual([
      "We answer to this address. Up to 254 characters.",
      "Write an e-mail address like name@example.com.",
    ]);
    expect(await fields.name(page).inputValue()).toBe("Ada Lovelace");
    expect(await email.inputValue()).toBe("ada at example.com");
    expect(await fields.topic(page).inputValue()).toBe("support");
    expect(await fields.message(page).inputValue()).toContain("but only over UDP.");

    await email.fill("ada@example.com");
    await send(page);
    await person.arrive("/contact/sent");
  },
);

test("the form is filled and sent by keyboard alone, past the hidden field", async () => {
  await using person = await openPage();
  const { page } = person;
  await person.visit("/contact?topic=sales");
  expect(await fields.topic(page).inputValue()).toBe("sales");
  await fields.name(page).focus();
  const order: unknown[] = [];
  for (const text of ["Ada Lovelace", "ada@example.com", "", "How many servers does Pro deploy?"]) {
    order.push(await focused(page));
    if (text) await page.keyboard.type(text);
    await page.keyboard.press("Tab");
  }
  expect(order).toEqual(["name", "email", "topic", "message"]);
  await page.keyboard.press("Enter");
  await person.arrive("/contact/sent");
  await page.getByText("Sales", { exact: true }).waitFor();
});
