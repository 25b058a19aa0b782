import { type ComponentProps, useEffect, useRef } from "react";
import {
  data,
  Form,
  redirect,
  redirectDocument,
  type ShouldRevalidateFunctionArgs,
  useFetcher,
  useSearchParams,
} from "react-router";
import { brand } from "~/content/chrome";
import { limitsMeaning, yearlyWords } from "~/content/plan-words";
import { offers, planOptions, plans, taxWords } from "~/content/plans";
import { guardedForVisitors } from "~/features/auth/guard.server";
import { type Buyer, startCheckout } from "~/features/billing/checkout/checkout.server";
import { CheckoutDialog } from "~/features/billing/checkout/checkout-dialog";
import { somethingWentWrong } from "~/features/billing/checkout/checkout-messages";
import { RenewalTerms } from "~/features/billing/checkout/renewal-terms";
import { loadStripeJs } from "~/features/billing/checkout/stripe-js";
import { useCheckoutAttempt } from "~/features/billing/checkout/use-checkout-attempt";
import { type MyPlanKey, useMyPlan } from "~/features/billing/plan-change/use-my-plan";
import { priceOfPlan } from "~/features/billing/prices/prices";
import { machineNotes } from "~/features/deployments/wizard/machine-notes.server";
import { costExample } from "~/features/marketing/cost-example.server";
import { CostTotal } from "~/features/marketing/cost-total";
import { pricingTexts } from "~/features/marketing/page-texts.server";
import { PlanLimits } from "~/features/marketing/plan-limits";
import { PlanMeanings } from "~/features/marketing/plan-meanings";
import { Questions } from "~/features/marketing/questions";
import { firstWorkspace } from "~/features/workspaces/workspace.server";
import { appContext } from "~/http/app-context";
import { readForm } from "~/http/body.server";
import { signInPage } from "~/http/page-addresses";
import type { RouteHandle } from "~/http/route-handle";
import { absoluteUrl, pageMeta, sharePicture, type Thing } from "~/seo/page-meta";
import { Button, LinkButton } from "~/ui/primitives/button";
import { Card } from "~/ui/primitives/card";
import { CheckIcon, MinusIcon } from "~/ui/primitives/icons";
import { TextLink } from "~/ui/primitives/text-link";
import type { Route } from "./+types/pricing";

const description =
  "Basic for one server, Pro for several with ingress, egress and backups, or Enterprise.";

export const meta: Route.MetaFunction = ({ loaderData }) =>
  pageMeta({
    title: "Pricing",
    description,
    path: "/pricing",
    structured: [
      product({
        name: brand,
        description,
        path: "/pricing",
        image: sharePicture("/pricing"),
        tax: loaderData?.tax ?? "off",
        offers: plans
          .filter((plan) => "interval" in plan)
          .map(({ name, description, price, interval }) => ({
            name,
            description,
            price: price.replace("$", ""),
            interval,
          })),
      }),
    ],
  });

export const handle = { isPublic: true } satisfies RouteHandle;

