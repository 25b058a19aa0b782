import type Stripe from "stripe";
import type { Visitor } from "../site/visitor.ts";
import { stripe } from "./stripe-account.ts";

/** /dashboard/plan as a person without script has it: its words, and what its forms would send. */
export type PlanPage = {
  status: number;
  words: string;
  /** The fields of the form with this intent, and the words on its button. */
  form(intent: string): { fields: Record<string, string>; button: string };
  hasForm(intent: string): boolean;
};

export async function planPage(visitor: Visitor, query = ""): Promise<PlanPage> {
  return readPlanPage(await visitor.request(`/dashboard/plan${query}`));
}

export async function readPlanPage(response: Response): Promise<PlanPage> {
  const html = await response.text();
  const forms = (html.match(/<form[\s\S]*?<\/form>/g) ?? []).map((form) => ({
    fields: Object.fromEntries(
      [...form.matchAll(/<input type="hidden"[^>]*>/g)].map(([tag]) => [
        attribute(tag, "name"),
        attribute(tag, "value"),
      ]),
    ),
    button: wordsOf(/<button[\s\S]*?<\/button>/.exec(form)?.[0] ?? ""),
  }));
  const find = (intent: string) => forms.find(({ fields }) => fields.intent === intent);
  return {
    status: response.status,
    words: wordsOf(/<h1[\s\S]*<\/main>/.exec(html)?.[0] ?? html),
    hasForm: (intent) => find(intent) !== undefined,
    form(intent) {
      const found = find(intent);
      if (!found) throw new Error(`The page has no form that would ${intent}`);
      return found;
    },
  };
}

/** Presses the button of a form of the page and follows to the page that answers. */
export async function press(
  visitor: Visitor,
  page: PlanPage,
  intent: string,
  { query = "", fields = {} }: { query?: string; fields?: Record<string, string> } = {},
): Promise<PlanPage & { leadsTo: string }> {
  const sent = { ...page.form(intent).fields, ...fields };
  const answer = await visitor.post(`/dashboard/plan${query}`, sent);
  const leadsTo = answer.headers.get("location") ?? "";
  const next = leadsTo.startsWith("/") ? await visitor.request(leadsTo) : answer;
  return { ...(await readPlanPage(next)), leadsTo };
}

/** The one subscription of the only customer at Stripe, with its newest invoice. */
export async function onlySubscription(): Promise<
  Stripe.Subscription & { latest_invoice: Stripe.Invoice }
> {
  const { data } = await stripe.subscriptions.list({
    status: "all",
    expand: ["data.latest_invoice"],
  });
  const [subscription] = data;
  const invoice = subscription?.latest_invoice;
  if (!subscription || data.length > 1 || !invoice || typeof invoice === "string") {
    throw new Error(`There are ${data.length} subscriptions`);
  }
  return { ...subscription, latest_invoice: invoice };
}

/** What was paid at Stripe so far, newest first, in cents. */
export async function paidInvoices(): Promise<number[]> {
  const { data } = await stripe.invoices.list({ status: "paid", limit: 100 });
  return data.map(({ amount_paid }) => amount_paid);
}

function wordsOf(html: string): string {
  return html
    .replace(/<script[\s\S]*?<\/script>/g, "")
    .replace(/<!--.*?-->/g, "")
    .replace(/<[^>]+>/g, " ")
    .replaceAll("&#x27;", "'")
    .replaceAll("&amp;", "&")
    .replace(/\s+/g, " ")
    .replace(/ ([.,:])/g, "$1")
    .trim();
}

function attribute(tag: string, name: string): string {
  return (new RegExp(`${name}="([^"]*)"`).exec(tag)?.[1] ?? "").replaceAll("&amp;", "&");
}
