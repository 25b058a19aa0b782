import { expect, test } from "vitest";
import { storeHostileTexts } from "../../support/attacks/hostile-texts.ts";
import { buy } from "../../support/billing/hosted-pages.ts";
import { openPage } from "../../support/browser/browser.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";

/** Pages to start at: what no link leads to must be named. */
const starts = ["/", "/signup", "/signup?dialog=sign-in", "/signin", "/success", "/contact/sent"];

test.each(["signed out", "signed in"])(
  "a walk over every link finds no broken one, no missing picture and no complaint (%s)",
  async (who) => {
    await resetFakes();
    await using person = await openPage();
    const { page } = person;
    if (who === "signed in") await person.signIn();
    const paths = new Set(starts);
    const walked: string[] = [];
    const broken: string[] = [];
    for (const path of paths) {
      const response = await page.goto(path, { waitUntil: "load" });
      const status = response?.status() ?? 0;
      if (status >= 400) broken.push(`${status} ${path}`);
      walked.push(path);
      const found = await page.evaluate(() => ({
        links: [...document.querySelectorAll("a[href]:not([download])")]
          .map((link) => new URL((link as HTMLAnchorElement).href))
          .filter(({ origin }) => origin === location.origin)
          .map(({ pathname, search, hash }) => ({ path: pathname + search, hash })),
        here: location.pathname + location.search,
        ids: [...document.querySelectorAll("[id]")].map(({ id }) => id),
        missing: [...document.images]
          .filter((image) => image.complete && image.naturalWidth === 0 && image.currentSrc !== "")
          .map((image) => image.currentSrc),
      }));
      broken.push(...found.missing.map((image) => `${image} on ${path}`));
      for (const { path: target, hash } of found.links) {
        if (
          target === found.here &&
          hash &&
          !found.ids.includes(decodeURIComponent(hash.slice(1)))
        ) {
          broken.push(`${target}${hash} has no such place`);
        }
        paths.add(target);
      }
      if (walked.length > 300) throw new Error("The walk does not end");
    }
    expect(broken).toEqual([]);
    expect(walked.length).toBeGreaterThan(30);
  },
  180_000,
);

// Whatever would run breaks the policy, and the fixture fails for each such complaint of the browser.
test("a customer's own pages run nothing of what is stored, and break no policy", async () => {
  const email = "customer.one@example.com";
  await resetFakes();
  await using person = await openPage();
  const { page } = person;
  const visitor = await person.signIn(email);
  await buy(visitor, "pro");
  const deployment = `/dashboard/deployments/${await storeHostileTexts(visitor, email)}`;
  for (const path of [
    "/dashboard",
    "/dashboard/account",
    "/dashboard/deployments",
    deployment,
    `${deployment}/edit`,
    `${deployment}/edit?step=review`,
    `${deployment}/versions`,
    `${deployment}/delete`,
    `${deployment}/duplicate`,
  ]) {
    await person.visit(path);
  }
  await person.visit("/openai-config");
  await page.getByText("<img src=x onerror=window.xss=1>").first().waitFor();
}, 120_000);