export async function loader({ context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const { configuration } = app;
  const [texts, machines] = await Promise.all([pricingTexts(app), machineNotes(app)]);
  return {
    texts,
    // Words that the document has already, and the script need not bring.
    limits: limitsMeaning,
    example: costExample(machines),
    stripePublishableKey: configuration.STRIPE_PUBLISHABLE_KEY,
    tax: configuration.STRIPE_AUTOMATIC_TAX,
  };
}

/**
 * Starts a checkout for a plan, for guests too, and leads to the hosted page. A customer who has a plan already
 * is led to the change of it.
 */
export const action = guardedForVisitors({
  async refused(refusal, { request }: Route.ActionArgs) {
    const plan = (await readForm(request)).get("plan") ?? "";
    if (refusal.why !== "trial") return failed(refusal, plan);
    // Whoever buys from a trial signs up first, keeps what they described, and comes back to the plan that they chose.
    const back = `/pricing?${new URLSearchParams({ plan })}`;
    return redirectDocument(`${signInPage(back)}#auth-sign-up`, 303);
  },
  async allowed({ request, context }: Route.ActionArgs, principal) {
    const app = context.get(appContext);
    const form = await readForm(request);
    const buyer: Buyer = principal
      ? {
          kind: "account",
          holder: { person: principal.user, workspace: await firstWorkspace(context) },
        }
      : { kind: "guest", attempt: uuid(form.get("attempt")) };
    const plan = form.get("plan") ?? undefined;
    const start = await startCheckout(app, buyer, priceOfPlan(app.configuration, plan));
    if (start.ok) return redirect(start.url, 303);
    if (start.code === "already-subscribed") {
      return redirect(`/dashboard/plan?${new URLSearchParams({ to: plan ?? "" })}`, 303);
    }
    return failed(start, plan);
  },
});

/** Choosing a plan changes the address, not the words. */
export function shouldRevalidate({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs) {
  return currentUrl.pathname !== nextUrl.pathname;
}

/** A request that never arrived is a failed checkout like any other, not the end of the page. */
export async function clientAction({ serverAction }: Route.ClientActionArgs) {
  try {
    return await serverAction();
  } catch (error) {
    if (error instanceof Response) throw error;
    return failed({ status: 503, message: somethingWentWrong });
  }
}

function failed({ status, message }: { status: number; message: string }, plan?: string) {
  return data({ message, plan }, { status });
}

function uuid(value: unknown): string | undefined {
  return typeof value === "string" && /^[0-9a-f-]{36}$/.test(value) ? value : undefined;
}

export default function Pricing({ loaderData, actionData }: Route.ComponentProps) {
  const checkout = useFetcher<typeof action>();
  const { attempt, begin, close } = useCheckoutAttempt(checkout);
  const { stripePublishableKey, tax, texts, limits, example } = loaderData;
  useEffect(() => loadStripeJs(stripePublishableKey), [stripePublishableKey]);
  const currentPlan = useMyPlan();
  const [search] = useSearchParams();
  const failure = attempt ? checkout.data?.message : actionData?.message;

  return (
    <>
      <div className="page py-20">
        <h1 className="text-3xl">Choose your plan</h1>
        <p className="mt-4 max-w-prose text-lg text-ink-soft">
          You run the servers and own the data. We make them boot right, stay up to date and come
          back after a bad day.
        </p>
        <ul className="mt-14 grid gap-6 lg:grid-cols-[1fr_1.15fr_1fr]">
          {plans.map((plan) => (
            <PlanCard
              key={plan.key}
              plan={plan}
              currentPlan={currentPlan}
              chosen={search.get("plan")}
              onStart={(event) => {
                event.preventDefault();
                begin(plan.key);
              }}
            />
          ))}
        </ul>
        <p className="mt-10 text-sm text-ink-soft">
          Prices in US dollars, without your cloud provider's bill. {taxWords[tax]} Cancel whenever
          you like; a plan then runs to the end of the paid time. Without an account, the plan
          belongs to the e-mail address that you give at the checkout. What Enterprise includes is
          agreed in writing.
        </p>
        <p className="mt-3 max-w-prose text-sm text-ink-soft">{yearlyWords}</p>
        {attempt || failure ? (
          <CheckoutDialog
            failure={failure}
            plan={actionData?.plan}
            onClose={attempt ? close : undefined}
          />
        ) : null}
      </div>
      {example ? <CostTotal example={example} /> : null}
      <PlanMeanings {...texts} limits={limits} />
      <Questions title="Before you buy" pairs={texts.questions} />
    </>
  );
}

function PlanCard({
  plan,
  currentPlan,
  chosen,
  onStart,
}: {
  plan: (typeof plans)[number];
  /** What a signed-in customer has. */
  currentPlan: MyPlanKey | undefined;
  /** The offer that somebody began to buy. */
  chosen: string | null;
  onStart: (event: { preventDefault(): void }) => void;
}) {
  const emphasised = plan.key === "pro";
  const heading = useRef(`plan-${plan.key}`).current;
  return (
    <Card
      as="li"
      variant={emphasised ? "marked" : "raised"}
      aria-labelledby={heading}
      className={`flex flex-col ${emphasised ? "lg:py-12" : "lg:my-4"}`}
    >
      <h2 id={heading} className="text-lg">
        {plan.name}
      </h2>
      <p className="mt-1 text-ink-soft">{plan.description}</p>
      <p className="mt-6 flex items-baseline gap-2">
        <span
          className={
            "interval" in plan ? "font-mono text-2xl tracking-tight" : "text-xl font-strong"
          }
        >
          {plan.price}
        </span>
        {"interval" in plan ? <span className="text-ink-soft">per {plan.interval}</span> : null}
      </p>
      {plan.key === "enterprise" ? null : <PlanLimits plan={plan.key} />}
      <ul className="mt-6 grid gap-2.5">
        {plan.features.map((feature) => (
          <li key={feature} className="flex gap-2.5">
            <CheckIcon className="mt-0.5 shrink-0 text-signal" />
            {feature}
          </li>
        ))}
        {plan.notIncluded.map((feature) => (
          <li key={feature} className="flex gap-2.5 text-ink-soft">
            <MinusIcon className="mt-0.5 shrink-0" />
            <span>
              <span className="sr-only">Not included: </span>
              {feature}
            </span>
          </li>
        ))}
      </ul>
      <div className="mt-8 grow content-end">
        {currentPlan ? null : <Chosen plan={plan.key} chosen={chosen} />}
        <PlanButton plan={plan} currentPlan={currentPlan} chosen={chosen} onStart={onStart} />
        {"interval" in plan ? (
          <RenewalTerms interval={plan.interval} className="mt-3" />
        ) : (
          <p className="mt-3 text-sm text-ink-soft">
            Term and renewal are agreed in writing before anything begins.
          </p>
        )}
      </div>
    </Card>
  );
}

/** On the card of the plan that somebody began to buy: which offer it was. The sign-up dialog has its own. */
function Chosen({ plan, chosen }: { plan: string; chosen: string | null }) {
  const option = planOptions.find(({ key }) => key === chosen);
  if (plan !== (option ? offers[option.key].plan : chosen)) return null;
  return (
    <p className="mb-4 border-l-2 border-signal pl-3">
      <span>{`You chose ${option ? `${option.name}, ${option.priceLabel}` : "this plan"}. `}</span>
      {option ? (
        <TextLink to={`/signup?plan=${chosen}`}>Continue with {option.name}</TextLink>
      ) : null}
    </p>
  );
}

/** Each is as high as the others: what somebody has is known only after the page is shown. */
function PlanButton({ plan, currentPlan, chosen, onStart }: ComponentProps<typeof PlanCard>) {
  if (plan.key === "enterprise") {
    return (
      <LinkButton to="/contact?topic=sales" variant="secondary" className="w-full">
        Contact sales
      </LinkButton>
    );
  }
  if (currentPlan === plan.key) {
    return (
      <LinkButton to="/dashboard/plan" variant="secondary" className="w-full">
        Your plan
      </LinkButton>
    );
  }
  const variant = plan.key === "pro" ? "primary" : "secondary";
  if (currentPlan) {
    return (
      <LinkButton to={`/dashboard/plan?to=${plan.key}`} variant={variant} className="w-full">
        Change to {plan.name}
      </LinkButton>
    );
  }
  return (
    <Form method="post" action="/pricing" reloadDocument onSubmit={onStart}>
      <Button
        type="submit"
        name="plan"
        value={plan.key}
        variant={variant}
        className="w-full"
        // A visitor who comes back goes on at the plan that they chose.
        autoFocus={chosen === plan.key}
      >
        Get started
      </Button>
    </Form>
  );
}

type Interval = "month" | "year";

type PlanOffer = {
  name: string;
  description: string;
  /** In US dollars, as in `109.99`. */
  price: string;
  interval: Interval;
};

/** UN/CEFACT's codes for the time that a price is for. */
const unitCodes = { month: "MON", year: "ANN" } as const satisfies Record<Interval, string>;

/** What is sold on a page, with what it costs. */
function product({
  name,
  description,
  path,
  image,
  tax,
  offers,
}: {
  name: string;
  description: string;
  path: string;
  image: string;
  /** Whether the prices include tax; "off" where none is charged. */
  tax: "off" | "included" | "added";
  offers: readonly PlanOffer[];
}) {
  return {
    "@type": "Product",
    name,
    description,
    image: absoluteUrl(image),
    brand: { "@type": "Brand", name },
    offers: offers.map((offer) => ({
      "@type": "Offer",
      name: offer.name,
      description: offer.description,
      url: absoluteUrl(path),
      price: offer.price,
      priceCurrency: "USD",
      availability: "https://schema.org/InStock",
      priceSpecification: {
        "@type": "UnitPriceSpecification",
        price: offer.price,
        priceCurrency: "USD",
        valueAddedTaxIncluded: tax === "off" ? undefined : tax === "included",
        referenceQuantity: {
          "@type": "QuantitativeValue",
          value: 1,
          unitCode: unitCodes[offer.interval],
        },
      },
    })),
  } satisfies Thing;
}
