import { useState } from "react";
import type { FetcherWithComponents } from "react-router";
import { planOptions, taxWords } from "~/content/plans";
import { Button, LinkButton } from "~/ui/primitives/button";
import { Dialog } from "~/ui/primitives/dialog";
import { Message } from "~/ui/primitives/message";
import type { CheckoutFailureCode } from "./checkout-messages";
import { RenewalTerms } from "./renewal-terms";
import { usePageRestored } from "./use-page-restored";

type Option = (typeof planOptions)[number]["key"];

/** Why there is no checkout. Without a code it is for another reason than the checkout itself. */
type Failure = { message: string; code?: CheckoutFailureCode | undefined };

/**
 * The dialog "Choose your plan" for somebody who has just signed up. With JavaScript it sends the order to our
 * API; without, the browser posts the form. Both lead to Stripe's checkout.
 */
export function PlanDialog({
  checkout,
  userId,
  prices,
  tax,
  posted,
  chosen,
  onClose,
}: {
  /** Submits the order to the page's client action. */
  checkout: FetcherWithComponents<Failure>;
  userId: string;
  prices: Record<Option, string>;
  tax: keyof typeof taxWords;
  /** How the form ended that was posted without JavaScript. */
  posted: Failure | undefined;
  /** The option that was chosen before the page was loaded again. */
  chosen: Option | undefined;
  onClose: () => void;
}) {
  const [option, setOption] = useState<Option>(chosen ?? planOptions[0].key);
  const processing = checkout.state !== "idle";
  const failure = processing ? undefined : (checkout.data ?? posted);

  usePageRestored(() => checkout.reset());

  return (
    <Dialog title="Choose your plan" closeTo="/" onClose={onClose}>
      {failure ? (
        <Message kind="failure" className="mb-5">
          {failure.message}
        </Message>
      ) : null}
      {failure?.code === "already-subscribed" ? (
        <LinkButton to={`/dashboard/plan?to=${option}`} className="mb-5 w-full">
          Change plan
        </LinkButton>
      ) : null}
      <checkout.Form
        method="post"
        onSubmit={(event) => {
          event.preventDefault();
          void checkout.submit(
            { priceId: prices[option], userId },
            // Flushed at once: a second press finds the button disabled.
            { method: "post", action: "/signup", encType: "application/json", flushSync: true },
          );
        }}
      >
        <fieldset className="grid min-w-0 gap-3">
          <legend className="sr-only">Billing</legend>
          {planOptions.map((choice) => (
            <label
              key={choice.key}
              className="flex items-center gap-4 rounded-md border border-line-strong p-4 has-checked:border-signal has-checked:bg-signal-well has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-signal"
            >
              <input
                type="radio"
                name="option"
                value={choice.key}
                checked={option === choice.key}
                onChange={() => setOption(choice.key)}
                className="size-5 shrink-0 accent-signal outline-none"
              />
              <span className="flex grow flex-wrap items-center justify-between gap-x-4">
                <span>
                  <span className="block font-strong">{choice.name}</span>
                  <span className="block text-sm text-ink-soft">{choice.plan}</span>
                  {"savings" in choice ? (
                    <span className="block text-sm text-signal">{choice.savings}</span>
                  ) : null}
                </span>
                <span className="font-mono tabular-nums">{choice.priceLabel}</span>
              </span>
            </label>
          ))}
        </fieldset>
        <Button type="submit" className="mt-6 w-full" disabled={processing}>
          {processing ? "Processing..." : "Subscribe Now"}
        </Button>
      </checkout.Form>
      <RenewalTerms className="mt-4" />
      <p className="mt-4 text-sm text-ink-soft">
        {taxWords[tax]} You pay at Stripe. Cancel whenever you like; the plan then runs to the end
        of the paid time.
      </p>
    </Dialog>
  );
}
