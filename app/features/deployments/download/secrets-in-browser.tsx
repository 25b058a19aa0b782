import { type ComponentProps, use } from "react";
import { Form } from "react-router";
import { trialNeedsAccount } from "~/content/trial";
import { InTrialContext } from "~/features/workspaces/roles";
import { Button } from "~/ui/primitives/button";
import { Card } from "~/ui/primitives/card";
import { Message } from "~/ui/primitives/message";
import { MakeSecrets } from "./make-secrets";

/**
 * The way to a zip whose secrets only the customer knows. It needs script: without, the customer
 * can choose that the machine makes them, which no browser and no server of ours sees either.
 */
export function SecretsInBrowser({
  options,
  zipName,
  connection,
}: ComponentProps<typeof MakeSecrets>) {
  if (use(InTrialContext)) return <Message kind="neutral">{trialNeedsAccount}</Message>;
  return (
    <Card>
      <div className="scripted:hidden">
        <p className="max-w-prose">
          The secrets of this deployment are to be made in your browser, and that needs JavaScript.
          Allow it for this site, or let the machine make its secrets when it first boots: nobody
          else sees those either.
        </p>
      </div>
      <div className="not-scripted:hidden">
        <MakeSecrets options={options} zipName={zipName} connection={connection} />
      </div>
      <Form method="post" preventScrollReset className="mt-5 border-t border-line pt-5">
        <input type="hidden" name="intent" value="secrets-on-server" />
        <Button type="submit" variant="secondary">
          Let the machine make them instead
        </Button>
      </Form>
    </Card>
  );
}
