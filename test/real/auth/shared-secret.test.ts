import { expect, test } from "vitest";
import { accountPageOf, pressLink } from "../../support/auth/account.ts";
import { Visitor } from "../../support/site/visitor.ts";
import { isIn, newAddress, password } from "./people.ts";
import { oneRealSite } from "./real-site.ts";

const real = oneRealSite({ signing: "HS256" });

test("a project that still signs with a shared secret: in by a link, refreshed, out everywhere", async () => {
  const email = newAddress();
  const [visitor, copy] = [new Visitor(), new Visitor()];
  await visitor.post("/signin", { intent: "sign_up", email, password });
  await pressLink(email, "Confirm your e-mail address", visitor);
  expect(await accountPageOf(visitor)).toContain(email);
  visitor.expireSession();
  expect(await isIn(visitor)).toBe(true);
  expect(real().authRequests.map(({ path }) => path)).toContain("/token?grant_type=refresh_token");
  for (const [name, value] of visitor.cookies) copy.setCookie(name, value);
  await visitor.post("/signout", { scope: "global" });
  expect([await isIn(visitor), await isIn(copy)]).toEqual([false, false]);
});
