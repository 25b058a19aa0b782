import { readPlanPage } from "../../billing/plan-change.ts";
import { prices, stripe } from "../../billing/stripe-account.ts";
import { settledStripeEvents, stripeControl } from "../../site/control-fakes.ts";
import type { Fields, FormLine } from "./form-line.ts";
import type { SiteWorld } from "./site-world.ts";

/** The fields of a form of the plan's page, as the founder has it. */
async function planFormFields({ founder, base }: SiteWorld, intent: string, query = "") {
  const page = await readPlanPage(await founder.browser.request(`${base}/plan${query}`));
  return page.form(intent).fields;
}

const post = ({ founder, base }: SiteWorld, fields: Fields) =>
  founder.browser.post(`${base}/plan`, fields);

/** The plan with this price, and nothing that waits, whatever was done to it. */
async function asBought(world: SiteWorld, price: string = prices.pro): Promise<void> {
  const { customer, subscription } = world.ids;
  await stripeControl(`customers/${customer}/card`, { behaviour: "good" });
  await stripeControl(`subscriptions/${subscription}/keep`);
  const before = await stripe.subscriptions.retrieve(subscription);
  const { schedule, items, pending_update, pause_collection } = before;
  if (pause_collection) await stripe.subscriptions.update(subscription, { pause_collection: "" });
  if (pending_update) await post(world, { intent: "give-up", subscription });
  if (schedule) {
    const id = typeof schedule === "string" ? schedule : schedule.id;
    await stripe.subscriptionSchedules.release(id);
  }
  const [item] = items.data;
  if (item && item.price.id !== price) {
    await stripe.subscriptions.update(subscription, {
      items: [{ id: item.id, price }],
      proration_behavior: "none",
    });
  }
}

/** The first end of a pause that the plan's page offers. */
async function firstPauseEnd({ founder, base }: SiteWorld): Promise<string> {
  const html = await (await founder.browser.request(`${base}/plan`)).text();
  return /<option value="(\d{10})"/.exec(html)?.[1] ?? "";
}

const changed = (done: string) => new RegExp(`^leads to .*/plan\\?.*done=${done}`);

/** A form of the plan's page. At Stripe nothing puts back what is done, so each is prepared. */
const planForm = (
  fields: (world: SiteWorld) => Promise<Fields>,
  done: RegExp,
  changes: readonly string[] = ["customers", "subscriptions"],
): FormLine => ({ needs: "billing", fields, done, changes });

/** What changes where the records read only now that the plan is Basic, which watches fewer servers. */
const ofAnotherPlan = ["customers", "fleets", "subscriptions"];

/** The answer to a member who may buy it: the team has a plan. */
const hasOne = /^409: .*already have an active subscription/;

/** What belongs to billing. What somebody buys is of the workspace that they are led to first. */
export const planForms: Readonly<Record<string, FormLine>> = {
  "/pricing": {
    needs: "billing",
    fields: { plan: "pro" },
    done: /^leads to \/dashboard\/plan\?to=pro/,
    isAnybodys: true,
  },
  "/signup": {
    needs: "billing",
    fields: { option: "monthly" },
    done: hasOne,
    isAnybodys: true,
  },
  "/api/create-checkout-session": {
    needs: "billing",
    fields: { priceId: prices.monthly },
    done: hasOne,
    isAnybodys: true,
  },
  "/dashboard/billing portal": {
    needs: "billing",
    fields: ({ ids }) => ({ customer: ids.customer }),
    done: /^leads to http.*\/p\/session\//,
    refused: /^leads to [^?]*\?notice=not-allowed$/,
  },
  "/dashboard/billing details": {
    needs: "billing",
    fields: ({ ids }) => ({ intent: "details", customer: ids.customer, company: "Okapi" }),
    done: /^leads to [^?]*\?notice=saved$/,
    changes: ["customers"],
  },
  "/dashboard/plan card": planForm(
    async ({ ids }) => ({ intent: "card", subscription: ids.subscription }),
    /^leads to http.*\/p\/session\//,
    [],
  ),
  "/dashboard/plan buy": {
    needs: "billing",
    fields: { intent: "buy", plan: "pro" },
    done: hasOne,
    isAnybodys: true,
  },
  "/dashboard/plan order": {
    needs: "billing",
    fields: { intent: "order", plan: "pro" },
    // An invoice needs a company and its address, which nobody gave here.
    done: /^409: .*(already have an active subscription|An invoice needs)/s,
    isAnybodys: true,
  },
  "/dashboard/plan cancel": planForm(async (world) => {
    await asBought(world);
    return planFormFields(world, "cancel");
  }, changed("cancelled")),
  "/dashboard/plan resume": planForm(
    async (world) => {
      await stripeControl(`subscriptions/${world.ids.subscription}/cancel`);
      return planFormFields(world, "resume");
    },
    changed("resumed"),
    ["customers"],
  ),
  "/dashboard/plan change": planForm(async (world) => {
    await asBought(world);
    return planFormFields(world, "change", "?to=basic");
  }, changed("scheduled")),
  "/dashboard/plan keep": planForm(async (world) => {
    await asBought(world);
    await post(world, await planFormFields(world, "change", "?to=basic"));
    return planFormFields(world, "keep");
  }, changed("kept")),
  "/dashboard/plan pause": planForm(
    async (world) => {
      await asBought(world, prices.basic);
      await settledStripeEvents();
      return { ...(await planFormFields(world, "pause")), until: await firstPauseEnd(world) };
    },
    changed("paused"),
    ofAnotherPlan,
  ),
  "/dashboard/plan unpause": planForm(
    async (world) => {
      await asBought(world, prices.basic);
      const { subscription } = world.ids;
      const { items } = await stripe.subscriptions.retrieve(subscription);
      const end = items.data[0]?.current_period_end ?? 0;
      await stripe.subscriptions.update(subscription, {
        pause_collection: { behavior: "void", resumes_at: end + 40 * 86_400 },
        metadata: { livekit_deploy_paused_from: String(end) },
      });
      await settledStripeEvents();
      return planFormFields(world, "unpause");
    },
    changed("running"),
    ofAnotherPlan,
  ),
  "/dashboard/plan give-up": planForm(async (world) => {
    await asBought(world, prices.basic);
    await stripeControl(`customers/${world.ids.customer}/card`, { behaviour: "authenticating" });
    await post(world, await planFormFields(world, "change", "?to=pro"));
    return planFormFields(world, "give-up");
  }, changed("given-up")),
};
