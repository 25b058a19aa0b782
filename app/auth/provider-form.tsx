import { Form, useNavigation } from "react-router";
import { Button } from "~/components/button";
import { GoogleIcon } from "~/components/icons";

/** One press leads to the provider. The form's page has an action that starts the sign-in. */
export function ProviderForm({ action, next }: { action: string; next: string }) {
  const busy = useNavigation().state !== "idle";
  return (
    <Form method="post" action={action} reloadDocument>
      <input type="hidden" name="next" value={next} />
      <Button
        type="submit"
        name="provider"
        value="google"
        look="secondary"
        className="w-full"
        disabled={busy}
      >
        <GoogleIcon />
        Continue with Google
      </Button>
    </Form>
  );
}
