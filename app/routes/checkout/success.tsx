import { useLayoutEffect, useState } from "react";
import { data, useNavigate } from "react-router";
import {
  type CheckoutConfirmation,
  confirmCheckout,
} from "~/features/billing/checkout/confirm-checkout.server";
import { appContext } from "~/http/app-context";
import type { RefreshingData } from "~/http/route-handle";
import { pageTitle } from "~/seo/page-meta";
import { workspaceBase } from "~/ui/console/console-path";
import { LinkButton } from "~/ui/primitives/button";
import { CheckIcon } from "~/ui/primitives/icons";
import { TextLink } from "~/ui/primitives/text-link";
import type { Route } from "./+types/success";

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: pageTitle(words[loaderData?.confirmation ?? "unavailable"].title) },
  { name: "robots", content: "noindex" },
];

export const headers: Route.HeadersFunction = () => ({ "cache-control": "private, no-store" });

/** With a `session_id` the purchase is checked at Stripe and recorded before anything is said. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const query = new URL(request.url).searchParams;
  const sessionId = query.get("session_id");
  const confirmation: CheckoutConfirmation = sessionId
    ? await confirmCheckout(context.get(appContext), request, sessionId)
    : "paid";
  const dashboard = dashboardOf(query.get("workspace"));
  return data(
    {
      confirmation,
      isLookedUp: sessionId !== null && sessionId !== "",
      dashboard,
      ...(confirmation === "paid" ? { refreshWithoutScript: `5;url=${dashboard}` } : {}),
    } satisfies RefreshingData & Record<string, unknown>,
    { status: words[confirmation].status },
  );
}

/** The pages of the workspace that the plan was bought for; the person's own where the address names none. */
function dashboardOf(slug: string | null): string {
  return slug && /^[a-z0-9-]{3,40}$/.test(slug) ? workspaceBase(slug) : "/dashboard";
}

const words = {
  paid: {
    status: 200,
    title: "Payment Successful!",
    text: "Thank you for your purchase. Your subscription has been activated.",
  },
  processing: {
    status: 200,
    title: "Payment is still processing",
    text: "Your bank has not confirmed the payment yet. Your dashboard shows the subscription as soon as it does; you need not pay again.",
  },
  open: {
    status: 200,
    title: "Payment not completed",
    text: "This checkout was not paid, so nothing was charged. You can choose a plan again whenever you like.",
  },
  unknown: {
    status: 404,
    title: "Unknown payment",
    text: "Stripe does not know this checkout. If you paid, your dashboard shows the subscription.",
  },
  busy: {
    status: 429,
    title: "Payment not verified yet",
    text: "There were too many requests from your network. If you paid, it is safe: your dashboard shows the subscription. Do not pay again.",
  },
  unavailable: {
    status: 503,
    title: "Payment not verified yet",
    text: "We could not reach Stripe to verify your payment. If you paid, it is safe: your dashboard shows the subscription as soon as Stripe answers. Do not pay again.",
  },
} as const satisfies Record<CheckoutConfirmation, { status: number; title: string; text: string }>;

export default function Success({ loaderData }: Route.ComponentProps) {
  const { confirmation, isLookedUp, dashboard } = loaderData;
  const { title, text } = words[confirmation];
  return (
    <div className="page flex min-h-[70vh] flex-col items-center justify-center py-20 text-center">
      {confirmation === "paid" ? (
        <span className="inline-flex size-14 items-center justify-center rounded-full bg-signal text-on-signal">
          <CheckIcon width={28} height={28} />
        </span>
      ) : null}
      <h1 className="mt-6 text-2xl">{title}</h1>
      <p className="mt-3 max-w-prose text-lg text-ink-soft">{text}</p>
      {confirmation === "paid" ? <Countdown from={5} to={dashboard} /> : null}
      {isLookedUp && confirmation === "paid" ? (
        <p className="mt-6 max-w-prose text-sm text-ink-soft signed-in:hidden">
          Paid without an account? The plan belongs to the address that you gave at the checkout.{" "}
          <TextLink to="/signin#auth-magic-link">
            Have a sign-in link mailed to that address
          </TextLink>
        </p>
      ) : null}
      {isLookedUp ? null : (
        <p className="mt-6 max-w-prose text-sm text-ink-soft">
          No payment was looked up on this page: its address names none. Your{" "}
          <TextLink to={dashboard}>dashboard</TextLink> shows whether you have a plan.
        </p>
      )}
      <div className="mt-8 flex flex-wrap justify-center gap-3">
        <LinkButton to={dashboard}>Go to Dashboard</LinkButton>
        {confirmation === "open" ? (
          <LinkButton to="/pricing" variant="secondary">
            See the plans
          </LinkButton>
        ) : null}
      </div>
    </div>
  );
}

function Countdown({ from, to }: { from: number; to: string }) {
  const [seconds, setSeconds] = useState(from);
  const navigate = useNavigate();
  // In the same frame as its number: a tick that begins later makes the second longer than it says.
  useLayoutEffect(() => {
    if (seconds === 0) {
      navigate(to);
      return;
    }
    const tick = setTimeout(() => setSeconds(seconds - 1), 1_000);
    return () => clearTimeout(tick);
  }, [seconds, navigate, to]);
  return (
    <p
      className="mt-6 font-mono text-sm tabular-nums text-ink-soft"
      role="timer"
    >{`Redirecting to dashboard in ${seconds} ${seconds === 1 ? "second" : "seconds"}...`}</p>
  );
}
