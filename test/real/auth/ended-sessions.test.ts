import { expect, test } from "vitest";
import { signedInByPassword, someoneWithPassword } from "./people.ts";
import { oneRealSite } from "./real-site.ts";

const real = oneRealSite();

const privatePages = [
  "/dashboard",
  "/dashboard/account",
  "/dashboard/billing",
  "/dashboard/deployments/new",
];

test("a copied cookie after 'Sign out everywhere' reads nothing a minute later", async () => {
  const visitor = await signedInByPassword(await someoneWithPassword());
  const copy = visitor.twin();
  expect((await copy.request("/dashboard")).status).toBe(200);
  await visitor.post("/signout", { scope: "global" });
  // What the site remembers of a session is younger than a minute: test/unit/auth/session/session-memory.test.ts.
  await real().forgetAnswers();
  for (const path of privatePages) {
    const { response, url } = await copy.arrive(await copy.request(path), path);
    expect([path, response.status, url.pathname]).toEqual([path, 200, "/signin"]);
  }
  expect(await real().query("select from auth.sessions")).toEqual([]);
});
