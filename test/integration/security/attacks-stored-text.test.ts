import { beforeAll, expect, test } from "vitest";
import { runningTexts, storeHostileTexts } from "../../support/attacks/hostile-texts.ts";
import { change } from "../../support/auth/account.ts";
import { database, userIdOf } from "../../support/database/database.ts";
import { customer } from "../../support/deployments/wizard.ts";
import { testInProof } from "../../support/run/variants.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";
import { siteRoutes } from "../../support/site/site-routes.ts";
import type { Visitor } from "../../support/site/visitor.ts";

const email = "customer.one@example.com";
let visitor: Visitor;
let id: string;

beforeAll(async () => {
  await resetFakes();
  visitor = await customer("pro", email);
  const user = await userIdOf(email);
  await database
    .from("customers")
    .update({ email: runningTexts[0] })
    .eq("user_id", user)
    .throwOnError();
  await database
    .from("subscriptions")
    .update({ price_id: runningTexts[1] })
    .not("id", "is", null)
    .throwOnError();
  id = await storeHostileTexts(visitor, email);
  await change(visitor, { intent: "enrol", name: runningTexts[0] });
  await change(visitor, { intent: "change_email", email: `"${"<b>"}"@example.com` });
});

/** What of a page would run, or leave the site: nothing that is not ours may be here. */
function running(page: string): string[] {
  const tags = page.replace(/<script[\s\S]*?<\/script>/g, "").match(/<[a-z][^>]*>/gi) ?? [];
  return [
    ...tags.filter((tag) =>
      // The value of a field is text, and no address.
      /\son\w+\s*=\s*["']|\ssrcdoc=|\s(?!value=)[\w:-]+=["']\s*javascript:/i.test(
        withoutValues(tag),
      ),
    ),
    ...tags.filter((tag) => /^<(?:iframe|object|embed|base|svg[^>]*onload|img src=x)/i.test(tag)),
    ...(page.match(/<script[^>]*>\s*window\.xss[\s\S]{0,40}/g) ?? []),
    ...(page.match(/<img src=x|<svg onload|<iframe/gi) ?? []),
  ];
}

/** A tag with what stands between quotes taken out, so that only its own attributes are looked at. */
function withoutValues(tag: string): string {
  return tag.replace(/="(?!\s*javascript:)[^"]*"/g, '=""');
}

test("the search finds what would run", () => {
  for (const page of [
    "<img src=x onerror=window.xss=1>",
    '<input value="" onfocus="x">',
    '<a href="javascript:x">',
    "<p><script>window.xss=1</script>",
  ]) {
    expect(running(page), page).not.toEqual([]);
  }
  expect(running('<input value="&quot; onfocus=&quot;x" title="a onload=b">')).toEqual([]);
});

testInProof(
  "whatever is stored, no page of its owner's holds anything of it that runs",
  async () => {
    const shown: string[] = [];
    for (const { path } of siteRoutes()) {
      const at = path.replace(":id", id).replace(":name", "livekit.yaml").replace(":slug", "x");
      const target = at.replace(":tool", "tasks").replace(":tab", "list");
      for (const address of [
        target,
        `${target}?step=review`,
        `${target === "/" ? "/_" : target}.data`,
      ]) {
        // Questions about a session are counted by address, and nobody opens so many pages a minute from one.
        const response = await visitor.twin().request(address);
        expect.soft(response.status, address).toBeLessThan(500);
        const type = response.headers.get("content-type") ?? "";
        const page = await response.text();
        if (page.includes("xss")) shown.push(address);
        // Within a script of ours it is a text, which cannot end the script.
        if (type.startsWith("text/html")) expect.soft(running(page), address).toEqual([]);
        else expect.soft(response.headers.get("x-content-type-options"), address).toBe("nosniff");
      }
    }
    // The texts were really there to be shown.
    for (const address of [
      "/dashboard/deployments",
      `/dashboard/deployments/${id}`,
      "/openai-config/own",
      "/openai-config/usage",
      "/dashboard/models",
      "/dashboard/usage",
    ]) {
      expect(shown).toContain(address);
    }
  },
);

test("a form that comes back shows what was typed as text", async () => {
  const [text] = runningTexts;
  const forms: [path: string, fields: Record<string, string>][] = [
    ["/contact", { name: text, email: text, topic: text, message: text }],
    ["/signin", { intent: "sign_in", email: text, phone: text, password: text, next: text }],
    ["/signin", { intent: "verify_code", email: text, code: text }],
    ["/auth/confirm", { token_hash: text, type: text, next: text }],
    [
      "/dashboard/models",
      { intent: "save", model: text, instructions: text, voice: text, version: text },
    ],
    ["/dashboard/account", { intent: "change_email", email: text }],
    ["/dashboard/account", { intent: "delete", confirmation: text }],
    ["/dashboard/account/code", { code: text, next: text }],
    ["/dashboard/deployments/new", { name: text, domain: text, email: text, draft: text }],
    [
      `/dashboard/deployments/${id}/edit`,
      { step: "domain", domain: text, email: text, extraDomains: text },
    ],
  ];
  for (const [path, fields] of forms) {
    const page = await (await visitor.post(path, fields)).text();
    expect.soft(running(page), path).toEqual([]);
  }
});
