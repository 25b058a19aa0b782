import type { Page } from "playwright-core";

// What browsers and their extensions do to a page that React knows otherwise.

/** As browsers translate: each text that is seen goes into elements of its own, as a node that React does not know. */
export async function translate(page: Page): Promise<void> {
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
export async function pressAll(page: Page): Promise<void> {
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

/** Puts an element beside each field before React comes, as password managers do, on every page that is opened from now on. */
export async function addNodesBesideFields(page: Page): Promise<void> {
  await page.addInitScript(() => {
    document.addEventListener("readystatechange", () => {
      if (document.readyState !== "interactive") return;
      for (const field of document.querySelectorAll("input")) {
        field.insertAdjacentElement("afterend", document.createElement("div"));
      }
    });
  });
}

/** How many parts of the page say that they broke. */
export const brokenParts = (page: Page): Promise<number> =>
  page.getByText(/Unexpected Application Error!|This part of the page broke/).count();
