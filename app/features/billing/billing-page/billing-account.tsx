import { Form } from "react-router";
import { useConsoleBase } from "~/ui/console/console-path";
import { dayOf, daysInUtc } from "~/ui/dates";
import { Button, LinkButton } from "~/ui/primitives/button";
import { Card } from "~/ui/primitives/card";
import { Message } from "~/ui/primitives/message";
import type { InvoiceFormOptions, RefusedDetails } from "../invoice-details/invoice-details";
import { InvoiceDetailsForm } from "../invoice-details/invoice-details-form";
import { methodWords, type PaymentMethod } from "../prices/words";
import type { BillingAccount, DuePayment, LiveBilling } from "./billing-page";
import { InvoiceList } from "./invoice-list";

/** The billing of one Stripe customer. When a person has several, the heading names the address of each. */
export function BillingAccountSection({
  account,
  isOne,
  options,
  refused,
}: {
  account: BillingAccount;
  isOne: boolean;
  options: InvoiceFormOptions;
  refused: RefusedDetails | undefined;
}) {
  const { customer, email, live, known: recorded, plans } = account;
  const id = `billing-${customer}`;
  return (
    <section aria-labelledby={id} className="mt-8">
      <h2 id={id} className={isOne ? "sr-only" : "text-lg break-words"}>
        {isOne ? "Your billing" : `Bought with ${email ?? "an unknown address"}`}
      </h2>
      {live?.due.map((due) => (
        <Due key={due.invoice} due={due} customer={customer} />
      ))}
      <Card className="mt-4">
        <dl className="grid gap-6 sm:grid-cols-2">
          <Fact name="Card">
            <Method method={live?.method ?? recorded} />
          </Fact>
          <Fact name="Next payment">
            {live ? <NextPayments live={live} /> : <RecordedPlans plans={plans} />}
          </Fact>
          {live?.credit ? (
            <Fact name="Credit">
              <span className="font-mono tabular-nums">{live.credit}</span>
              <span className="block text-ink-soft">It pays your next invoices first.</span>
            </Fact>
          ) : null}
        </dl>
        <div className="mt-6 flex flex-wrap gap-3">
          <PortalButton customer={customer} flow="card">
            Change card
          </PortalButton>
          <PortalButton customer={customer} variant="quiet">
            Manage billing
          </PortalButton>
        </div>
      </Card>
      <p className="mt-3 text-sm text-ink-soft">{daysInUtc}</p>
      {live ? (
        <>
          <InvoiceDetailsForm
            customer={customer}
            details={live.details}
            options={options}
            refused={refused}
          />
          <h3 className="mt-8 text-lg">{live.isOlder ? "Older invoices" : "Invoices"}</h3>
          <InvoiceList customer={customer} live={live} />
        </>
      ) : null}
    </section>
  );
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div>
      <dt className="text-sm text-ink-soft">{name}</dt>
      <dd className="mt-1">{children}</dd>
    </div>
  );
}

function Method({ method }: { method: PaymentMethod }) {
  const words = methodWords(method);
  if (!words) return <span>{"No card is kept."}</span>;
  return (
    <>
      <span>{words}</span>
      {method.card_expires_at ? (
        <span className="block text-ink-soft">Works until {dayOf(method.card_expires_at)}</span>
      ) : null}
    </>
  );
}

function NextPayments({ live }: { live: LiveBilling }) {
  if (live.next.length === 0) {
    return live.due.length > 0 ? "After the open payment above." : "None is planned.";
  }
  return (
    <ul>
      {live.next.map(({ plan, amount, words }) => (
        <li key={plan}>
          <span>{`${plan}: `}</span>
          {amount ? <span className="font-mono tabular-nums">{amount}</span> : null}
          <span> {words}</span>
        </li>
      ))}
    </ul>
  );
}

/** The plans from our own records, for when Stripe does not answer. */
function RecordedPlans({ plans }: { plans: BillingAccount["plans"] }) {
  if (plans.length === 0) return <span>{"Not known while Stripe does not answer."}</span>;
  return (
    <ul>
      {plans.map(({ id, name, label, price, advice }) => (
        <li key={id}>
          {name}, {label.toLowerCase()}, {price}. {advice}
        </li>
      ))}
    </ul>
  );
}

/** An unpaid invoice: what failed, what happens next, and what to do. */
function Due({ due, customer }: { due: DuePayment; customer: string }) {
  const { invoice, reason, next, button, page, needsCard } = due;
  return (
    <Message kind="warning" className="mt-4">
      <p className="font-strong">{reason}</p>
      <p className="mt-2 max-w-prose">{next}</p>
      <div className="mt-4 flex flex-wrap gap-3">
        {page ? (
          <LinkButton to={page} reloadDocument aria-label={`${button}: invoice ${invoice}`}>
            {button}
          </LinkButton>
        ) : null}
        {needsCard ? (
          <PortalButton customer={customer} flow="card">
            Change card
          </PortalButton>
        ) : null}
      </div>
    </Message>
  );
}

/** A button that opens Stripe's customer portal: at the page for the card, or at its first page. */
function PortalButton({
  customer,
  flow,
  children,
  variant = "secondary",
}: {
  customer: string;
  flow?: "card";
  children: string;
  variant?: "primary" | "secondary" | "quiet";
}) {
  const base = useConsoleBase();
  return (
    <Form method="post" action={`${base}/billing`} reloadDocument>
      <input type="hidden" name="customer" value={customer} />
      <input type="hidden" name="from" value="billing" />
      {flow ? <input type="hidden" name="flow" value={flow} /> : null}
      <Button type="submit" variant={variant}>
        {children}
      </Button>
    </Form>
  );
}
