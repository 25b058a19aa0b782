import { readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { expect, test } from "vitest";
import { readConfiguration } from "../../../app/platform/env/configuration.server.ts";

const example = parseEnv(readFileSync(".dev.vars.example", "utf8"));
const unknownName = "SIGN_IN_PROVIDERS must name providers that .dev.vars.example lists";
const keycloak = "https://keycloak.example.org/realms/main";

test.each([
  [{ SIGN_IN_PROVIDERS: "github,myspace" }, unknownName],
  [{ SIGN_IN_PROVIDERS: "friendster,myspace" }, unknownName],
  [{ SIGN_IN_PROVIDERS: "constructor" }, unknownName],
  [{ SIGN_IN_PROVIDERS: "github,," }, unknownName],
  [{ SIGN_IN_PROVIDERS: "GitHub" }, unknownName],
  [{ SIGN_IN_PROVIDERS: "github,github" }, "SIGN_IN_PROVIDERS must name each provider once"],
  [{ SIGN_IN_PROVIDERS: "keycloak" }, "KEYCLOAK_URL is missing: SIGN_IN_PROVIDERS names keycloak"],
  [
    { SIGN_IN_PROVIDERS: "keycloak", KEYCLOAK_URL: "keycloak" },
    "KEYCLOAK_URL must be an http(s) URL",
  ],
  [{ SMS_COUNTRIES: "DE" }, "SMS_COUNTRIES must list calling codes, such as 49,43,41"],
  [{ SIGN_IN_SMS: "maybe" }, 'SIGN_IN_SMS must be "on" or "off"'],
])("%j is refused with one line", (variables, problem) => {
  expect(readConfiguration({ ...example, ...variables })).toEqual({
    ok: false,
    problems: [problem],
  });
});

test.each([
  [{ SIGN_IN_PROVIDERS: " gitlab , apple " }, ["gitlab", "apple"]],
  [{ SIGN_IN_PROVIDERS: "keycloak", KEYCLOAK_URL: keycloak }, ["keycloak"]],
  [{ SIGN_IN_PROVIDERS: "" }, ["github", "google", "azure"]],
])("%j is taken, in this order", (variables, providers) => {
  expect(readConfiguration({ ...example, ...variables })).toMatchObject({
    ok: true,
    configuration: { SIGN_IN_PROVIDERS: providers },
  });
});
