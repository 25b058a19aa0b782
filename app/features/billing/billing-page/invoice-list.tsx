import { useConsoleBase } from "~/ui/console/console-path";
import { Badge, type BadgeVariant } from "~/ui/primitives/badge";
import { LinkButton } from "~/ui/primitives/button";
import { TextLink } from "~/ui/primitives/text-link";
import type { InvoiceLine, LiveBilling } from "./billing-page";

const badges = {
  Paid: "success",
  Refunded: "neutral",
  "Partly refunded": "neutral",
  Disputed: "warning",
  "Not paid": "warning",
  Void: "neutral",
  "Not collected": "neutral",
} as const satisfies Record<InvoiceLine["state"], BadgeVariant>;

/** A customer's invoices, newest first, a dozen at a time. */
export function InvoiceList({ customer, live }: { customer: string; live: LiveBilling }) {
  const base = useConsoleBase();
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
          <LinkButton to={`${base}/billing`} variant="quiet" preventScrollReset>
            Show newest
          </LinkButton>
        ) : null}
        {olderPage ? (
          <LinkButton to={`${base}/billing?${olderPage}`} variant="secondary" preventScrollReset>
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
        <Badge variant={badges[state]}>{state}</Badge>
        {note ? <span className="basis-full text-sm text-ink-soft">{note}</span> : null}
      </div>
      <div className="flex gap-5 text-sm">
        {page ? (
          <TextLink
            to={page}
            reloadDocument
            variant="standalone"
            aria-label={`View invoice ${number}`}
          >
            View
          </TextLink>
        ) : null}
        {pdf ? (
          <TextLink
            to={pdf}
            reloadDocument
            variant="standalone"
            aria-label={`PDF of invoice ${number}`}
          >
            PDF
          </TextLink>
        ) : null}
      </div>
    </li>
  );
}
