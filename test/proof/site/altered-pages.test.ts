import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { desktop } from "../../support/browser/axe.ts";
import { openPage } from "../../support/browser/browser.ts";
import { fullOptions, storeDeployment } from "../../support/deployments/deployments.ts";
import { prepareScreens } from "../../support/screens/screens.ts";

// What browsers and their extensions do to a page that React knows otherwise.

const screens = prepareScreens();

/** As browsers translate: each text that is seen goes into elements of its own, as a node that React does not know. */
async function translate(page: Page): Promise<void> {
  await page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const texts: Text[] = [];
    while (walker.nextNode()) {
      const node = walker.currentNode;
      const isShown =
        node.parentElement?.closest("script, style, textarea, noscript, svg") === null;
      if (node instanceof Text && isShown && node.data.trim() !== "") texts.push(node);
    }
    for (const text of texts) {
      const [outer, inner] = [document.createElement("font"), document.createElement("font")];
      inner.textContent = text.data;
      outer.appendChild(inner);
      text.replaceWith(outer);
    }
  });
}

/** Presses whatever sends nothing and leads nowhere, each once, and twice where it opens and closes. */
async function pressAll(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(() => resolve(undefined)));
    const harmless =
      "summary, button[type=button], [role=tab]:not(a), input[type=checkbox], input[type=radio]";
    for (const each of document.querySelectorAll<HTMLElement>(harmless)) {
      if (!each.isConnected || each.matches(":disabled") || !each.checkVisibility()) continue;
      each.click();
      await frame();
      if (each.matches("summary, input[type=checkbox]") && each.isConnected) each.click();
      await frame();
    }
  });
}

const faults = (page: Page) =>
  page.getByText(/Unexpected Application Error!|This part of the page broke/).count();

// React writes to the console what it could not do, and a window that had such a line fails.
test.for(screens)(
  "$name: nothing breaks where the browser translates it (C1)",
  async ({ open }) => {
    await using person = await openPage({ viewport: desktop });
    const { page } = person;
    await open(person);
    const before = await faults(page);
    await translate(page);
    await pressAll(page);
    expect(await faults(page)).toBe(before);
  },
);

const email = "customer.one@example.com";
const connectPage = async () =>
  `/dashboard/deployments/${await storeDeployment(email, fullOptions())}/connect`;

test("a text is copied on a page that was translated, and the page stays (C1)", async () => {
  await using person = await openPage();
  const { page } = person;
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await person.signIn(email);
  await person.visit(await connectPage());
  await translate(page);
  await page
    .getByRole("main")
    .getByRole("button", { name: /^Copy / })
    .first()
    .click();
  await page.getByRole("status").getByText("Copied").first().waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).not.toBe("");
});

test("where one part of a page breaks, the rest and the navigation stay (C1)", async () => {
  await using person = await openPage();
  const { page } = person;
  await page.context().grantPermissions(["clipboard-write"]);
  person.expectProblem("NotFoundError");
  await person.signIn(email);
  await person.visit(await connectPage());
  const heading = await page.getByRole("heading", { level: 1 }).textContent();
  const copy = page
    .getByRole("main")
    .getByRole("button", { name: /^Copy / })
    .first();
  await copy.evaluate((button) => button.firstElementChild?.remove());
  await copy.click();
  await page.getByText("This part of the page broke in your browser.").waitFor();
  expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe(heading);
  await page
    .getByRole("navigation", { name: "Console" })
    .getByRole("link", { name: "Alerts" })
    .click();
  await page.getByRole("heading", { level: 1, name: "Alerts" }).waitFor();
});

test("a node of an extension's beside a field costs the page neither its theme nor what needs script (C2)", async () => {
  await using person = await openPage({ theme: "dark" });
  const { page } = person;
  person.expectProblem("React error #418");
  await person.signIn(email);
  await page.addInitScript(() => {
    document.addEventListener("readystatechange", () => {
      if (document.readyState !== "interactive") return;
      for (const field of document.querySelectorAll("input")) {
        field.insertAdjacentElement("afterend", document.createElement("div"));
      }
    });
  });
  await person.visit("/dashboard/account");
  const classes = await page.evaluate(() => [...document.documentElement.classList]);
  expect(classes).toEqual(expect.arrayContaining(["js", "dark", "signed-in"]));
  await page
    .getByRole("banner")
    .getByRole("button", { name: /^Go to/ })
    .waitFor();
});
