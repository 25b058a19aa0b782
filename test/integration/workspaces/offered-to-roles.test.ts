import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { actionRules } from "../../../app/routes/action-rules.server.ts";
import { amount } from "../../support/run/variants.ts";
import { runSql } from "../../support/site/control-fakes.ts";
import { offeredIn } from "../../support/site/offered.ts";
import { textOfHtml } from "../../support/site/page-text.ts";
import { mayDo, roles } from "../../support/workspaces/walk/role-table.ts";
import { type SiteWorld, siteWorld } from "../../support/workspaces/walk/site-world.ts";

let world: SiteWorld;

/** The team's deployment has a version that its server does not run, so that there is something to say of it. */
beforeAll(async () => {
  world = await siteWorld();
  await runSql(
    "update public.deployments set applied_version = 1, applied_at = now() where id = $1",
    [world.ids.deployment],
  );
});
afterAll(() => world?.[Symbol.asyncDispose]());

const pages = [
  "",
  "/deployments",
  "/deployments/:id",
  "/deployments/:id/versions",
  "/models",
  "/usage",
  "/billing",
  "/plan",
];

async function pageOf(page: string, role: string) {
  const walker = world.walkers.find((each) => each.role === role);
  if (!walker) throw new Error(`Nobody is ${role}`);
  const address = world.base + page.replace(":id", world.ids.deployment);
  const response = await walker.visitor.twin().request(address);
  const html = await response.text();
  const offered = offeredIn(html, address);
  // The last part of the way to a page is the page.
  const links = offered.links.filter((link) => link !== address);
  return { ...offered, links, text: textOfHtml(html) };
}

/** What a role must allow for a form, by the table of the guard. */
function rightFor(action: string, fields: URLSearchParams) {
  const path = new URL(action, world.url).pathname.replace(world.base, "/dashboard");
  const rule = actionRules[path.replace(world.ids.deployment, ":id")];
  if (!rule) throw new Error(`${action} has no rule`);
  if ("who" in rule) return rule.may;
  const intent = rule.intentOf(fields);
  return ((intent && rule.intents[intent]) || rule.unlisted).may;
}

/** The pages and files that are for a right, by how their address ends. */
const forRight = [
  [/\/(edit|duplicate|delete)$|\/deployments\/new$/, "describe"],
  [/bundle\.zip|\/files\/|#secrets$/, "download"],
  [/\/plan(\?|$)|^\/pricing$/, "billing"],
] as const;

const rightOf = (link: string) => forRight.find(([ending]) => ending.test(link))?.[1] ?? "see";

describe.each(roles)("%s", (role) => {
  const at = roles.indexOf(role);
  // In `npm test` each page is read by one of them, or two.
  const some = pages.filter((_, page) => page % roles.length === at);
  test.each(amount({ inTest: some, inProof: pages }))(
    "is offered on %s only what the role may use",
    async (page) => {
      const { forms, links } = await pageOf(page, role);
      for (const { action, fields } of forms) {
        const right = rightFor(action, fields) ?? "see";
        expect.soft([action, `${fields}`, mayDo(role, right)]).toEqual([action, `${fields}`, true]);
      }
      for (const link of links) {
        expect.soft([link, mayDo(role, rightOf(link))]).toEqual([link, true]);
      }
    },
  );
});

/** What each role should find there, so that nothing is hidden from those who may. */
test("a role that may act finds the forms, and others read who may", async () => {
  const found = async (page: string, role: string) => {
    const { forms, links, text } = await pageOf(page, role);
    return {
      forms: forms.filter(({ action, fields }) => rightFor(action, fields)).length > 0,
      links: links.some((link) => rightOf(link) !== "see"),
      says: text.includes(`Your role in this workspace is ${role}. This is for`),
    };
  };
  const acts = { forms: true, links: true, says: false };
  const reads = { forms: false, links: false, says: true };
  const deployment = "/deployments/:id";
  expect.soft(await found(deployment, "operator")).toEqual(acts);
  // To look is for all.
  expect.soft(await found(deployment, "viewer")).toEqual({ ...reads, forms: expect.any(Boolean) });
  expect.soft(await found("/deployments/:id/versions", "operator")).toMatchObject({ forms: true });
  expect.soft(await found("/deployments/:id/versions", "viewer")).toEqual(reads);
  expect.soft(await found("/usage", "operator")).toMatchObject({ forms: true, says: false });
  expect.soft(await found("/usage", "billing")).toEqual(reads);
  expect.soft(await found("/billing", "billing")).toMatchObject({ links: true, says: false });
  expect.soft(await found("/billing", "operator")).toEqual(reads);
  expect.soft(await found("/plan", "billing")).toMatchObject({ links: true, says: false });
  expect.soft(await found("/plan", "viewer")).toEqual(reads);
});

test("a viewer finds neither the zip nor the secrets of a deployment", async () => {
  for (const download of ["Files for apply", "Files for a new machine"]) {
    expect.soft((await pageOf("/deployments/:id", "operator")).text).toContain(download);
    expect.soft((await pageOf("/deployments/:id", "viewer")).text).not.toContain(download);
  }
  await runSql(
    `update public.deployment_versions set options = jsonb_set(options, '{secrets}', '"browser"') where deployment_id = $1`,
    [world.ids.deployment],
  );
  await runSql(
    `update public.deployments set options = jsonb_set(options, '{secrets}', '"browser"') where id = $1`,
    [world.ids.deployment],
  );
  const zip = "Make the zip in this browser";
  expect.soft((await pageOf("/deployments/:id", "operator")).text).toContain(zip);
  expect.soft((await pageOf("/deployments/:id", "viewer")).text).not.toContain(zip);
});
