import { AxeBuilder } from "@axe-core/playwright";
import { expect, test } from "vitest";
import { parseOptions } from "../../../app/features/deployments/bundle/options/parse-options.ts";
import { openPage } from "../../support/browser/browser.ts";
import { bundle } from "../../support/deployments/bundle.ts";
import { chunksWith, generatorWords } from "../../support/deployments/bundle-chunks.ts";

test("a typed domain shows the very files that a deployment there gets, the generator loaded on first use", async () => {
  await using person = await openPage();
  const { page } = person;
  const generator = chunksWith(generatorWords());
  const loaded: string[] = [];
  page.on("request", (request) => loaded.push(new URL(request.url()).pathname));
  await person.visit("/");
  const domain = page.getByLabel("Your domain");
  await domain.fill("*.mycompany.com");
  expect(loaded.filter((path) => generator.includes(path))).toEqual([]);
  await domain.press("Enter");
  const refused = page.getByRole("alert");
  await refused.waitFor();
  // The page has no React until then: one file brings it, with the generator.
  expect(loaded.filter((path) => generator.includes(path))).toEqual([
    expect.stringMatching(/^\/assets\/page-script-/),
  ]);
  expect(await domain.inputValue()).toBe("*.mycompany.com");

  await domain.fill("rtc.mycompany.com");
  await page.getByRole("button", { name: "See your files" }).click();
  await refused.waitFor({ state: "detached" });
  const { options } = parseOptions({
    domain: "rtc.mycompany.com",
    email: "admin@rtc.mycompany.com",
  });
  if (!options) throw new Error("These options are good");
  const { files } = bundle(options);
  await page.getByRole("status").getByText(`${files.length} files for`).waitFor();
  const list = page.getByRole("list", { name: "Files of the bundle" });
  expect(await list.getByRole("button").allInnerTexts()).toEqual(files.map(({ path }) => path));
  for (const { path, content } of files) {
    await list.getByRole("button", { name: path, exact: true }).click();
    const region = page.getByRole("region", { name: `Content of ${path}`, exact: true });
    await expect.poll(() => region.textContent(), { message: path }).toBe(content);
  }
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  for (const dark of [false, true]) {
    await page.evaluate((on) => document.documentElement.classList.toggle("dark", on), dark);
    const axe = new AxeBuilder({ page }).setLegacyMode(true).include(".boot-panel");
    const { violations } = await axe.analyze();
    expect.soft(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
  }
});
