import { useEffect, useState } from "react";
import { Form, useNavigation } from "react-router";
import { continueWith, providerNames } from "~/content/provider-names";
import type { Provider } from "~/platform/env/providers";
import { Button } from "~/ui/primitives/button";

/** Buttons that lead to a provider. `action` is a route whose action starts the sign-in. */
export function ProviderForm({
  action,
  next,
  offered = ["google"],
}: {
  action: string;
  next: string;
  offered?: readonly Provider[];
}) {
  const [leaving, setLeaving] = useState(false);
  const busy = useNavigation().state !== "idle" || leaving;
  // The back/forward cache may show the page again as it was left.
  useEffect(() => {
    const stay = () => setLeaving(false);
    addEventListener("pageshow", stay);
    return () => removeEventListener("pageshow", stay);
  }, []);
  return (
    <Form
      method="post"
      action={action}
      reloadDocument
      className="grid gap-2.5"
      // Later than the submit, because the value of a disabled button is not sent.
      onSubmit={() => setTimeout(() => setLeaving(true))}
    >
      <input type="hidden" name="next" value={next} />
      {offered.map((provider) => (
        <Button
          key={provider}
          type="submit"
          name="provider"
          value={provider}
          variant="secondary"
          className="w-full"
          disabled={busy}
        >
          <ProviderIcon provider={provider} />
          {continueWith.replace("{provider}", providerNames[provider])}
        </Button>
      ))}
    </Form>
  );
}

/** A provider's icon. All are in one SVG file, so that no page has sixteen drawings in its script. */
export function ProviderIcon({ provider }: { provider: Provider }) {
  return (
    <svg
      width="18"
      height="18"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <use href={`/provider-icons.svg#${provider}`} />
    </svg>
  );
}
