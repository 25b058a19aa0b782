import { type FormEvent, useEffect, useRef, useState } from "react";
import { shortMomentOf } from "~/ui/dates";
import { Band } from "~/ui/primitives/band";
import { Button } from "~/ui/primitives/button";
import { CopyButton } from "~/ui/primitives/copy-button";
import { SelectField, TextField } from "~/ui/primitives/fields";
import { Message } from "~/ui/primitives/message";
import { pressable, TextLink } from "~/ui/primitives/text-link";
import { useOwnChange } from "../use-own-change";
import { MissingProof } from "./missing-proof";
import type { ApiToken } from "./own-view";
import { endChoices, scopeChoices } from "./token-choices";

/** Makes, lists and revokes the tokens by which agents authenticate. */
export function Tokens({ tokens }: { tokens: readonly ApiToken[] }) {
  const revoke = useOwnChange("revoke-token");
  const [attempted, setAttempted] = useState(revoke.posted?.token);
  const refusal = revoke.outcome?.ok === false ? revoke.outcome.message : undefined;
  return (
    <Band
      id="tokens"
      title="Tokens for agents"
      detail={
        <p className="mt-4 max-w-prose text-ink-soft">
          With a token an agent reads this configuration and reports its usage.{" "}
          <TextLink to="/docs/api" className="text-ink">
            How agents use it
          </TextLink>
        </p>
      }
    >
      <div className="min-w-0">
        <NewToken />
        <ul className="mt-8 border-t border-line">
          {tokens.map((token) => (
            <Token
              key={token.id}
              token={token}
              isSending={revoke.isSending}
              refusal={token.id === attempted ? refusal : undefined}
              onRevoke={(event) => {
                setAttempted(token.id);
                revoke.onSubmit(event);
              }}
            />
          ))}
        </ul>
        {revoke.outcome?.ok ? (
          <Message kind="success" className="mt-5">
            {revoke.outcome.message}
          </Message>
        ) : null}
      </div>
    </Band>
  );
}

function NewToken() {
  const form = useRef<HTMLFormElement>(null);
  const { outcome, typed, isSending, onSubmit } = useOwnChange("create-token");
  useEffect(() => {
    if (outcome?.ok) form.current?.reset();
  }, [outcome]);
  const token = outcome?.ok ? outcome.token : undefined;
  const missing = outcome?.ok === false ? outcome.missing : undefined;
  return (
    <div className="grid gap-5">
      <form ref={form} method="post" onSubmit={onSubmit} className="grid gap-5">
        <input type="hidden" name="intent" value="create-token" />
        <TextField
          name="name"
          label="Name of the token"
          hint="1 to 60 characters: which agent it is for."
          error={outcome?.ok === false ? outcome.message : undefined}
          defaultValue={typed?.name}
          autoComplete="off"
          maxLength={60}
          required
        />
        <SelectField
          name="scope"
          label="What the agent may do with it"
          options={scopeChoices}
          defaultValue={typed?.scope}
        />
        <SelectField
          name="days"
          label="When it ends"
          hint="After that the agent is refused, as with a token that was revoked."
          options={endChoices}
          defaultValue={typed?.days}
        />
        <Button
          type="submit"
          variant="secondary"
          disabled={isSending}
          className="justify-self-start"
        >
          Make a token
        </Button>
        {outcome?.ok && token ? (
          <Message kind="success">
            <p>{outcome.message}</p>
            <p className="mt-2 flex flex-wrap items-center gap-3">
              <code className="min-w-0 break-all text-ink">{token}</code>
              <CopyButton text={token} label="Copy the token" />
            </p>
          </Message>
        ) : null}
      </form>
      {missing ? <MissingProof missing={missing} /> : null}
    </div>
  );
}

/** What a token is for where it is for one thing only, and its end where it has one. */
function Limits({ token: { scopes, endsAt } }: { token: ApiToken }) {
  const only = scopeChoices.find(({ value }) => scopes.length === 1 && value === scopes[0]);
  const limits = [
    only ? `${only.label} only` : "",
    endsAt ? `${only ? "until" : "Until"} ${shortMomentOf(endsAt)}` : "",
  ].filter(Boolean);
  return limits.length > 0 ? <p className="text-sm text-ink-soft">{limits.join(", ")}</p> : null;
}

function Token({
  token,
  isSending,
  refusal,
  onRevoke,
}: {
  token: ApiToken;
  isSending: boolean;
  refusal: string | undefined;
  onRevoke: (event: FormEvent<HTMLFormElement>) => void;
}) {
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2 border-b border-line py-3">
      <div className="min-w-0">
        <p className="font-strong break-words">{token.name}</p>
        <p className="text-sm wrap-anywhere text-ink-soft">
          <code>{`…${token.ending}`}</code>
          <span>{`, made ${shortMomentOf(token.createdAt)}${token.madeBy ? ` by ${token.madeBy}` : ""}, ${token.lastUsedAt ? `last used ${shortMomentOf(token.lastUsedAt)}` : "never used"}`}</span>
        </p>
        <Limits token={token} />
      </div>
      {token.mayRevoke ? (
        <details open={refusal !== undefined} className="text-sm">
          <summary className={`min-h-11 content-center ${pressable}`}>Revoke {token.name}</summary>
          <form method="post" onSubmit={onRevoke} className="grid justify-items-start gap-3 py-2">
            <input type="hidden" name="intent" value="revoke-token" />
            <input type="hidden" name="token" value={token.id} />
            <p>Agents that use it stop at once.</p>
            <Button type="submit" variant="danger" disabled={isSending}>
              Revoke now
            </Button>
            {refusal ? <Message kind="failure">{refusal}</Message> : null}
          </form>
        </details>
      ) : null}
    </li>
  );
}
