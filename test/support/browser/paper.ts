import type { Page } from "playwright-core";

/** What of an A4 sheet is left between the margins of a printer, in CSS pixels. */
const sheet = { width: 718, height: 1046 };

/**
 * What is wrong with a page on paper, one line each: what only a screen can do, text that is not dark, what is not white
 * behind it, and what is cut off. The page must have the media `print`; it keeps the width of a sheet.
 */
export async function faultsOnPaper(page: Page): Promise<string[]> {
  await page.setViewportSize(sheet);
  const faults = await page.evaluate(() => {
    const brush = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    /** 0 is black and 1 is white; undefined where nothing is painted. */
    const brightness = (colour: string): number | undefined => {
      if (!brush) return;
      brush.clearRect(0, 0, 1, 1);
      brush.fillStyle = colour;
      brush.fillRect(0, 0, 1, 1);
      const [red = 0, green = 0, blue = 0, alpha = 0] = brush.getImageData(0, 0, 1, 1).data;
      return alpha === 0 ? undefined : (red * 0.21 + green * 0.72 + blue * 0.07) / 255;
    };
    const named = (element: Element) =>
      `<${element.tagName.toLowerCase()}> ${(element.textContent ?? "").trim().slice(0, 60)}`;
    const isPrinted = (element: Element) =>
      element.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true }) &&
      !element.closest(".sr-only");
    const printed = [...document.body.querySelectorAll("*")].filter(isPrinted);
    const onlyOnScreens =
      "button, input:not([type=hidden]), select, textarea, summary, nav, header";
    return [
      ...printed
        .filter((each) => each.matches(onlyOnScreens))
        .map((each) => `printed: ${named(each)}`),
      ...[document.body, ...printed].flatMap((each) => {
        const { color, backgroundColor } = getComputedStyle(each);
        const hasText = [...each.childNodes].some(
          ({ nodeType, textContent }) => nodeType === Node.TEXT_NODE && textContent?.trim(),
        );
        return [
          ...(hasText && (brightness(color) ?? 1) > 0.4 ? [`bright text: ${named(each)}`] : []),
          ...((brightness(backgroundColor) ?? 1) < 0.99 && each.closest("svg") === null
            ? [`not white: ${named(each)}`]
            : []),
        ];
      }),
    ];
  });
  return [...faults, ...(await cutOffOnPaper(page))];
}

/** What is cut off on paper, one line each. The page must have the media `print`; it keeps the width of a sheet. */
export async function cutOffOnPaper(page: Page): Promise<string[]> {
  await page.setViewportSize(sheet);
  return page.evaluate(() => {
    const root = document.documentElement;
    return [
      ...[...document.body.querySelectorAll("*")]
        .filter((each) => each.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
        .filter((each) => !each.closest(".sr-only"))
        .filter((each) => getComputedStyle(each).overflowX !== "visible")
        .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
        .map(({ textContent }) => `cut off: ${textContent.trim().slice(0, 60)}`),
      ...(root.scrollWidth > root.clientWidth ? [`${root.scrollWidth} px wide`] : []),
    ];
  });
}
