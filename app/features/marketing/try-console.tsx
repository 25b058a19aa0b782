import { trialButton } from "~/content/trial";
import { Button } from "~/ui/primitives/button";

/** Begins a trial without an account. Whoever is signed in has their own console. */
export function TryConsole() {
  return (
    <form method="post" action="/try" className="signed-in:hidden">
      <Button type="submit" variant="secondary">
        {trialButton}
      </Button>
    </form>
  );
}
