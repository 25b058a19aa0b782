import { useEffect, useState } from "react";
import { Form, useNavigation } from "react-router";
import { continueWith, providerNames } from "~/content/provider-names";
import type { Provider } from "~/platform/env/providers";
import { Button } from "~/ui/primitives/button";
import { ProviderIcon } from "./provider-icon";

/** One press leads to a provider. The form's page has an action that starts the sign-in. */
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
  // Who comes back by the back button may find the page as they left it.
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
      // After the post: a disabled button would not say which provider it is for.
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
