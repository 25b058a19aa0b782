import { createContext, data, Form, useNavigation, useSearchParams } from "react-router";
import { planNames, plans } from "~/content/plans";
import { guarded } from "~/features/auth/guard/guarded-action.server";
import { identifyPrincipal } from "~/features/auth/session/principal.server";
import { sessionContext } from "~/features/auth/session/session.server";
import { addressUnconfirmed } from "~/features/auth/session/sign-in-problems";
import {
  claimGuestPurchases,
  claimGuestPurchasesOrThrow,
} from "~/features/billing/checkout/guest-purchases.server";
import { customersOf } from "~/features/billing/subscriptions/customers.server";
import { type PriceWords, priceWords } from "~/features/billing/subscriptions/price-words";
import {
  comingEvents,
  describeSubscription,
  isOpen,
  type SubscriptionState,
} from "~/features/billing/subscriptions/subscription-words";
import { subscriptionsOfVisitor } from "~/features/billing/subscriptions/subscriptions.server";
import { syncSubscription } from "~/features/billing/subscriptions/sync-subscription.server";
import { appContext } from "~/http/app-context";
import { tooOften } from "~/http/limits/too-often";
import { serviceClient } from "~/platform/database/service-client.server";
import { describeError, log } from "~/platform/log/log.server";
import { Badge, type BadgeVariant } from "~/ui/primitives/badge";
import { Button, LinkButton } from "~/ui/primitives/button";
import { Card } from "~/ui/primitives/card";
import { CheckIcon } from "~/ui/primitives/icons";
import { Message } from "~/ui/primitives/message";
import type { Route } from "./+types/overview";

const unreadable =
  "Your subscription cannot be read right now. It is safe at Stripe. Please try again in a moment.";

/** What went wrong on the way to another site. The key travels in the URL, the words do not. */
const notices: ReadonlyMap<string | null, string> = new Map([
  [
    "portal-unavailable",
    "Billing could not be opened right now. Nothing was changed. Please try again in a moment.",
  ],
  ["too-often", tooOften],
  ["unconfirmed", addressUnconfirmed],
]);

/** Where an action has just waited for the database in vain, its page does not wait again. */
const databaseIsAway = createContext(false);

export async function loader({ context }: Route.LoaderArgs) {
  if (context.get(databaseIsAway)) return data({ subscriptions: undefined }, { status: 503 });
  const app = context.get(appContext);
  const session = context.get(sessionContext);
  let rows = await subscriptionsOfVisitor(session.supabase, app);
  if (rows && !rows.some(isOpen)) {
    const present = await identifyPrincipal(session);
    if (present.ok && (await claimGuestPurchases(app, present.principal.user)) > 0) {
      rows = await subscriptionsOfVisitor(session.supabase, app);
    }
  }
  if (!rows) return data({ subscriptions: undefined }, { status: 503 });
  const running = rows.filter(isOpen);
  const now = Date.now();
  return {
    subscriptions: (running.length > 0 ? running : rows.slice(0, 1)).map((row) => ({
      id: row.id,
      status: row.status,
      plan: planNames[row.plan],
      includes: plans.find(({ key }) => key === row.plan)?.features ?? [],
      coming: comingEvents(row, now),
      ...priceWords(row, now),
      ...describeSubscription(row),
    })),
  };
}

/** Reads the person's customers again at Stripe: for whoever does not want to wait for a webhook. */
export const action = guarded({
  refused: ({ status, message }) => data({ message }, { status }),
  async allowed({ context }: Route.ActionArgs, { user }) {
    const app = context.get(appContext);
    let customers: string[];
    try {
      const database = serviceClient(app.configuration);
      await claimGuestPurchasesOrThrow(database, user);
      customers = await customersOf(database, user.id);
    } catch (error) {
      log.error("A refresh failed", describeError(error));
      context.set(databaseIsAway, true);
      return data({ message: undefined }, { status: 503 });
    }
    try {
      await Promise.all(customers.map((id) => syncSubscription(app.configuration, id)));
      return { message: undefined };
    } catch (error) {
      log.error("A refresh failed", describeError(error));
      return data(
        { message: "Stripe does not answer right now. What you see is the last known state." },
        { status: 502 },
      );
    }
  },
});

