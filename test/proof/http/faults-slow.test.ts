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
import { representatives } from "../../support/provider-faults/slow-cases.ts";
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
