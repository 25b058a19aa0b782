import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { providerNames } from "../../../app/content/provider-names.ts";
import { signInFailures } from "../../../app/content/sign-in-labels.ts";
import type { Variables } from "../../../fakes/dev-vars.ts";
import { exampleVariables } from "../../../fakes/dev-vars.ts";
import { accountPageOf, change } from "../../support/auth/account.ts";
import { testInProof } from "../../support/run/variants.ts";
import { portBase, startOwnWorker } from "../../support/site/own-site.ts";
import { signedIn, Visitor } from "../../support/site/visitor.ts";

let site: Awaited<ReturnType<typeof startOwnWorker>>;

const configured = (siteUrl: string, variables: Variables) => ({
  ...exampleVariables({ siteUrl, portBase }),
  ...variables,
});

beforeAll(async () => {
  site = await startOwnWorker((siteUrl) => configured(siteUrl, {}));
});

afterAll(() => site?.[Symbol.asyncDispose]());

/** The sign-in page of the site as it is after a deploy with these variables. */
async function pageWith(variables: Variables) {
  await site.reconfigure(configured(site.url, variables));
  site.takeLogs();
  const response = await new Visitor(site.url).request("/signin");
  return { response, page: await response.text() };
}

/** The buttons of the first view, as `name: icon label`. */
function buttonsOf(page: string): string[] {
  const view = /<section[^>]*data-shown="true".*?<\/section>/s.exec(page)?.[0] ?? "";
  return [...view.matchAll(/<button([^>]*name="provider"[^>]*)>(.*?)<\/button>/gs)].map(
    ([, attributes = "", inside = ""]) => {
      const name = /value="(\w+)"/.exec(attributes)?.[1];
      const icon = /href="\/provider-icons\.svg#(\w+)"/.exec(inside)?.[1];
      return `${name}: ${icon} ${inside.replace(/<[^>]*>/g, "")}`;
    },
  );
}

const formTargets = (response: Response) =>
  /form-action ([^;]*)/
    .exec(response.headers.get("content-security-policy") ?? "")?.[1]
    ?.split(" ");

/** Where the auth server sends the browser for each of them. */
const signInPages: Record<keyof typeof providerNames, string> = {
  apple: "https://appleid.apple.com",
  azure: "https://login.microsoftonline.com",
  bitbucket: "https://bitbucket.org",
  discord: "https://discord.com",
  facebook: "https://www.facebook.com",
  github: "https://github.com",
  gitlab: "https://gitlab.com",
  google: "https://accounts.google.com",
  keycloak: "https://keycloak.example.org:8443",
  linkedin: "https://www.linkedin.com",
  notion: "https://api.notion.com",
  slack: "https://slack.com",
  spotify: "https://accounts.spotify.com",
  twitch: "https://id.twitch.tv",
  twitter: "https://api.twitter.com",
  workos: "https://api.workos.com",
};

testInProof(
  "sixteen providers: each has a button with its mark and name, and its form may lead there",
  async () => {
    const names = Object.keys(providerNames);
    expect(names).toHaveLength(16);
    const { response, page } = await pageWith({
      SIGN_IN_PROVIDERS: names.join(","),
      KEYCLOAK_URL: "https://keycloak.example.org:8443/realms/main",
    });
    expect(buttonsOf(page)).toEqual(
      Object.entries(providerNames).map(
        ([name, label]) => `${name}: ${name} Continue with ${label}`,
      ),
    );
    const drawn = readFileSync("public/provider-icons.svg", "utf8");
    for (const name of names) expect(drawn).toMatch(new RegExp(`<symbol id="${name}"[^>]*>.*<`));
    expect(formTargets(response)).toEqual(expect.arrayContaining(Object.values(signInPages)));
  },
);

test("github, google and azure by default, and no form may lead to any other", async () => {
  const { response, page } = await pageWith({ SIGN_IN_PROVIDERS: "" });
  expect(buttonsOf(page).map((button) => button.split(":")[0])).toEqual([
    "github",
    "google",
    "azure",
  ]);
  const { github, google, azure, ...others } = signInPages;
  const targets = formTargets(response) ?? [];
  expect(targets).toEqual(expect.arrayContaining([github, google, azure]));
  expect(targets.filter((target) => Object.values(others).includes(target))).toEqual([]);
});

testInProof(
  "the order is the configuration's, and a provider that is left out cannot be asked for",
  async () => {
    const { page } = await pageWith({ SIGN_IN_PROVIDERS: "gitlab, apple" });
    expect(buttonsOf(page)).toEqual([
      "gitlab: gitlab Continue with GitLab",
      "apple: apple Continue with Apple",
    ]);
    for (const provider of ["github", "toString", "myspace"]) {
      const answer = await new Visitor(site.url).post("/signin", { provider, next: "/" });
      expect(answer.status, provider).toBe(400);
      expect(await answer.text()).toMatch(
        /role="alert"[^>]*><span>(Signing in this way is not set up|Choose how you want to sign in)/,
      );
    }
  },
);

testInProof("unknown names: the site does not start, and one line says why", async () => {
  const { response, page } = await pageWith({ SIGN_IN_PROVIDERS: "friendster,myspace" });
  expect(response.status).toBe(500);
  expect(page).toContain("This site is not set up yet");
  const problems = "SIGN_IN_PROVIDERS must name providers that .dev.vars.example lists";
  expect(site.takeLogs()).toMatchObject([{ level: "error", problems }]);
});

testInProof("codes by SMS are offered where they are switched on, and nowhere else", async () => {
  const phone = { intent: "phone_code", phone: "+15550100" };
  const off = await pageWith({ SIGN_IN_SMS: "off" });
  expect(off.page).not.toContain("Phone number");
  expect((await new Visitor(site.url).post("/signin", phone)).status).toBe(400);
  const on = await pageWith({ SIGN_IN_SMS: "on" });
  expect(on.page).toContain("Phone number");
  expect(on.page).toContain("Text me a code");
});

test("a phone as second factor is offered where it is switched on, and texts go to listed countries alone", async () => {
  const accountWith = async (variables: Variables) => {
    await site.reconfigure(configured(site.url, variables));
    const visitor = await signedIn("customer.one@example.com", site.url);
    const posted = (phone: string) => change(visitor, { intent: "enrol_phone", phone });
    return { page: await accountPageOf(visitor), posted };
  };
  const off = await accountWith({ SECOND_FACTOR_SMS: "off" });
  expect(off.page).not.toContain("Phone number");
  expect((await off.posted("+15550100")).page).toContain("does not offer a second factor");
  const on = await accountWith({ SECOND_FACTOR_SMS: "on", SMS_COUNTRIES: "+49, 43" });
  expect(on.page).toContain("Phone number");
  const abroad = await on.posted("+15550100");
  expect([abroad.status, abroad.alert]).toEqual([400, signInFailures.phoneCountry]);
  expect((await on.posted("+43 660 1234567")).page).toContain("We texted a code to +436601234567.");
});
