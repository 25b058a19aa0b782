import type Stripe from "stripe";
import { whatBlocks } from "../../../app/features/billing/plan-change/change-blocks.ts";
import {
  changeLater,
  keepPlan,
} from "../../../app/features/billing/plan-change/change-later.server.ts";
import { changeNow } from "../../../app/features/billing/plan-change/change-now.server.ts";
import type { ChangeOutcome } from "../../../app/features/billing/plan-change/outcome.ts";
import {
  pauseEnds,
  pausePlan,
  unpausePlan,
} from "../../../app/features/billing/plan-change/pause/pause.server.ts";
import { previewUpward } from "../../../app/features/billing/plan-change/preview.server.ts";
import {
  readAgain,
  type StripePlan,
} from "../../../app/features/billing/plan-change/stripe-plans.server.ts";
import type { Target } from "../../../app/features/billing/plan-change/target.server.ts";
import { changesFrom } from "../../../app/features/billing/plan-change/terms.ts";
import { endSubscriptions } from "../../../app/features/billing/subscriptions/end-subscriptions.server.ts";
import { pauseOf } from "../../../app/features/billing/subscriptions/pause.server.ts";
import type { AppContext } from "../../../app/http/app-context.ts";
import { stripeControl } from "../site/control-fakes.ts";
import type { Random } from "../site/random.ts";
import { stripe } from "./stripe-account.ts";

/** Somebody who buys in the simulated year, and what they have bought last. */
export type Person = {
  number: number;
  customer: string;
  subscription: string;
  isDeleted: boolean;
};

/** What is sold on a day: the price of each offer, and something that is none of our plans. */
export type Shop = {
  basic: string;
  pro: string;
  monthly: string;
  yearly: string;
  basicYearly: string;
  proMonthly: string;
  foreign: string;
  /** What a coupon takes off for two months, or for good. */
  coupons: readonly string[];
};

const addressOf = (number: number) => `customer.${number}@example.com`;

/** Most pay by the year: a renewal each month is a read more, and shows no more. */
function chosenPrice(random: Random, shop: Shop): string {
  const tenth = random.below(20);
  if (tenth < 7) return shop.pro;
  if (tenth < 12) return shop.yearly;
  if (tenth < 14) return shop.basicYearly;
  if (tenth < 16) return shop.basic;
  if (tenth < 18) return shop.monthly;
  return tenth < 19 ? shop.proMonthly : shop.foreign;
}

function chosenCard(random: Random) {
  const tenth = random.below(10);
  if (tenth === 0) return "failing";
  return tenth === 1 ? "authenticating" : "good";
}

/** So many first purchases. */
export async function newPeople(
  random: Random,
  shop: Shop,
  numbers: readonly number[],
): Promise<Person[]> {
  const purchases = numbers.map((number) => ({
    email: addressOf(number),
    price: chosenPrice(random, shop),
    card: chosenCard(random),
    ...(random.chance(0.15) ? { coupon: random.pick(shop.coupons) } : {}),
  }));
  const bought = await buy(purchases);
  return bought.map((each, index) => ({ ...each, number: numbers[index] ?? 0, isDeleted: false }));
}

type Purchase = { email: string; price: string; card: string; customer?: string; coupon?: string };

async function buy(purchases: Purchase[]) {
  return (await stripeControl("purchases", { purchases })) as {
    customer: string;
    subscription: string;
  }[];
}

/** What the year has seen, to hold against Stripe when it is over. */
export type YearRecord = {
  /** How often each thing was really done. */
  counts: Map<string, number>;
  /** What changes upwards were said to cost, and what their invoices charged. */
  charged: { subscription: string; quoted: number; charged: number }[];
  /** Changes that ended as none may: said once, with all that is known. */
  odd: object[];
};

function note({ record: { counts } }: Simulation, what: string): void {
  counts.set(what, (counts.get(what) ?? 0) + 1);
}

/** `asked` is a request to the site as it is configured on that day. */
type Simulation = { random: Random; shop: Shop; context: AppContext; record: YearRecord };
type Now = Stripe.Subscription & { schedule: Stripe.SubscriptionSchedule | null };
type Act = (simulation: Simulation, person: Person, now: Now) => Promise<unknown>;

/** Somebody does something that fits how things stand with them; chosen now, done when it is called. */
export function nextAct(simulation: Simulation, person: Person): () => Promise<void> {
  const choice = simulation.random.below(1_000);
  return async () => {
    const now = (await stripe.subscriptions.retrieve(person.subscription, {
      expand: ["schedule"],
    })) as Now;
    const acts = possibleActs(person, now);
    await acts[choice % acts.length]?.(simulation, person, now);
  };
}

