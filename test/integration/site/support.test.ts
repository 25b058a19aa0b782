import { expect, test } from "vitest";
import { exampleVariables } from "../../../fakes/dev-vars.ts";
import { testInProof } from "../../support/run/variants.ts";
import { portBase, startOwnWorker } from "../../support/site/own-site.ts";

function siteWithChat(SUPPORT_CHAT_URL: string) {
  return startOwnWorker((siteUrl) => ({
    ...exampleVariables({ siteUrl, portBase }),
    SUPPORT_CHAT_URL,
  }));
}

testInProof("with a chat configured, Start chat opens it in a new tab", async () => {
  await using site = await siteWithChat("https://chat.example/room?id=7");
  const page = await (await fetch(`${site.url}/support`)).text();
  const link = /<a[^>]*href="https:\/\/chat\.example\/room\?id=7"[^>]*>Start chat/.exec(page)?.[0];
  expect(link).toContain('target="_blank"');
  expect(link).toContain('rel="noreferrer"');
  expect(page).not.toContain("No chat is staffed");
});

test("the contact page names the operator that the legal pages speak of", async () => {
  await using site = await startOwnWorker((siteUrl) => ({
    ...exampleVariables({ siteUrl, portBase }),
    SITE_OPERATOR: "Example Ltd, 1 Sample Street, Springfield",
  }));
  const page = await (await fetch(`${site.url}/contact`)).text();
  expect(page.replaceAll("<!-- -->", "")).toContain(
    "This site is operated by Example Ltd, 1 Sample Street, Springfield.",
  );
});

testInProof(
  "a chat address that could run script stops the site instead of reaching a page",
  async () => {
    await using site = await siteWithChat("javascript:alert(1)");
    const answer = await fetch(`${site.url}/support`);
    expect(answer.status).toBe(500);
    expect(await answer.text()).not.toContain("javascript:");
    expect(JSON.stringify(site.takeLogs())).toContain("SUPPORT_CHAT_URL must be an http(s) URL");
  },
);
