import { Form, useLocation } from "react-router";
import { codePage } from "~/http/page-addresses";
import { Button, LinkButton } from "~/ui/primitives/button";

/** Leads to the page where the person gives the missing proof, and from there back to this page. */
export function MissingProof({ missing }: { missing: "second-factor" | "recent-sign-in" }) {
  const { pathname: here } = useLocation();
  if (missing === "second-factor") {
    return (
      <LinkButton to={codePage(here)} variant="secondary" className="justify-self-start">
        Give the code
      </LinkButton>
    );
  }
  return (
    <Form method="post" action="/dashboard/account" reloadDocument>
      <input type="hidden" name="intent" value="sign_in_again" />
      <input type="hidden" name="next" value={here} />
      <Button type="submit" variant="secondary">
        Sign in again
      </Button>
    </Form>
  );
}
