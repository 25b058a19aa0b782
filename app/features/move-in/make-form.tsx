import { Form, useNavigation } from "react-router";
import { DomainField } from "~/features/deployments/page/domain-field";
import type { PlanLink } from "~/features/deployments/plan/plan-link";
import { Button, LinkButton } from "~/ui/primitives/button";
import { TextField } from "~/ui/primitives/fields";
import { Message } from "~/ui/primitives/message";
import type { MoveIn } from "./move-in";

export type TypedNames = { domain?: string; email?: string };

export type MakeFormProps = {
  found: MoveIn;
  /** What was typed on this page. It outlives the form, which goes where files without a configuration are given. */
  typed: TypedNames;
  onType: (typed: TypedNames) => void;
  /** What was posted before somebody had to sign in again. */
  posted: TypedNames | undefined;
  outcome:
    | {
        typed: TypedNames;
        message: string;
        errors: Record<string, string | undefined>;
        planLink?: PlanLink | undefined;
      }
    | undefined;
  userEmail: string | undefined;
};

/** Makes the deployment of what was found. A name that was typed goes before the one that files say. */
export function MakeForm({
  found,
  typed,
  onType,
  outcome,
  posted = outcome?.typed,
  userEmail,
}: MakeFormProps) {
  const busy = useNavigation().state !== "idle";
  return (
    <section aria-labelledby="make" className="mt-10 max-w-prose border-t border-line py-10">
      <h2 id="make" className="scroll-mt-28 text-xl">
        Make the deployment
      </h2>
      <p className="mt-4">
        It runs on a new machine, or in the place of yours, with your API keys and a way back. The
        README of its files says how; nothing on your machine changes until you run them there.
      </p>
      {outcome ? (
        <Message kind="failure" className="mt-6">
          {outcome.message}
        </Message>
      ) : null}
      <Form method="post" preventScrollReset noValidate className="mt-6 grid gap-6">
        <input type="hidden" name="options" value={JSON.stringify(found.options)} />
        <DomainField
          hint="The same as now where it takes the place of yours. On a new machine beside yours it needs another one until calls move."
          warning={undefined}
          placeholder="livekit.example.com"
          value={typed.domain ?? posted?.domain ?? found.domain}
          onChange={({ currentTarget }) => onType({ ...typed, domain: currentTarget.value })}
          error={outcome?.errors.domain}
        />
        <TextField
          name="email"
          label="Email"
          type="email"
          hint="Let's Encrypt and ZeroSSL, which issue the certificates, get this address."
          value={typed.email ?? posted?.email ?? (found.email || (userEmail ?? ""))}
          onChange={({ currentTarget }) => onType({ ...typed, email: currentTarget.value })}
          error={outcome?.errors.email}
          autoComplete="email"
        />
        <div className="flex flex-wrap gap-3">
          <Button type="submit" disabled={busy}>
            {busy ? "Saving..." : "Create deployment"}
          </Button>
          {outcome?.planLink ? (
            <LinkButton to={outcome.planLink.to} variant="secondary">
              {outcome.planLink.words}
            </LinkButton>
          ) : null}
        </div>
      </Form>
    </section>
  );
}
