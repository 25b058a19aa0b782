import { useEffect, useState } from "react";
import { Form, useNavigation } from "react-router";
import { continueWith, providerNames } from "~/content/provider-names";
import type { Provider } from "~/platform/env/providers";
import { Button } from "~/ui/primitives/button";
import { ProviderIcon } from "./provider-icon";

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
