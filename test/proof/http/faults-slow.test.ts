import { afterAll, beforeAll, expect, test } from "vitest";
import { faults, late } from "../../support/faults/fault-proxy.ts";
import { type SiteWithFaults, startSiteWithFaults } from "../../support/faults/site-with-faults.ts";
import type { Provider, Users } from "../../support/provider-faults/route-case.ts";
import {
  answeredIn,
  type FaultFor,
  injectFaults,
  nameOf,
  problemsOf,
  providers,
  routeCases,
} from "../../support/provider-faults/run-cases.ts";
import { newcomer, owner } from "../../support/provider-faults/users.ts";
import { resetFakes, settledStripeEvents } from "../../support/site/control-fakes.ts";

const slow = ["silence", "half open"] as const;

let site: SiteWithFaults;
let patient: Users;
let injected: FaultFor[];

beforeAll(async () => {
  await resetFakes();
  site = await startSiteWithFaults();
  const pair = async (name: string): Promise<Users> => ({
    owner: await owner(site.url, `owner.${name}@example.com`),
    newcomer: await newcomer(site.url, `newcomer.${name}@example.com`),
  });
  patient = await pair("patient");
  injected = [];
  for (const provider of providers) {
    for (const fault of slow) {
      const who = await pair(`${provider}.${fault.replace(" ", ".")}`);
      injected.push({ who, provider, handler: faults[fault] });
    }
  }
  await settledStripeEvents();
  injectFaults(site, injected);
});

afterAll(() => site?.[Symbol.asyncDispose]());

/** Each client of each provider once, where a person waits for it. */
const representatives: Record<Provider, readonly string[]> = {
  auth: [
    "GET dashboard/overview.tsx",
    "GET auth/signin.tsx",
    "POST api/create-checkout-session.ts",
    "POST auth/signin.tsx magic_link",
    "POST auth/signin.tsx sign_in",
    "POST dashboard/account.tsx change_email",
    "POST google-services/call.ts gmail/list",
  ],
  database: [
    "GET dashboard/overview.tsx",
    "GET deployments/list.tsx",
    "GET deployments/deployment.tsx",
    "GET api/model-config.ts",
    "POST model-configuration/own.ts save",
    "POST contact/contact.tsx",
    "POST api/create-checkout-session.ts",
    "POST dashboard/overview.tsx",
    "POST api/stripe-webhook.ts",
  ],
  stripe: [
    "GET checkout/success.tsx",
    "GET dashboard/billing.tsx",
    "POST marketing/pricing.tsx as a guest",
    "POST api/create-checkout-session.ts",
    "POST dashboard/overview.tsx",
    "POST dashboard/billing.tsx",
    "POST api/stripe-webhook.ts",
    "POST dashboard/account.tsx delete",
  ],
  google: ["POST google-services/call.ts gmail/list"],
  mail: ["POST contact/contact.tsx"],
};
/** What reads or writes in a person's name: it asks for their session, and then the database as that person. */
const ofThePerson = [
  "GET dashboard/billing.tsx",
  "GET dashboard/missing.tsx",
  "GET dashboard/models.tsx",
  "GET dashboard/support.tsx",
  "GET dashboard/usage.tsx",
  "GET deployments/bundle-zip.ts",
  "GET deployments/call.tsx",
  "GET deployments/connect.tsx",
  "GET deployments/connection-test.tsx",
  "GET deployments/delete.tsx",
  "GET deployments/duplicate.tsx",
  "GET deployments/edit.tsx",
  "GET deployments/rooms.tsx",
  "GET deployments/recording.tsx",
  "GET deployments/file.ts",
  "GET deployments/names.ts",
  "GET deployments/new.tsx",
  "GET deployments/versions.tsx",
  "GET marketing/own-plan.ts",
  "GET model-configuration/own.ts",
  "GET model-configuration/usage.ts",
  "GET servers/alerts.tsx",
  "GET servers/evidence-csv.ts",
  "GET servers/evidence.tsx",
  "GET servers/incident.tsx",
  "GET servers/incidents-csv.ts",
  "GET servers/incidents.tsx",
  "GET servers/participant.tsx",
  "GET servers/server.tsx",
  "GET servers/session.tsx",
  "GET servers/sessions-csv.ts",
  "GET servers/sessions.tsx",
  "GET workspaces/audit-csv.ts",
  "GET workspaces/audit.tsx",
  "GET workspaces/members.tsx",
  "GET workspaces/new.tsx",
  "GET workspaces/second-factor.tsx",
  "GET workspaces/settings.tsx",
  "GET workspaces/tokens.tsx",
  "POST dashboard/models.tsx",
  "POST dashboard/support.tsx",
  "POST dashboard/usage.tsx",
  "POST deployments/bundle-zip.ts",
  "POST deployments/delete.tsx",
  "POST deployments/deployment.tsx",
  "POST deployments/duplicate.tsx",
  "POST deployments/edit.tsx",
  "POST deployments/list.tsx",
  "POST deployments/new.tsx",
  "POST deployments/unsaved.ts",
  "POST deployments/versions.tsx",
  "POST marketing/services.tsx",
  "POST servers/alerts.tsx",
  "POST servers/server.tsx",
  "POST workspaces/second-factor.tsx",
] as const;

