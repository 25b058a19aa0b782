import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { googleTools } from "../../../app/content/google-tools.ts";
import {
  forEverybody,
  formsWithoutCase,
  providers,
  routeCases,
} from "../../support/provider-faults/run-cases.ts";
import { alike, representatives } from "../../support/provider-faults/slow-cases.ts";

// What provider-faults.test.ts and faults-slow.test.ts of the proof send is whole: who adds a route learns it from npm
// test. It asks no site; but the cases name one, so it is no unit test.

test("every form of every route has a case, and every address that is not the same for everybody", () => {
  expect(routeCases.filter(({ method }) => method === "POST").length).toBeGreaterThan(20);
  expect(formsWithoutCase.map(({ file }) => file)).toEqual([]);
  expect(forEverybody.filter(({ path }) => /:|^\/dashboard/.test(path))).toEqual([]);
});

test("every tab of a Google tool and every intent of signing in and of the account has a case", () => {
  const whats = new Set(routeCases.map(({ what }) => what));
  const tabs = googleTools.flatMap(({ id, tabs }) => tabs.map((tab) => `${id}/${tab}`));
  const intents = ["sign-in/sign-in-request.server.ts", "settings/account-request.server.ts"]
    .flatMap((file) => [
      ...readFileSync(`app/features/account/${file}`, "utf8").matchAll(
        /intent: z\.literal\("(\w+)"\)/g,
      ),
    ])
    .map(([, intent = ""]) => intent.replace(/^verify_(email|phone)_code$/, "verify_code"))
    // By SMS nothing else happens; a new password and a second sign-in are asked of nobody here. One Tap, which needs a
    // token of Google's and its page's cookie, has no case.
    .filter((intent) => !/^(phone_code|update_password|sign_in_again|one_tap)$/.test(intent));
  expect(intents.length).toBeGreaterThan(10);
  expect([...tabs, ...intents].filter((what) => !whats.has(what))).toEqual([]);
});

test("every route that asks a provider is sent to a slow one, or asks as one of those does", () => {
  const listed = providers.map((provider) => {
    const sent = representatives[provider].map((name) => name.split(" ").slice(0, 2).join(" "));
    return [provider, [...new Set([...sent, ...Object.values(alike[provider]).flat()])].sort()];
  });
  const routesAsking = providers.map((provider) => {
    const all = routeCases.filter(({ fails }) => fails[provider]);
    return [provider, [...new Set(all.map(({ method, route }) => `${method} ${route}`))].sort()];
  });
  expect(listed).toEqual(routesAsking);
});
