import { Link } from "react-router";
import { LinkButton } from "~/ui/primitives/button";
import type { InvoiceLine, LiveBilling } from "./billing-page";

const stateLooks = {
  Paid: "bg-signal-well text-signal",
  "Not paid": "bg-warning-well text-warning",
  Void: "bg-well text-ink-soft",
  "Not collected": "bg-well text-ink-soft",
} as const satisfies Record<InvoiceLine["state"], string>;

const link = "inline-flex min-h-11 items-center underline underline-offset-4 hover:text-signal";

/** A customer's invoices, newest first, a dozen at a time. */
export function InvoiceList({ customer, live }: { customer: string; live: LiveBilling }) {
  const { invoices, older, isOlder } = live;
  if (invoices.length === 0) {
    return <p className="mt-4 text-ink-soft">No invoices.</p>;
  }
  const olderPage = older && new URLSearchParams({ customer, after: older });
  return (
    <>
      <ul className="mt-4 divide-y divide-line border-y border-line">
        {invoices.map((invoice) => (
          <InvoiceItem key={invoice.id} invoice={invoice} />
        ))}
      </ul>
      <div className="mt-4 flex flex-wrap gap-3">
        {isOlder ? (
          <LinkButton to="/dashboard/billing" variant="quiet" preventScrollReset>
            Show newest
          </LinkButton>
        ) : null}
        {olderPage ? (
          <LinkButton to={`/dashboard/billing?${olderPage}`} variant="secondary" preventScrollReset>
            Show older
          </LinkButton>
        ) : null}
      </div>
    </>
  );
}

function InvoiceItem({ invoice }: { invoice: InvoiceLine }) {
  const { number, day, amount, note, state, page, pdf } = invoice;
  return (
    <li className="grid gap-x-6 gap-y-1 py-3 sm:grid-cols-[1fr_auto_auto] sm:items-center">
      <div>
        <p>{day}</p>
        <p className="font-mono text-sm break-all text-ink-soft">{number}</p>
      </div>
      <div className="flex flex-wrap items-baseline gap-x-3 sm:justify-end sm:text-right">
        <span className="font-mono tabular-nums">{amount}</span>
        <span className={`rounded-sm px-2.5 py-1 text-sm font-strong ${stateLooks[state]}`}>
          {state}
        </span>
        {note ? <span className="basis-full text-sm text-ink-soft">{note}</span> : null}
      </div>
      <div className="flex gap-5 text-sm">
        {page ? (
          <Link to={page} reloadDocument className={link} aria-label={`View invoice ${number}`}>
            View
          </Link>
        ) : null}
        {pdf ? (
          <Link to={pdf} reloadDocument className={link} aria-label={`PDF of invoice ${number}`}>
            PDF
          </Link>
        ) : null}
      </div>
    </li>
  );
}
