import { Form, useNavigation } from "react-router";
import { Button } from "~/components/button";
import { continueWith, providerNames } from "~/content/provider-names";
import { ProviderIcon } from "./provider-icon";
import type { Provider } from "./providers";

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
  const busy = useNavigation().state !== "idle";
  return (
    <Form method="post" action={action} reloadDocument className="grid gap-2.5">
      <input type="hidden" name="next" value={next} />
      {offered.map((provider) => (
        <Button
          key={provider}
          type="submit"
          name="provider"
          value={provider}
          look="secondary"
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