/** Who asks a provider in the same way, and which: all of them at once would measure this machine. */
const alike: Record<Provider, Record<string, readonly string[]>> = {
  auth: {
    "The session is asked for as on the overview.": [
      ...ofThePerson,
      "POST workspaces/invitation.tsx",
      "POST workspaces/members.tsx",
      "POST workspaces/new.tsx",
      "POST workspaces/settings.tsx",
      "POST workspaces/tokens.tsx",
      "GET auth/signup.tsx",
      "GET google-services/connection.ts",
      "GET dashboard/layout.tsx",
      "GET dashboard/plan.tsx",
      "GET dashboard/account.tsx",
      "GET dashboard/account-code.tsx",
      "GET deployments/list.tsx",
      "GET deployments/deployment.tsx",
      "POST marketing/pricing.tsx",
      "POST auth/signup.tsx",
      "POST dashboard/overview.tsx",
      "POST dashboard/billing.tsx",
      "POST dashboard/plan.tsx",
      "POST auth/refresh.ts",
      "POST google-services/connection.ts",
      "POST model-configuration/own.ts",
    ],
    "The client is that of the account page, or of the sign-in form.": [
      "POST auth/signout.ts",
      "POST auth/confirm.tsx",
      "POST dashboard/account-code.tsx",
    ],
  },
  database: {
    "The client acts for the person, as in the list of deployments.": [...ofThePerson],
    "The client is the service's own, as in a checkout.": [
      "POST workspaces/invitation.tsx",
      "POST workspaces/members.tsx",
      "POST workspaces/new.tsx",
      "POST workspaces/settings.tsx",
      "POST workspaces/tokens.tsx",
      "GET checkout/success.tsx",
      "POST marketing/pricing.tsx",
      "POST auth/signup.tsx",
      "POST dashboard/billing.tsx",
      "GET dashboard/plan.tsx",
      "POST dashboard/plan.tsx",
      "POST auth/signin.tsx",
      "GET auth/confirm.tsx",
      "POST auth/confirm.tsx",
      "GET dashboard/layout.tsx",
      "GET dashboard/account-code.tsx",
      "GET dashboard/account.tsx",
      "POST dashboard/account.tsx",
      "POST api/token-usage.ts",
      "GET api/workspace-api.ts",
      "POST api/workspace-api.ts",
    ],
  },
  stripe: {
    "It is the checkout of the pricing page.": ["POST auth/signup.tsx"],
    "The client is that of every call.": ["GET dashboard/plan.tsx", "POST dashboard/plan.tsx"],
  },
  google: {
    "The client is that of every call.": [
      "POST google-services/connection.ts",
      "POST dashboard/account.tsx",
    ],
  },
  mail: {
    "The client is that of every mail.": [
      "POST dashboard/support.tsx",
      "POST workspaces/members.tsx",
    ],
  },
};

test("every route that asks a provider is sent to a slow one here, or asks as one of those does", () => {
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

const stepsFor = (provider: Provider) =>
  representatives[provider].map((name) => {
    const step = routeCases.find((each) => nameOf(each) === name);
    if (!step) throw new Error(`Nobody does ${name}`);
    return step;
  });

// The Worker's patience is counted in seconds, so all wait at the same time.
test.concurrent.for(providers)(
  "when %s says nothing, or half of it, nobody waits for ever",
  async (provider) => {
    const here = injected.filter((each) => each.provider === provider);
    const problems = await Promise.all(
      here.flatMap(({ who }, at) =>
        stepsFor(provider).map((step) => {
          const fault = slow[at] ?? "silence";
          return problemsOf(step.send(who), {
            expected: answeredIn(step, provider, fault),
            occasion: `${provider} ${fault}: ${nameOf(step)}`,
          });
        }),
      ),
    );
    expect(problems.flat()).toEqual([]);
  },
);

test("when every provider is half a second late everything is waited for", async () => {
  const handler = late(500);
  injectFaults(
    site,
    providers.map((provider) => ({ who: patient, provider, handler })),
  );
  const all = [...new Set(providers.flatMap(stepsFor))].filter(({ what }) => what !== "delete");
  const problems = await Promise.all(
    all.map((step) =>
      problemsOf(step.send(patient), { expected: [step.usual, ""], occasion: nameOf(step) }),
    ),
  );
  expect(problems.flat()).toEqual([]);
});
