import { Form, useLocation } from "react-router";
import { Button } from "~/ui/primitives/button";
import type { WorkspaceWords } from "../workspace-words.server";

/** Signs out and in again, and leads back here: for changes that need a recent sign-in. */
export function SignInAgain({ words }: { words: WorkspaceWords }) {
  const { pathname } = useLocation();
  return (
    <Form method="post" action="/dashboard/account" reloadDocument>
      <input type="hidden" name="intent" value="sign_in_again" />
      <input type="hidden" name="next" value={pathname} />
      <Button type="submit" variant="secondary">
        {words.settings.signInAgain}
      </Button>
    </Form>
  );
}

/** In place of a form that needs a recent sign-in when the last one is too long ago. */
export function RecentOnly({ words }: { words: WorkspaceWords }) {
  return (
    <>
      <p className="mb-3">{words.settings.recentOnly}</p>
      <SignInAgain words={words} />
    </>
  );
}
