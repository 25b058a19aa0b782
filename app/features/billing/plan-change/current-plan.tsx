import { pausedWords } from "~/content/plans";
import { dayOf, daysInUtc, fromSeconds } from "~/ui/dates";
import { LinkButton } from "~/ui/primitives/button";
import { Card } from "~/ui/primitives/card";
import { cardWords } from "../prices/words";
import { refusalWords } from "./outcome";
import { ChangeCard, PlanForm } from "./plan-button";
import type { PlanView } from "./plan-screen";
import { notRenewedWords } from "./words";

/** The present plan: what happens to it next, and why it cannot be changed if that is so. */
export function CurrentPlan({ plan }: { plan: PlanView }) {
  const { name, price, card, endsAt, pause, planned, blocked } = plan;
  return (
    <Card as="section" aria-labelledby="current-plan" className="mt-8">
      <h2 id="current-plan" className="text-xl">
        You have {name}
      </h2>
      <p className="mt-2 font-mono text-sm tabular-nums text-ink-soft">{price}</p>
      <p className="mt-4 max-w-prose">{whatComes(plan)}</p>
      {card ? <p className="mt-2 text-ink-soft">Paid with {cardWords(card)}.</p> : null}
      <p className="mt-2 text-sm text-ink-soft">{daysInUtc}</p>
      {endsAt === undefined ? null : (
        <PlanForm
          plan={plan}
          intent="resume"
          button={`Keep ${name}`}
          busy="Keeping it..."
          className="mt-6"
        />
      )}
      {pause && endsAt === undefined ? (
        <PlanForm
          plan={plan}
          intent="unpause"
          button={
            pause.runs ? `Let ${name} run now, for ${price} from today` : `Do not pause ${name}`
          }
          busy="Keeping it..."
          className="mt-6"
        />
      ) : null}
      {planned && blocked !== "by-hand" ? (
        <PlanForm
          plan={plan}
          intent="keep"
          button={`Keep ${name}`}
          busy="Keeping it..."
          className="mt-6"
        />
      ) : null}
      <Obstacle plan={plan} />
    </Card>
  );
}

function whatComes(plan: PlanView): string {
  const { name, price, endsAt, pause, planned, renewsAt, blocked, dueAt, orderLimit } = plan;
  if (endsAt !== undefined) {
    return `It is cancelled and ends on ${dayOf(fromSeconds(endsAt))}. ${notRenewedWords(plan)} Until then ${pause?.runs ? "it stays paused" : "everything works"}. You can take that back until it ends.`;
  }
  if (pause) {
    const until = dayOf(fromSeconds(pause.until));
    const then = `A day after its end you pay ${price} again.`;
    return pause.runs
      ? `It is paused until ${until}. Nothing is charged, and ${pausedWords} ${then}`
      : `It is paused from ${dayOf(fromSeconds(pause.from))} until ${until}. Before that everything works. Then nothing is charged, and ${pausedWords} ${then}`;
  }
  if (planned) {
    const then = planned.price ? ` for ${planned.price}` : "";
    return `It changes to ${planned.name}${then} on ${dayOf(fromSeconds(planned.at))}. Until then you have everything that ${name} has.${blocked === "by-hand" ? "" : " You can take that back until then."}`;
  }
  if (dueAt !== undefined) {
    const limit = orderLimit === undefined ? "" : ` ${limitWords(orderLimit)}`;
    return `You pay it by invoice. The one that is open is due by ${dayOf(fromSeconds(dueAt))}.${limit}`;
  }
  if (orderLimit !== undefined) {
    return `You have ordered it. Stripe sends the invoice within an hour. ${limitWords(orderLimit)}`;
  }
  if (blocked === "pay-first") return "A payment for it is open.";
  return `It renews on ${dayOf(fromSeconds(renewsAt))}.`;
}

function limitWords(limit: number): string {
  return `What has not arrived by ${dayOf(fromSeconds(limit))} ends the plan; nothing is deleted.`;
}

/** Why the plan cannot be changed now, where no button above says so. */
function Obstacle({ plan }: { plan: PlanView }) {
  const { blocked, payAt } = plan;
  if (blocked === "pay-first") {
    return (
      <>
        <p className="mt-2 max-w-prose">Pay it first; then you can change the plan.</p>
        <div className="mt-6 flex flex-wrap gap-3">
          {payAt ? (
            <LinkButton to={payAt} reloadDocument>
              Pay the open invoice
            </LinkButton>
          ) : null}
          {plan.dueAt === undefined ? <ChangeCard plan={plan} /> : null}
        </div>
      </>
    );
  }
  if (
    blocked === "by-invoice" ||
    blocked === "by-hand" ||
    blocked === "several-items" ||
    blocked === "currency"
  ) {
    return <p className="mt-4 max-w-prose">{refusalWords[blocked]}</p>;
  }
  return null;
}
