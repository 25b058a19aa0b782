import { createHash } from "node:crypto";
import type { Page } from "playwright-core";

/** A part of a page: so many pixels from its top, and as high. */
export type Part = { top: number; height: number };

/** An element with words of its own, and how it looks. */
type Outlined = { words: string; style: string };

/**
 * What a part of a page shows, a line for each element that has words, with eight digits of a hash of its look in each
 * theme. Figures, times and months stand for any other: they differ each time a screen is drawn.
 */
export async function outlineOf(page: Page, part: Part): Promise<string[]> {
  const light = await inTheme(page, "light", part);
  const dark = await inTheme(page, "dark", part);
  return light.map(({ words, style }, at) => {
    const looks = [style, dark[at]?.style ?? ""].map(digest).join(" ");
    return `${normalized(words)} | ${looks}`;
  });
}

export async function showTheme(page: Page, theme: "light" | "dark"): Promise<void> {
  // The stored theme does no more than set this class.
  await page.evaluate(
    (dark) => document.documentElement.classList.toggle("dark", dark),
    theme === "dark",
  );
}

async function inTheme(page: Page, theme: "light" | "dark", part: Part): Promise<Outlined[]> {
  await showTheme(page, theme);
  // Colours change in a transition; another animation may have no end.
  await page.evaluate(async () => {
    const running = document.getAnimations().filter((each) => each instanceof CSSTransition);
    await Promise.all(running.map(({ finished }) => finished));
  });
  return page.evaluate(outlined, part);
}

const digest = (style: string) => createHash("sha256").update(style).digest("hex").slice(0, 8);

function normalized(words: string): string {
  return words
    .replaceAll(/\b(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\b/g, "Month")
    .replaceAll(/\d+(?:[.,:]\d+)*/g, "0")
    .replaceAll(/0 [AP]M/g, "0 AM")
    .replaceAll(/\b[KMGT]iB/g, "iB");
}

/** Runs in the page. */
function outlined({ top, height }: Part): Outlined[] {
  const looks = [
    ...["color", "background-color", "border-top-color", "border-top-width", "border-radius"],
    ...["font-family", "font-size", "font-weight", "line-height", "letter-spacing"],
    ...["text-decoration-line", "text-transform", "display", "padding", "gap", "opacity"],
  ];
  return [...document.querySelectorAll<HTMLElement>("body *:not(svg *, script, style)")].flatMap(
    (element) => {
      const texts = [...element.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE);
      const words = [
        ...texts.map(({ textContent }) => textContent ?? ""),
        element instanceof HTMLInputElement ? element.value : "",
      ]
        .join(" ")
        .replaceAll(/\s+/g, " ")
        .trim();
      const box = element.getBoundingClientRect();
      const begin = box.top + scrollY;
      const isSeen = box.width > 1 && begin + box.height > top && begin < top + height;
      if (!words || !isSeen || !element.checkVisibility()) return [];
      const style = getComputedStyle(element);
      const values = looks.map((look) => style.getPropertyValue(look));
      return [{ words: `${element.localName} ${words}`, style: values.join(";") }];
    },
  );
}
