import { Form, useNavigation } from "react-router";
import { buyAddress, useConsoleBase } from "~/ui/console/console-path";
import { daysInUtc } from "~/ui/dates";
import { LinkButton } from "~/ui/primitives/button";
import { Card } from "~/ui/primitives/card";
import { Message } from "~/ui/primitives/message";
import { TextButton } from "~/ui/primitives/text-link";
import { PlanLine, SubscriptionCard } from "./subscription-card";
import { isOpen } from "./subscription-words";
import type { VisibleSubscription } from "./visible-subscriptions.server";

const unreadable =
  "Your subscription cannot be read right now. It is safe at Stripe. Please try again in a moment.";

/** The plan of a workspace in short, with the way to read it again at Stripe. */
export function PlanSection({
  subscriptions,
  planOfOthers,
  refusal,
  upgrade,
}: {
  /** Undefined where they cannot be read. */
  subscriptions: readonly VisibleSubscription[] | undefined;
  /** The plan that members see who do not do the billing. */
  planOfOthers: string | undefined;
  /** Why somebody cannot choose a plan. */
  refusal: string | undefined;
  upgrade: { to: string; words: string } | undefined;
}) {
  const busy = useNavigation().state === "submitting";
  return (
    <section aria-labelledby="subscription" className="mt-6">
      <h2 id="subscription" className="sr-only">
        Subscription
      </h2>
      {subscriptions === undefined ? (
        <Message kind="failure" className="mt-4">
          {unreadable}
        </Message>
      ) : planOfOthers ? (
        <Card className="mt-4">
          <p className="text-lg font-strong">{planOfOthers}</p>
          <p className="mt-2 max-w-prose text-ink-soft">
            This is the plan of the workspace. Members who do its billing see what it costs.
          </p>
        </Card>
      ) : subscriptions.length === 0 ? (
        <NoPlan refusal={refusal} />
      ) : (
        <ul className="grid gap-4">
          {subscriptions.map((subscription) =>
            subscription.tone === "good" ? (
              <PlanLine key={subscription.id} subscription={subscription} upgrade={upgrade} />
            ) : (
              <SubscriptionCard key={subscription.id} subscription={subscription} />
            ),
          )}
        </ul>
      )}
      {subscriptions && subscriptions.length > 0 && !planOfOthers ? (
        <p className="mt-2 text-sm text-ink-soft">{daysInUtc}</p>
      ) : null}
      {subscriptions && subscriptions.filter(isOpen).length > 1 ? (
        <Message kind="warning" className="mt-4">
          You have more than one running plan and pay for each. Cancel what you do not need under
          Change plan, or write to us and we sort it out.
        </Message>
      ) : null}
      <Form method="post" className="mt-4 print:hidden">
        <TextButton type="submit" variant="standalone" disabled={busy}>
          {busy ? "Asking Stripe..." : "Ask Stripe for the plan again"}
        </TextButton>
      </Form>
    </section>
  );
}

function NoPlan({ refusal }: { refusal: string | undefined }) {
  const base = useConsoleBase();
  return (
    <Card className="mt-4">
      <p className="text-lg font-strong">No plan yet</p>
      <p className="mt-2 max-w-prose text-ink-soft">
        Your plan and its renewal will be here; invoices and your card are under Billing. If you
        have just paid, press “Ask Stripe for the plan again”: it can take a moment to arrive.
      </p>
      {refusal ? (
        <p className="mt-6 max-w-prose">{refusal}</p>
      ) : (
        <LinkButton to={buyAddress(base)} className="mt-6">
          Choose a plan
        </LinkButton>
      )}
    </Card>
  );
}
