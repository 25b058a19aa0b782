import { beforeEach, expect, test } from "vitest";
import { faultsOfPage } from "../../support/browser/axe.ts";
import { openPage } from "../../support/browser/browser.ts";
import { chunksWith, generatorWords } from "../../support/deployments/bundle-chunks.ts";
import {
  fullOptions,
  storeDeployment,
  storeVersion,
} from "../../support/deployments/deployments.ts";
import { expectServerFiles, unpack } from "../../support/deployments/unpack.ts";
import { testInProof } from "../../support/run/variants.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";

const email = "customer.one@example.com";

beforeEach(resetFakes);

test("a customer downloads the bundle, copies a file, ticks a step and sees what changed", async () => {
  await using person = await openPage();
  const { page } = person;
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const generator = chunksWith(generatorWords());
  const loaded: string[] = [];
  page.on("request", (request) => loaded.push(new URL(request.url()).pathname));
  await person.signIn();
  const id = await storeDeployment(email, fullOptions());
  await storeVersion(email, id, { ...fullOptions(), ingress: "none" }, 1);
  const address = `/dashboard/deployments/${id}`;
  await person.visit(address);
  await page.getByRole("heading", { level: 1, name: "Production" }).waitFor();

  const downloading = page.waitForEvent("download");
  await page.getByLabel("Connect this server to the console").uncheck();
  await page.getByRole("button", { name: "Download the files" }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe("media.example.com-v2.zip");
  const files = unpack(await download.path());
  expectServerFiles(files);
  expect([...files.keys()]).not.toContain("enrolment-token");

  await page.getByRole("link", { name: "livekit.yaml", exact: true }).click();
  await page.getByRole("heading", { level: 3, name: "livekit.yaml" }).waitFor();
  await page.getByRole("button", { name: "Copy livekit.yaml" }).click();
  await page.getByRole("status").getByText("Copied").waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toBe(files.get("livekit.yaml"));
  const content = page.getByRole("region", { name: "Content of livekit.yaml" });
  await content
    .locator("span.font-strong", { hasText: /^port:?$/ })
    .first()
    .waitFor();

  await page.getByRole("button", { name: "Mark as not done: Files downloaded" }).waitFor();
  await page.getByRole("button", { name: "Mark as done: App connected" }).press("Enter");
  await page.getByRole("button", { name: "Mark as not done: App connected" }).waitFor();
  await person.visit(address);
  await page.getByRole("button", { name: "Mark as not done: App connected" }).waitFor();

  await page.getByRole("link", { name: "See what changed" }).click();
  await page.getByRole("heading", { name: "What changed from v1 to v2" }).waitFor();
  await page.getByText("ingress.yaml", { exact: true }).waitFor();
  expect(loaded.filter((path) => generator.includes(path))).toEqual([]);
});

test("secrets made in the browser are in its zip and in no request; axe finds nothing, and the page fits", async () => {
  await using person = await openPage({ reducedMotion: true });
  const { page } = person;
  const sent: string[] = [];
  page.on("request", (request) => {
    sent.push(`${request.url()} ${request.postData() ?? ""} ${JSON.stringify(request.headers())}`);
  });
  await person.signIn();
  const id = await storeDeployment(email, { ...fullOptions(), secrets: "browser" });
  await person.visit(`/dashboard/deployments/${id}`);
  expect(await faultsOfPage(page)).toEqual([]);
  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: "Make the secrets and download the zip" }).click();
  const files = unpack(await (await downloading).path());
  expectServerFiles(files);
  await page.getByText("The zip was made in this browser.").waitFor();
  const texts = await page.getByRole("definition").allInnerTexts();
  const key = texts.find((text) => /^API[A-Za-z0-9]{12}$/.test(text)) ?? "no key";
  const secret = texts.find((text) => /^[A-Za-z0-9]{43}$/.test(text)) ?? "no secret";
  const everything = [...files.values()].join("\n");
  expect(everything).toContain(key);
  expect(everything).toContain(secret);

  await page.getByRole("link", { name: "livekit.yaml", exact: true }).click();
  await page.getByRole("heading", { level: 3, name: "livekit.yaml" }).waitFor();
  expect(sent.length).toBeGreaterThan(3);
  for (const text of sent) {
    expect(text).not.toContain(key);
    expect(text).not.toContain(secret);
  }
});

testInProof("axe finds nothing at a deployment's versions, and they fit", async () => {
  await using person = await openPage({ theme: "light", reducedMotion: true });
  const { page } = person;
  await person.signIn();
  const id = await storeDeployment(email, fullOptions());
  await storeVersion(email, id, fullOptions(), 1);
  await person.visit(`/dashboard/deployments/${id}/versions`);
  expect(await faultsOfPage(page)).toEqual([]);
});
