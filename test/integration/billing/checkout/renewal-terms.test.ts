import { beforeEach, expect, test } from "vitest";
import { buy } from "../../../support/billing/hosted-pages.ts";
import { resetFakes } from "../../../support/site/control-fakes.ts";
import { signedIn, type Visitor } from "../../../support/site/visitor.ts";
import { newWorkspace } from "../../../support/workspaces/workspaces.ts";

beforeEach(resetFakes);

const email = "customer.one@example.com";

/** How often a page says that a plan renews by itself, each time with the way to the terms behind it. */
async function termsAt(visitor: Visitor, path: string): Promise<string[]> {
  const html = (await (await visitor.request(path)).text())
    .replaceAll("<!-- -->", "")
    .replaceAll(/<\/?span>/g, "");
  return [
    ...html.matchAll(/Renews automatically ([a-z ]*until you cancel\.) <a [^>]*href="\/terms"/g),
  ].map(([, words = ""]) => words);
}

test("beside each button that begins a plan stands that it renews, and the way to the terms", async () => {
  const visitor = await signedIn(email);
  const [month, year] = ["each month until you cancel.", "each year until you cancel."];
  expect(await termsAt(visitor, "/pricing")).toEqual([month, year]);
  expect(await termsAt(visitor, "/signup")).toEqual(["until you cancel."]);
  await newWorkspace(email, "blue-team");
  // The two of the pricing page, then Basic by the year and Pro by the month.
  expect(await termsAt(visitor, "/dashboard/w/blue-team/plan")).toEqual([month, year, year, month]);
  await buy(visitor, "basic");
  expect(await termsAt(visitor, "/dashboard/plan?to=pro")).toEqual([year]);
});
