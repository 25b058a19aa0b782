import { pausedWords, planNames } from "~/content/plans";
import type { MailWords } from "~/features/mail/mail-layout";
import { buyAddress, personalBase, workspaceBase } from "~/ui/console/console-path";
import { dayOf, daysInUtc, monthOf } from "~/ui/dates";
import type { Occasion } from "./occasion";

/** The workspace whose plan a mail is about. The name is null where its owner is the only member. */
export type MailWorkspace = { slug: string; name: string | null };

/**
 * The texts of a mail; `site` is the origin for its links, such as "https://example.com". A team's mail names its
 * workspace and leads there: one payer may have several.
 */
export function mailWords(
  about: Occasion,
  site: string,
  workspace: MailWorkspace | null,
): MailWords {
  if (!workspace?.name) return wordsOf(about, site, personalBase);
  const words = wordsOf(about, site, workspaceBase(workspace.slug));
  return {
    ...words,
    subject: `${workspace.name}: ${words.subject}`,
    paragraphs: [`This is about the workspace ${workspace.name}.`, ...words.paragraphs],
  };
}

function wordsOf({ kind, data }: Occasion, site: string, base: string): MailWords {
  const at = (path: string) => `${site}${path}`;
  switch (kind) {
    case "begins": {
      const name = planNames[data.plan];
      const until = data.ends
        ? `runs until ${day(data.ends)}`
        : `runs from today and renews on ${day(data.renews)}`;
      return {
        subject: `Your ${name} plan has begun`,
        paragraphs: [
          `Thank you. Your ${name} plan ${until}. Your invoices, your card and the way to change or cancel are in your dashboard, under Billing.`,
          data.guest
            ? "You bought it without an account. Sign in with this e-mail address, and the plan is yours."
            : "Describe a deployment, and you get the files that a server of yours boots from.",
        ],
        button: data.guest
          ? { label: "Sign in", address: at("/signin?next=/dashboard") }
          : { label: "Go to your deployments", address: at(`${base}/deployments`) },
        footer: customersFooter,
      };
    }
    case "ends-soon": {
      const name = planNames[data.plan];
      return {
        subject: `Your ${name} plan ends on ${day(data.ends)}`,
        paragraphs: [
          `It was cancelled, so it does not renew${data.owed ? "" : " and nothing more is charged"}. Until then everything works.`,
          `Afterwards you ${readingOnly} You can keep the plan: take the cancellation back before that day.`,
        ],
        button: { label: `Keep ${name}`, address: at(`${base}/plan`) },
        footer: customersFooter,
      };
    }
    case "ended": {
      const name = planNames[data.plan];
      return {
        subject: `Your ${name} plan has ended`,
        paragraphs: [
          `It ended on ${day(data.ended)}${whyEnded(data.reason)} Nothing more is charged for it.`,
          data.other || data.reason === "second_plan"
            ? "Your other plan goes on as before."
            : `You ${readingOnly}`,
        ],
        button: data.other
          ? { label: "See your plan", address: at(base) }
          : { label: "Choose a plan", address: at(buyAddress(base)) },
        footer: customersFooter,
      };
    }
    case "failed": {
      const name = planNames[data.plan];
      return {
        subject: `A payment for your ${name} plan failed`,
        paragraphs: [
          "Stripe has not been paid. A card is tried again in the next days; an invoice by bank transfer waits for your transfer. Until then your plan has all that it had; if it stays unpaid, it ends.",
          "Under Billing you read why and until when. Pay the open invoice there, or change the card.",
        ],
        button: { label: "See what failed", address: at(`${base}/billing`) },
        footer: customersFooter,
      };
    }
    case "cancelled": {
      const name = planNames[data.plan];
      return {
        subject: `Your ${name} plan is cancelled`,
        paragraphs: [
          `It ends on ${day(data.ends)} and does not renew. Until then everything works.`,
          "If this was not meant, or you change your mind: take the cancellation back before that day.",
        ],
        button: { label: `Keep ${name}`, address: at(`${base}/plan`) },
        footer: customersFooter,
      };
    }
    case "paused": {
      const name = planNames[data.plan];
      return {
        subject: `Your ${name} plan is paused from ${day(data.from)}`,
        paragraphs: [
          `Until then everything works. From then until ${day(data.until)} nothing is charged, and ${pausedWords}`,
          "It runs again by itself, and a day later it is charged as before. We write a week before. You can take the pause back, or end it earlier.",
        ],
        button: { label: `See ${name}`, address: at(`${base}/plan`) },
        footer: customersFooter,
      };
    }
    case "pause-ends": {
      const name = planNames[data.plan];
      return {
        subject: `Your ${name} plan runs again on ${day(data.until)}`,
        paragraphs: [
          "Its pause ends that day: your servers are watched again within an hour. A day later it is charged as before.",
          "If you do not need it any more, cancel it before: then nothing is charged.",
        ],
        button: { label: `See ${name}`, address: at(`${base}/plan`) },
        footer: customersFooter,
      };
    }
    case "history-ends":
      return {
        subject: `${data.last ? "Last notice: what" : "What"} your servers reported is deleted from ${day(data.ends)} on`,
        paragraphs: [
          `Your plan ended on ${day(data.ended)}. What your servers have reported since they were connected, their figures, changes and incidents, is kept until ${day(data.ends)}. Afterwards it is deleted, and cannot be brought back.`,
          "The servers are yours and run on; they stay connected. With a plan everything is kept, and they report each minute again.",
        ],
        button: { label: "Choose a plan", address: at(buyAddress(base)) },
        footer: customersFooter,
      };
    case "card":
      return {
        subject: `The card for your plan expires at the end of ${monthOf(data.expires)}`,
        paragraphs: [
          `${cardName(data)} pays for your ${planNames[data.plan]} plan. When it has expired the next payment fails.`,
          "Some banks tell Stripe the new date by themselves. To be sure, look at the card and change it: nothing is charged for that.",
        ],
        button: { label: "See your card", address: at(`${base}/billing`) },
        footer: customersFooter,
      };
    case "dispute":
      return {
        subject: `A payment is disputed: ${data.dispute}`,
        paragraphs: [
          "A customer's bank has asked Stripe for a payment back. Stripe's dashboard says why, how much and until when you can answer. Whoever does not answer in time loses the dispute.",
          "The plan goes on until you cancel it.",
        ],
        button: {
          label: "Open it at Stripe",
          address: `https://dashboard.stripe.com${data.live ? "" : "/test"}/${data.payment ? `payments/${data.payment}` : "disputes"}`,
        },
        footer: operatorsFooter(site),
      };
    case "dispute-closed":
      return {
        subject: `A dispute is ${data.status.replaceAll("_", " ")}: ${data.dispute}`,
        paragraphs: [
          data.status === "lost"
            ? "The bank has given the customer the money, and Stripe keeps its fee. The plan goes on until you cancel it."
            : "The money stays with you. The plan goes on as before.",
        ],
        button: {
          label: "Open it at Stripe",
          address: `${dashboardOf(data.live)}/payments/${data.payment}`,
        },
        footer: operatorsFooter(site),
      };
    case "fraud-warning":
      return {
        subject: "A bank warns that a payment may be fraud",
        paragraphs: [
          "A dispute often follows, and costs a fee. Look at the payment: if nobody you know made it, refund it and cancel the plan.",
        ],
        button: {
          label: "Open it at Stripe",
          address: `${dashboardOf(data.live)}/payments/${data.payment}`,
        },
        footer: operatorsFooter(site),
      };
    case "paid-twice":
      return {
        subject: data.refunded
          ? "Somebody paid for a second plan, and it was refunded"
          : "Somebody pays for two plans",
        paragraphs: [
          data.refunded
            ? "The same buyer had a plan that runs. What the second cost was given back, and it was ended; the buyer reads so by mail. There is nothing to do."
            : "The same buyer has two plans that run. Not all of the second was refunded by itself: it is older than a day, was not bought at a checkout of the site, or Stripe refused the refund; or the first one is unpaid, paused or about to end. Ask them which one they need.",
          `Customer ${data.customer}, subscription ${data.subscription}.`,
        ],
        button: {
          label: "Open Stripe",
          address: `https://dashboard.stripe.com/subscriptions/${data.subscription}`,
        },
        footer: operatorsFooter(site),
      };
    case "partly-paid":
      return {
        subject: "An order was paid in part only",
        paragraphs: [
          "The limit for its payment is over, and a part of its invoice was paid, so its plan goes on. Ask for the rest, or give the part back, end the plan and void the invoice.",
          `Subscription ${data.subscription}, invoice ${data.invoice}.`,
        ],
        button: {
          label: "Open Stripe",
          address: `https://dashboard.stripe.com/invoices/${data.invoice}`,
        },
        footer: operatorsFooter(site),
      };
    case "unsent":
      return {
        subject: "An invoice could not be sent",
        paragraphs: [
          "Stripe could not finalize it, and the invoice in Stripe says why: mostly an address is missing, from which to calculate the tax. Mend that, then finalize it there. An order by bank transfer ends at its limit without it.",
          `Invoice ${data.invoice}.`,
        ],
        button: {
          label: "Open Stripe",
          address: `${dashboardOf(data.live)}/invoices/${data.invoice}`,
        },
        footer: operatorsFooter(site),
      };
  }
}

