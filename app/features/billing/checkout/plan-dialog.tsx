import { useState } from "react";
import { Form } from "react-router";
import { planOptions, taxWords } from "~/content/plans";
import { Button, LinkButton } from "~/ui/primitives/button";
import { Dialog } from "~/ui/primitives/dialog";
import { Message } from "~/ui/primitives/message";
import { alreadySubscribed, somethingWentWrong } from "./checkout-messages";
import { useKeptPage } from "./use-kept-page";

type Option = (typeof planOptions)[number]["key"];

/**
 * `Choose your plan` for somebody who has just signed up. With script it asks our API for a hosted
 * checkout and goes there; without, the form post ends there.
 */
export function PlanDialog({
  userId,
  prices,
  tax,
  message,
  chosen,
  onClose,
}: {
  userId: string;
  prices: Record<Option, string>;
  tax: keyof typeof taxWords;
  message: string | undefined;
  /** What was chosen before the page was loaded anew. */
  chosen: Option | undefined;
  onClose: () => void;
}) {
  const [option, setOption] = useState<Option>(chosen ?? planOptions[0].key);
  const [processing, setProcessing] = useState(false);
  const [failure, setFailure] = useState(message);

  useKeptPage(() => setProcessing(false));

  async function subscribe() {
    setProcessing(true);
    setFailure(undefined);
    const outcome = await requestCheckout(prices[option], userId);
    if (outcome.ok) return window.location.assign(outcome.url);
    setFailure(outcome.message);
    setProcessing(false);
  }

  return (
    <Dialog title="Choose your plan" closeTo="/" onClose={onClose}>
      {failure ? (
        <Message kind="failure" className="mb-5">
          {failure}
        </Message>
      ) : null}
      {failure === alreadySubscribed ? (
        <LinkButton to={`/dashboard/plan?to=${option}`} className="mb-5 w-full">
          Change plan
        </LinkButton>
      ) : null}
      <Form
        method="post"
        onSubmit={(event) => {
          event.preventDefault();
          void subscribe();
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
      </Form>
      <p className="mt-4 text-sm text-ink-soft">
        {taxWords[tax]} You pay at Stripe. Cancel whenever you like; the plan then runs to the end
        of the paid time.
      </p>
    </Dialog>
  );
}

type Outcome = { ok: true; url: string } | { ok: false; message: string };

async function requestCheckout(priceId: string, userId: string): Promise<Outcome> {
  try {
    const response = await fetch("/api/create-checkout-session", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ priceId, userId }),
    });
    const answer: { url?: string; error?: string } = await response.json();
    if (answer.url) return { ok: true, url: answer.url };
    return { ok: false, message: answer.error ?? somethingWentWrong };
  } catch {
    return { ok: false, message: somethingWentWrong };
  }
}
