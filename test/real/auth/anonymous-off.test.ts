import { expect, test } from "vitest";
import { trialRefusals } from "../../../app/content/trial.ts";
import { Visitor } from "../../support/site/visitor.ts";
import { isIn } from "./people.ts";
import { oneRealSite } from "./real-site.ts";

const real = oneRealSite({ auth: { GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED: "false" } });

test("where anonymous sign-in is switched off, the trial says that it cannot be opened, and makes nothing", async () => {
  const visitor = new Visitor();
  const refused = await visitor.post("/try", {});
  expect(refused.status).toBe(503);
  expect(await refused.text()).toContain(trialRefusals.unavailable);
  expect(await isIn(visitor)).toBe(false);
  expect(await real().query("select from auth.users")).toEqual([]);
  const codes = real()
    .takeLogs()
    .map(({ code }) => code);
  expect(codes).toContain("anonymous_provider_disabled");
});