const dashboardOf = (isLive: boolean) => `https://dashboard.stripe.com${isLive ? "" : "/test"}`;

function operatorsFooter(site: string): string {
  return `You get this mail because your address is the SUPPORT_EMAIL of this site: ${site}`;
}

const customersFooter = `This mail is about your plan. ${daysInUtc} Questions? Just answer it.`;

const readingOnly =
  "can still open, download and delete all your deployments, but not change them or make new ones. Servers that you made from them are yours and go on running.";

function whyEnded(reason: string | null): string {
  switch (reason) {
    case "payment_failed":
      return ", because the last payment failed and Stripe's further attempts did too.";
    case "payment_disputed":
      return ", because its payment was disputed with the bank.";
    case "unpaid_order":
      return ", because its invoice was not paid in time. The invoice is void.";
    case "second_plan":
      return ", because you had a plan that runs already. What it cost was given back to your card. To have another plan, change the one that you have.";
    default:
      return ", as it was cancelled.";
  }
}

function cardName({ brand, last4 }: { brand: string | null; last4: string | null }): string {
  const named = brand ? `${brand.charAt(0).toUpperCase()}${brand.slice(1)} card` : "card";
  return last4 ? `The ${named} that ends in ${last4}` : `Your ${named}`;
}

function day(timestamp: string | null): string {
  return timestamp ? dayOf(timestamp) : "a day that Stripe has not told us yet";
}
