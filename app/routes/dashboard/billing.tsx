import { data, redirect, useNavigation, useSearchParams } from "react-router";
import { type GuardRefusal, guarded, rateLimit } from "~/features/auth/guard.server";
import { identifyPrincipal, sessionContext } from "~/features/auth/session/session.server";
import { addressUnconfirmed } from "~/features/auth/session/sign-in-problems";
import { auditIntent } from "~/features/billing/audit-intent.server";
import { BillingAccountSection } from "~/features/billing/billing-page/billing-account";
import type { BillingAccount } from "~/features/billing/billing-page/billing-page";
import { readBilling } from "~/features/billing/billing-page/billing-page.server";
import { openPortal } from "~/features/billing/billing-page/portal.server";
import { claimGuestPurchases } from "~/features/billing/checkout/guest-purchases.server";
import { invoiceFormOptions } from "~/features/billing/invoice-details/form-options.server";
import { saveInvoiceDetails } from "~/features/billing/invoice-details/invoice-details.server";
import { InvoiceDetailsForm } from "~/features/billing/invoice-details/invoice-details-form";
import { typedDetails } from "~/features/billing/invoice-details/invoice-form.server";
import { methodWords } from "~/features/billing/prices/words";
import { existingCustomersOf } from "~/features/billing/subscriptions/customers.server";
import { isOpen } from "~/features/billing/subscriptions/subscription-words";
import { subscriptionsOfVisitor } from "~/features/billing/subscriptions/subscriptions.server";
import { useMay } from "~/features/workspaces/roles";
import { workspaceContext } from "~/features/workspaces/workspace.server";
import { appContext } from "~/http/app-context";
import { readForm } from "~/http/body.server";
import { tooOften } from "~/http/too-often";
import { serviceClient } from "~/platform/database/service-client.server";
import { describeError, log } from "~/platform/log/log.server";
import { pageTitle } from "~/seo/page-meta";
import type { ConsoleHandle } from "~/ui/console/console-handle";
import { buyAddress, consoleBase, useConsoleBase } from "~/ui/console/console-path";
import { LinkButton } from "~/ui/primitives/button";
import { Card } from "~/ui/primitives/card";
import { Message } from "~/ui/primitives/message";
import type { Route } from "./+types/billing";

export const meta: Route.MetaFunction = () => [
  { title: pageTitle("Billing") },
  { name: "robots", content: "noindex" },
];

const unreadable =
  "Your billing cannot be read right now. It is safe at Stripe. Please try again in a moment.";
const lastKnown = "Stripe does not answer right now. What you see is the last known state.";

const notices: ReadonlyMap<string | null, { kind: "failure" | "success"; words: string }> = new Map(
  [
    [
      "portal-unavailable",
      {
        kind: "failure",
        words:
          "Stripe's page could not be opened right now. Nothing was changed. Please try again in a moment.",
      },
    ],
    ["too-often", { kind: "failure", words: tooOften }],
    ["unconfirmed", { kind: "failure", words: addressUnconfirmed }],
    [
      "saved",
      {
        kind: "success",
        words: "Saved. It is on every new invoice. Invoices that exist stay as they are.",
      },
    ],
  ],
);

export const middleware: Route.MiddlewareFunction[] = [
  rateLimit(
    "CHECKOUT_LIMIT",
    () => {
      throw data(tooOften, { status: 429 });
    },
    "billing",
  ),
];

export const handle = { right: "billing" } satisfies ConsoleHandle;