export default function Overview({ loaderData, actionData }: Route.ComponentProps) {
  const { subscriptions } = loaderData;
  const busy = useNavigation().state === "submitting";
  const [search] = useSearchParams();
  const message = actionData ? actionData.message : notices.get(search.get("notice"));
  return (
    <div className="pt-8">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <h1 className="text-2xl">Dashboard</h1>
        <Form method="post">
          <Button type="submit" variant="secondary" disabled={busy}>
            {busy ? "Refreshing..." : "Refresh"}
          </Button>
        </Form>
      </div>
      {message ? (
        <Message kind="failure" className="mt-6">
          {message}
        </Message>
      ) : null}
      <section aria-labelledby="subscription" className="mt-8">
        <h2 id="subscription" className="text-lg">
          Subscription
        </h2>
        {subscriptions === undefined ? (
          <Message kind="failure" className="mt-4">
            {unreadable}
          </Message>
        ) : subscriptions.length === 0 ? (
          <NoPlan />
        ) : (
          <ul className="mt-4 grid gap-4">
            {subscriptions.map((subscription) => (
              <SubscriptionCard key={subscription.id} subscription={subscription} />
            ))}
          </ul>
        )}
        {subscriptions && subscriptions.filter(isOpen).length > 1 ? (
          <Message kind="warning" className="mt-4">
            You have more than one running plan and pay for each. Cancel what you do not need under
            Change plan, or write to us and we sort it out.
          </Message>
        ) : null}
      </section>
    </div>
  );
}

function NoPlan() {
  return (
    <Card className="mt-4">
      <p className="text-lg font-strong">No plan yet</p>
      <p className="mt-2 max-w-prose text-ink-soft">
        Your plan and its renewal will be here; invoices and your card are under Billing. If you
        have just paid, press Refresh: it can take a moment to arrive.
      </p>
      <LinkButton to="/pricing" className="mt-6">
        Choose a plan
      </LinkButton>
    </Card>
  );
}

const badges = {
  good: "success",
  warning: "warning",
  over: "neutral",
} as const satisfies Record<SubscriptionState["tone"], BadgeVariant>;

type Shown = SubscriptionState &
  PriceWords & { plan: string; includes: readonly string[]; coming: string[] };

function SubscriptionCard({ subscription }: { subscription: Shown }) {
  const { plan, includes, label, tone, advice, price, details, coming } = subscription;
  const isOver = tone === "over";
  return (
    <Card as="li">
      <div className="flex flex-wrap items-center gap-3">
        <h3 className="text-xl">{plan}</h3>
        <Badge variant={badges[tone]}>{label}</Badge>
      </div>
      <p className="mt-2 font-mono text-sm tabular-nums text-ink-soft">{price}</p>
      {details.map((each) => (
        <p key={each} className="mt-1 font-mono text-sm tabular-nums text-ink-soft">
          {each}
        </p>
      ))}
      <p className="mt-4 max-w-prose">{advice}</p>
      {coming.map((each) => (
        <p key={each} className="mt-2 max-w-prose">
          {each}
        </p>
      ))}
      {isOver ? null : (
        <ul
          aria-label={`What ${plan} includes`}
          className="mt-6 grid gap-x-8 gap-y-2 border-t border-line pt-6 sm:grid-cols-2"
        >
          {includes.map((each) => (
            <li key={each} className="flex gap-2.5">
              <CheckIcon className="mt-0.5 shrink-0 text-signal" />
              {each}
            </li>
          ))}
        </ul>
      )}
      <div className="mt-6 flex flex-wrap gap-3">
        {isOver ? null : (
          <LinkButton
            to="/dashboard/deployments"
            variant={needsBilling(label) ? "secondary" : "primary"}
          >
            Your deployments
          </LinkButton>
        )}
        {isOver ? (
          <LinkButton to="/pricing">Choose a plan</LinkButton>
        ) : (
          <LinkButton to="/dashboard/plan" variant="secondary">
            Change plan
          </LinkButton>
        )}
        <LinkButton to="/dashboard/billing" variant={needsBilling(label) ? "primary" : "secondary"}>
          Billing
        </LinkButton>
      </div>
    </Card>
  );
}

/** Whether the advice is about a payment: then Billing is the thing to press. */
function needsBilling(label: string): boolean {
  return label === "Past due" || label === "Unpaid" || label === "Payment incomplete";
}
