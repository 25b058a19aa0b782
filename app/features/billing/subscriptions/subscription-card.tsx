import { buyAddress, useConsoleBase } from "~/ui/console/console-path";
import { Badge, type BadgeVariant } from "~/ui/primitives/badge";
import { LinkButton } from "~/ui/primitives/button";
import { Card } from "~/ui/primitives/card";
import { TextLink } from "~/ui/primitives/text-link";
import type { PriceWords } from "./price-words";
import type { SubscriptionState } from "./subscription-words";

const badges = {
  good: "success",
  warning: "warning",
  over: "neutral",
} as const satisfies Record<SubscriptionState["tone"], BadgeVariant>;

type CardSubscription = SubscriptionState &
  PriceWords & { plan: string; includes: readonly string[]; coming: string[] };

/** A plan that nothing is to be done about, in one line; `upgrade` leads to a larger one. */
export function PlanLine({
  subscription: { plan, includes, label, tone, advice, price, details, coming },
  upgrade,
}: {
  subscription: CardSubscription;
  upgrade: { to: string; words: string } | undefined;
}) {
  const base = useConsoleBase();
  return (
    <li className="border-b border-line py-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <h3 className="text-lg">{plan}</h3>
        <Badge variant={badges[tone]}>{label}</Badge>
        {[price, ...details].map((each) => (
          <span key={each} className="font-mono text-sm tabular-nums text-ink-soft">
            {each}
          </span>
        ))}
        <span className="text-sm text-ink-soft">{advice}</span>
        <span className="flex flex-wrap gap-x-4 sm:ml-auto">
          <TextLink to={`${base}/billing`} variant="standalone">
            Invoices
          </TextLink>
          <TextLink to={`${base}/plan`} variant="standalone">
            Change plan
          </TextLink>
          {upgrade ? (
            <TextLink to={upgrade.to} variant="standalone">
              {upgrade.words}
            </TextLink>
          ) : null}
        </span>
      </div>
      {coming.map((each) => (
        <p key={each} className="max-w-prose">
          {each}
        </p>
      ))}
      <details className="text-sm text-ink-soft print:not-open:hidden">
        <summary className="min-h-6 cursor-pointer hover:text-ink">What {plan} includes</summary>
        <ul aria-label={`What ${plan} includes`} className="flex flex-wrap gap-x-6 py-1">
          {includes.map((each) => (
            <li key={each}>{each}</li>
          ))}
        </ul>
      </details>
    </li>
  );
}

/** A plan that is over, or that something is to be done about. */
export function SubscriptionCard({ subscription }: { subscription: CardSubscription }) {
  const { plan, label, tone, advice, price, details, coming } = subscription;
  const isOver = tone === "over";
  const base = useConsoleBase();
  return (
    <Card as="li">
      <div className="flex flex-wrap items-center gap-3">
        <h3 className="text-xl">{plan}</h3>
        <Badge variant={badges[tone]}>{label}</Badge>
      </div>
      {[price, ...details].map((each) => (
        <p key={each} className="mt-1 font-mono text-sm tabular-nums text-ink-soft">
          {each}
        </p>
      ))}
      {[advice, ...coming].map((each) => (
        <p key={each} className="mt-3 max-w-prose">
          {each}
        </p>
      ))}
      <div className="mt-6 flex flex-wrap gap-3">
        {isOver ? (
          <LinkButton to={buyAddress(base)}>Choose a plan</LinkButton>
        ) : (
          <LinkButton to={`${base}/plan`} variant="secondary">
            Change plan
          </LinkButton>
        )}
        <LinkButton to={`${base}/billing`} variant={needsBilling(label) ? "primary" : "secondary"}>
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
