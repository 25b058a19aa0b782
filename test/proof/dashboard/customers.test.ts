import { afterEach, beforeEach, expect, test } from "vitest";
import { exampleVariables } from "../../../fakes/dev-vars.ts";
import { differingCustomers } from "../../support/billing/compare-records.ts";
import { runUntilDone } from "../../support/billing/reconciliation.ts";
import {
  firstPurchases,
  nextStep,
  type Simulated,
  type SimulatedEvent,
} from "../../support/billing/subscription-simulation.ts";
import { deliver, madeUpEvent, pauseDeliveries } from "../../support/billing/webhook-delivery.ts";
import { seedsOf } from "../../support/run/seeds.ts";
import { resetFakes, stripeControl } from "../../support/site/control-fakes.ts";
import { inParallel } from "../../support/site/in-parallel.ts";
import { portBase, startOwnWorker } from "../../support/site/own-site.ts";
import { seededRandom } from "../../support/site/random.ts";

const customers = 1_000;
const atOnce = 100;
const stepsAtOnce = 200;

let site: Awaited<ReturnType<typeof startOwnWorker>>;

beforeEach(async () => {
  await resetFakes();
  await pauseDeliveries();
  site = await startOwnWorker((siteUrl) => exampleVariables({ siteUrl, portBase }));
});

afterEach(() => site?.[Symbol.asyncDispose]());

/**
 * The post between Stripe and the site: of ten letters one is lost, one comes twice and three come late,
 * and those of one round come in any order. To save time it takes not all that happens: a letter more is
 * a read more of the same customer.
 */
function postOffice(random: ReturnType<typeof seededRandom>) {
  let waiting: { due: number; event: object }[] = [];
  let round = 0;
  return {
    take({ type, customer }: SimulatedEvent, share: number) {
      if (!random.chance(share) || random.chance(0.1)) return;
      const isAboutCustomer = /^customer\.(updated|deleted)$/.test(type);
      const event = madeUpEvent(type, isAboutCustomer ? { id: customer } : { customer });
      for (let copies = random.chance(0.1) ? 2 : 1; copies > 0; copies--) {
        waiting.push({ due: round + 1 + (random.chance(0.3) ? random.below(12) : 0), event });
      }
    },
    /** Hands over what is due now, or all that is left. Answers how many letters that were. */
    async handOver(which: "due" | "all"): Promise<number> {
      round += 1;
      const now = random.shuffled(waiting.filter(({ due }) => which === "all" || due <= round));
      waiting = waiting.filter((letter) => !now.includes(letter));
      const statuses = await inParallel(now, 6, async ({ event }) => {
        const response = await deliver(event, { siteUrl: site.url });
        await response.body?.cancel();
        return response.status;
      });
      expect(statuses).toEqual(now.map(() => 200));
      return now.length;
    },
  };
}

test.each(seedsOf("test/proof/dashboard/customers.test.ts"))(
  "after a thousand histories whose webhooks came twice, late, in any order or never, each record equals Stripe's (seed %i)",
  async (seed) => {
    const random = seededRandom(seed);
    const post = postOffice(random);
    const everybody: Simulated[] = [];
    let delivered = 0;
    for (let first = 1; first <= customers; first += atOnce) {
      const numbers = Array.from({ length: atOnce }, (_, index) => first + index);
      const bought = await firstPurchases(random, numbers);
      everybody.push(...bought);
      for (const { id } of bought) {
        post.take({ type: "customer.subscription.created", customer: id }, 0.1);
      }
      delivered += await post.handOver("due");
    }
    // Everybody takes a step after the purchase, and some another.
    const inTurn = [
      ...random.shuffled(everybody),
      ...random.shuffled(everybody).slice(0, stepsAtOnce),
    ];
    for (let first = 0; first < inTurn.length; first += stepsAtOnce) {
      const steps = inTurn
        .slice(first, first + stepsAtOnce)
        .flatMap((each) => nextStep(random, each) ?? []);
      const [happened, letters] = await Promise.all([
        inParallel(steps, 6, (take) => take()),
        post.handOver("due"),
      ]);
      for (const happening of happened) post.take(happening, 0.5);
      delivered += letters;
    }
    const before = await differingCustomers();
    expect(before.length, "too few were lost to show anything").toBeGreaterThan(300);

    await stripeControl("faults", { mode: "refuse", match: "/v1/customers" });
    await site.runScheduled();
    await stripeControl("faults", { mode: "none" });
    const [late] = await Promise.all([post.handOver("all"), runUntilDone(site)]);
    expect(delivered + late).toBeGreaterThan(300);
    const after = await differingCustomers();
    expect({ differ: after.length, first: after.slice(0, 3) }).toEqual({ differ: 0, first: [] });
  },
  300_000,
);
