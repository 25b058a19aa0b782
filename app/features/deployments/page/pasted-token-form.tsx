import { type FormEvent, useState } from "react";
import { Button } from "~/ui/primitives/button";
import { TextAreaField } from "~/ui/primitives/fields";
import { CommandBox } from "./command-box";

/**
 * Takes a token that the customer's server made. The field has no name, so that no browser puts it into a request or an
 * address, and it is emptied once the token is taken.
 */
export function PastedTokenForm({
  command,
  lifetime,
  action,
  pending = action,
  take,
}: {
  /** What prints such a token on the server. */
  command: string;
  /** "five minutes". */
  lifetime: string;
  action: string;
  /** What the button says while it is read. */
  pending?: string;
  /** Answers what is wrong with what was typed. */
  take: (typed: string) => string | undefined | Promise<string | undefined>;
}) {
  const [typed, setTyped] = useState("");
  const [problem, setProblem] = useState<string>();
  const [isPending, setIsPending] = useState(false);

  async function submit(event: FormEvent) {
    event.preventDefault();
    const answer = take(typed);
    if (answer instanceof Promise) setIsPending(true);
    const found = await answer;
    if (!found) setTyped("");
    setProblem(found);
    setIsPending(false);
  }

  return (
    <form onSubmit={submit} noValidate className="grid max-w-prose gap-6 not-scripted:hidden">
      <CommandBox text={command} label="the command" />
      <TextAreaField
        label="Token"
        rows={3}
        autoComplete="off"
        spellCheck={false}
        value={typed}
        error={problem}
        onChange={({ target }) => setTyped(target.value)}
        hint={`What that command prints on the server. It is good for ${lifetime}, stays in this page, and goes to your server alone.`}
      />
      <div>
        <Button type="submit" disabled={isPending}>
          {isPending ? pending : action}
        </Button>
      </div>
    </form>
  );
}