/** Reads the workspace's customers, and asks Stripe about each of them. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const session = context.get(sessionContext);
  const workspace = context.get(workspaceContext);
  const query = new URL(request.url).searchParams;
  const older = { customer: query.get("customer"), after: query.get("after") };
  let billing = await readBilling(session.supabase, app, workspace, older);
  if (billing?.accounts.length === 0) {
    const current = await identifyPrincipal(session);
    if (current.ok && (await claimGuestPurchases(app, current.principal.user)) > 0) {
      billing = await readBilling(session.supabase, app, workspace, older);
    }
  }
  const options = invoiceFormOptions();
  if (!billing) {
    const nothing = { accounts: undefined, buyer: undefined, options };
    return data({ ...nothing, problem: unreadable }, { status: 503 });
  }
  const { accounts, isCurrent, buyer } = billing;
  const page = { accounts, buyer, options };
  if (!isCurrent) return data({ ...page, problem: lastKnown }, { status: 503 });
  return { ...page, problem: undefined };
}

const notOurs = "This form is not of this page. Nothing was changed.";
const saveFailures = {
  400: "Nothing was saved yet. Look at the fields that are marked.",
  404: "These invoice details are not yours to change. Nothing was saved.",
  502: "Stripe does not answer right now, so we cannot say whether everything was saved. Please try again in a moment.",
} as const;

const noticeFor = ({ why }: GuardRefusal) =>
  why === "too-often" || why === "unconfirmed" || why === "not-allowed"
    ? why
    : "portal-unavailable";

/** Saves invoice details, or opens Stripe's customer portal, for one of the workspace's customers. */
export const action = guarded({
  async refused(refusal, { request }: Route.ActionArgs) {
    const form = await readForm(request);
    if (form.get("intent") === null) {
      return redirect(`${consoleBase(request.url)}?notice=${noticeFor(refusal)}`, 303);
    }
    const details = { customer: form.get("customer"), typed: typedDetails(form), errors: {} };
    return data({ failure: refusal.message, details }, { status: refusal.status });
  },
  async allowed({ request, context }: Route.ActionArgs, { user }) {
    const app = context.get(appContext);
    const { configuration } = app;
    const session = context.get(sessionContext);
    const workspace = context.get(workspaceContext);
    const form = await readForm(request);
    if (form.get("intent") === "details") {
      const saved = await saveInvoiceDetails(app, { person: user, workspace }, form);
      if (saved.ok) return redirect(`${consoleBase(request.url)}/billing?notice=saved`, 303);
      const { status, refused } = saved;
      return data({ failure: saveFailures[status], details: refused }, { status });
    }
    if (form.get("intent") !== null) {
      return data({ failure: notOurs, details: undefined }, { status: 400 });
    }
    const flow = form.get("flow") === "card" ? "payment_method_update" : undefined;
    const isHere = flow !== undefined || form.get("from") === "billing";
    const base = consoleBase(request.url);
    const back = isHere ? `${base}/billing` : base;
    try {
      const customers = await existingCustomersOf(serviceClient(configuration), {
        person: user,
        workspace,
      });
      const requested = form.get("customer") ?? (await payingCustomer());
      const customer =
        requested === undefined ? customers[0] : customers.find((id) => id === requested);
      if (!customer) return redirect(buyAddress(base), 303);
      await auditIntent(app, { person: user, workspace }, "billing.opened");
      const done = `${base}/billing?notice=card`;
      const portal = await openPortal(app, { customer, flow, back, done });
      // Where Stripe does not know the customer, the person may buy anew.
      return redirect(portal ?? buyAddress(base), 303);
    } catch (error) {
      log.error("The customer portal did not open", describeError(error));
      return redirect(`${back}?notice=portal-unavailable`, 303);
    }

    /** Of several customers, the one whose plan runs. */
    async function payingCustomer(): Promise<string | undefined> {
      const rows = await subscriptionsOfVisitor(session.supabase, app, workspace);
      return rows?.find(isOpen)?.customer_id;
    }
  },
});

export default function Billing({ loaderData, actionData }: Route.ComponentProps) {
  const base = useConsoleBase();
  const mayBuy = useMay("billing");
  const { accounts, buyer, options, problem } = loaderData;
  const refused = actionData?.details;
  const [search] = useSearchParams();
  const isLoading = useNavigation().state === "loading";
  const noticeCode = search.get("notice");
  const notice = noticeCode === "card" ? cardNotice(accounts) : notices.get(noticeCode);
  return (
    <div className="pt-8" aria-busy={isLoading}>
      <div className="flex flex-wrap items-center justify-between gap-4">
        <h1 className="text-2xl">Billing</h1>
        {accounts?.length ? (
          <LinkButton to={`${base}/plan`} variant="secondary">
            Change plan
          </LinkButton>
        ) : null}
      </div>
      {problem ? (
        <Message kind="failure" className="mt-6">
          {problem}
        </Message>
      ) : null}
      {actionData ? (
        <Message kind="failure" className="mt-6">
          {actionData.failure}
        </Message>
      ) : null}
      {notice && !actionData ? (
        <Message kind={notice.kind} className="mt-6">
          {notice.words}
        </Message>
      ) : null}
      {accounts && accounts.flatMap(({ plans }) => plans).length > 1 ? (
        <Message kind="warning" className="mt-6">
          You have more than one running plan and pay for each. Cancel what you do not need under
          Change plan, or write to us and we sort it out.
        </Message>
      ) : null}
      {buyer && accounts?.length === 0 && !problem && mayBuy ? (
        <>
          <NothingYet />
          <InvoiceDetailsForm {...buyer} options={options} refused={refused} />
        </>
      ) : null}
      {accounts?.map((account) => (
        <BillingAccountSection
          key={account.customer}
          account={account}
          isOne={accounts.length === 1}
          options={options}
          refused={refused?.customer === account.customer ? refused : undefined}
        />
      ))}
    </div>
  );
}

/** Derived from Stripe's answer: the address of the page cannot know whether another card was saved. */
function cardNotice(accounts: readonly BillingAccount[] | undefined) {
  const [account, ...others] = accounts ?? [];
  const card = account?.live && methodWords(account.live.method);
  if (!card || others.length > 0) return;
  return { kind: "success", words: `This is the card that is charged now: ${card}.` } as const;
}

function NothingYet() {
  const base = useConsoleBase();
  return (
    <Card className="mt-8">
      <p className="text-lg font-strong">No invoices yet</p>
      <p className="mt-2 max-w-prose text-ink-soft">
        After a payment your card, the next payment and every invoice are here. If you have just
        paid, look again in a moment.
      </p>
      <LinkButton to={buyAddress(base)} className="mt-6">
        Choose a plan
      </LinkButton>
    </Card>
  );
}