/** What the site, Stripe's portal or the operator can do with a subscription as it stands. */
function possibleActs(person: Person, now: Now): Act[] {
  if (person.isDeleted) return [];
  if (now.status === "canceled") return [buyAgain, buyAgain, moveAddress, deleteCustomer];
  if (now.status === "past_due" || now.status === "unpaid")
    return [payWithAnotherCard, payWithAnotherCard, confirmToBank, cancelNow];
  if (now.pending_update) return [confirmToBank, giveUpChange, payWithAnotherCard];
  if (now.cancel_at_period_end) return [resume, refund, moveAddress];
  if (now.schedule) return [keep, cancelAtEnd, changeCard];
  if (now.pause_collection) return [unpause, unpause, cancelAtEnd, changeCard];
  return [
    ...[upgrade, upgrade, upgrade, downgrade, downgrade, cancelAtEnd, cancelAtEnd],
    ...[changeCard, refund, dispute, deleteAccount, moveAddress, pause, pause, pause],
  ];
}

const control = ({ subscription }: Person, action: string) =>
  stripeControl(`subscriptions/${subscription}/${action}`);

/** What /dashboard/plan does for a button: the same functions, on the plan that Stripe has now. */
async function stripePlan({ context }: Simulation, { id }: Now): Promise<StripePlan | undefined> {
  return readAgain(context.configuration, stripe, id);
}

/** The offer in this direction that the site has for somebody, at the price of the day. */
function targetOf(
  { shop }: Simulation,
  plan: StripePlan,
  wanted: Target["direction"],
): Target | undefined {
  const found = changesFrom(plan.terms, plan.bought).find(({ direction }) => direction === wanted);
  return found && { ...found, priceId: shop[found.offer] };
}

const upgrade: Act = async (simulation, person, now) => {
  const plan = await stripePlan(simulation, now);
  const target = plan && targetOf(simulation, plan, "up");
  if (!plan || !target || whatBlocks(plan)) return;
  if (plan.subscription.discounts.length > 0) note(simulation, "up with a coupon");
  // Some pay with a card that they have just changed, and not every one of these is good.
  if (simulation.random.chance(0.4)) await changeCard(simulation, person, now);
  const { due, outcome } = await confirmUpgrade(simulation, plan, target);
  const after = await stripePlan(simulation, now);
  const isChanged = after?.item.price.id === target.priceId;
  const word = wordOf(outcome);
  note(simulation, `up: ${word}`);
  // Declined is as it was, the bank's question leaves it waiting, and nothing else happens here.
  const isPlain = ["changed", "declined", "leave"].includes(word);
  if (!isPlain || isChanged !== (word === "changed"))
    simulation.record.odd.push({ subscription: now.id, outcome, isChanged });
  const charged = await chargedFor(after?.latestInvoice);
  if (word === "changed")
    simulation.record.charged.push({ subscription: now.id, quoted: due, charged });
};

/** Confirms what is shown. Where the amount grew by a cent in between, a person is asked again. */
async function confirmUpgrade({ context }: Simulation, plan: StripePlan, target: Target) {
  for (let again = 0; ; again++) {
    const { due, prorationDate } = await previewUpward(stripe, plan, target);
    const shown = { amount: due, prorationDate };
    const outcome = await changeNow({ context, stripe }, plan, target, shown);
    if (wordOf(outcome) !== "moved" || again === 2) return { due, outcome };
  }
}

/** What an invoice charged in the end: a cent that was added by the seconds in between is given back. */
async function chargedFor(invoice: Stripe.Invoice | undefined): Promise<number> {
  if (!invoice) return 0;
  const { payments } = await stripe.invoices.retrieve(invoice.id, { expand: ["payments"] });
  const intent = payments?.data[0]?.payment.payment_intent;
  if (!intent) return invoice.amount_paid;
  const { data } = await stripe.refunds.list({ payment_intent: String(intent) });
  return data.reduce((rest, { amount }) => rest - amount, invoice.amount_paid);
}

const downgrade: Act = async (simulation, _person, now) => {
  const plan = await stripePlan(simulation, now);
  const target = plan && targetOf(simulation, plan, "down");
  if (!plan || !target || whatBlocks(plan)) return;
  const outcome = await changeLater({ context: simulation.context, stripe }, plan, target);
  const word = wordOf(outcome);
  note(simulation, `down: ${word}`);
  const planned = (await stripePlan(simulation, now))?.planned;
  const isPlanned =
    planned?.priceId === target.priceId && planned.at === plan.item.current_period_end;
  if (word !== "scheduled" || !isPlanned)
    simulation.record.odd.push({ subscription: now.id, outcome, planned });
};

const pause: Act = async (simulation, _person, now) => {
  const plan = await stripePlan(simulation, now);
  const ends = plan ? pauseEnds(plan) : [];
  if (!plan || ends.length === 0) return;
  const until = simulation.random.pick(ends);
  const { context } = simulation;
  const word = wordOf(await pausePlan({ context, stripe }, plan, String(until)));
  note(simulation, word);
  if (word !== "paused") simulation.record.odd.push({ subscription: now.id, word });
};

/** Takes a pause back or ends it. One that runs costs a month, whether its card pays now or not. */
const unpause: Act = async (simulation, _person, now) => {
  const plan = await stripePlan(simulation, now);
  const pause = plan && pauseOf(plan.subscription);
  if (!pause) return;
  const { context } = simulation;
  const word = wordOf(await unpausePlan({ context, stripe }, plan, true));
  note(simulation, pause.runs ? "ran again" : "not paused");
  const after = await stripePlan(simulation, now);
  const isNewInvoice = after?.latestInvoice?.id !== plan.latestInvoice?.id;
  if (word !== "running" || isNewInvoice !== pause.runs)
    simulation.record.odd.push({ subscription: now.id, word, pause, isNewInvoice });
};

function wordOf(outcome: ChangeOutcome): string {
  if (outcome.kind === "done") return outcome.done;
  return outcome.kind === "refused" ? outcome.why : "leave";
}

const keep: Act = async (simulation, _person, now) => {
  const plan = await stripePlan(simulation, now);
  if (!plan) return;
  await keepPlan(stripe, plan);
  note(simulation, "kept");
};

const cancelAtEnd: Act = async (simulation, _person, { id, schedule }) => {
  if (schedule) await stripe.subscriptionSchedules.release(schedule.id);
  await stripe.subscriptions.update(id, { cancel_at_period_end: true });
  note(simulation, "cancelled");
};

const resume: Act = (_scene, _person, { id }) =>
  stripe.subscriptions.update(id, { cancel_at_period_end: false });

/** What the deletion of an account does at Stripe; afterwards somebody may come again. */
const deleteAccount: Act = async (simulation, { customer }) => {
  await endSubscriptions(simulation.context.configuration, customer);
  note(simulation, "account deleted");
};

const cancelNow: Act = (_scene, _person, { id }) => stripe.subscriptions.cancel(id);

const changeCard: Act = ({ random }, { customer }) =>
  stripeControl(`customers/${customer}/card`, {
    behaviour: random.pick(["good", "good", "failing", "authenticating"]),
  });

const payWithAnotherCard: Act = async (simulation, person) => {
  await stripeControl(`customers/${person.customer}/card`, { behaviour: "good" });
  await control(person, "pay").then(() => note(simulation, "paid with another card"), nothingOpen);
};

/** What a person does on the hosted page when their bank asks. */
const confirmToBank: Act = async (_scene, _person, { latest_invoice }) => {
  const invoice = await stripe.invoices.retrieve(String(latest_invoice));
  if (invoice.status !== "open" || !invoice.hosted_invoice_url) return;
  const body = new URLSearchParams({ authentication: "complete" });
  await (await fetch(invoice.hosted_invoice_url, { method: "POST", body })).text();
};

const giveUpChange: Act = (_scene, _person, { latest_invoice }) =>
  stripe.invoices.voidInvoice(String(latest_invoice));

const refund: Act = (simulation, person) =>
  control(person, "refund").then(() => note(simulation, "refunded"), nothingOpen);

const dispute: Act = async (simulation, person) => {
  const made = (await control(person, "dispute").catch(nothingOpen)) as { id?: string };
  if (!made.id) return;
  const end = simulation.random.pick(["won", "lost"]);
  await stripeControl(`disputes/${made.id}/${end}`);
  note(simulation, `disputed and ${end}`);
};

const moveAddress: Act = (_scene, { customer, number }) =>
  stripe.customers.update(customer, { email: `moved.${addressOf(number)}` });

const deleteCustomer: Act = async (_scene, person) => {
  await stripe.customers.del(person.customer);
  person.isDeleted = true;
};

const buyAgain: Act = async ({ random, shop }, person) => {
  const price = chosenPrice(random, shop);
  const { customer, number } = person;
  const [bought] = await buy([{ email: addressOf(number), price, card: "good", customer }]);
  if (bought) person.subscription = bought.subscription;
};

/** The fake refuses where nothing can be paid, given back or disputed: then nothing happens. */
function nothingOpen(error: unknown): object {
  if (error instanceof Error && / answered 4(00|09):/.test(error.message)) return {};
  throw error;
}
