import { useEffect, useRef } from "react";
import { useOwnChange } from "~/features/agents/use-own-change";
import { useMay } from "~/features/workspaces/roles";
import { Button } from "~/ui/primitives/button";
import { TextField } from "~/ui/primitives/fields";
import { Message } from "~/ui/primitives/message";
import { Table } from "~/ui/primitives/table";
import type { UsageStatisticsView } from "./statistics";

const identityColumns = ["Identity", "Responses", "Tokens", "Left"];

/** What each identity used and may still use, if it could be read, and the form that sets an allowance. */
export function Allowances({ statistics }: { statistics: UsageStatisticsView | undefined }) {
  const maySet = useMay("describe");
  const form = useRef<HTMLFormElement>(null);
  const { outcome, typed, isSending, onSubmit } = useOwnChange("set-allowance");
  useEffect(() => {
    if (outcome?.ok) form.current?.reset();
  }, [outcome]);
  const { identities = [], known = 0 } = statistics ?? {};
  return (
    <>
      <div>
        <h3 className="text-xl">Per identity</h3>
        <p className="mt-3 max-w-prose text-ink-soft">
          Usage is taken from an identity's allowance. At 0 usage is still counted, and every answer
          to your agent says that nothing is left: the agent decides to stop.
        </p>
      </div>
      <div className="min-w-0">
        {identities.length > 0 ? (
          <Table caption="Tokens per identity" columns={identityColumns} numeric compact>
            <tbody>
              {identities.map((each) => (
                <tr key={each.identity}>
                  <th scope="row" className="break-all">
                    {each.identity}
                  </th>
                  <td>{each.responses}</td>
                  <td>{each.total_tokens}</td>
                  <td>{each.remaining ?? "no limit"}</td>
                </tr>
              ))}
            </tbody>
          </Table>
        ) : null}
        {known > identities.length ? (
          <p className="mt-3 text-sm text-ink-soft">
            {`The ${identities.length} that used most, of ${known}. Choose any other by its name above; the CSV has the usage of all.`}
          </p>
        ) : null}
        {maySet ? (
          <form
            ref={form}
            method="post"
            onSubmit={onSubmit}
            className="mt-6 grid gap-4 sm:grid-cols-2"
          >
            <input type="hidden" name="intent" value="set-allowance" />
            <TextField
              name="identity"
              label="Identity to limit"
              hint="At most 64 letters, as in the access token."
              defaultValue={typed?.identity}
              autoComplete="off"
              required
            />
            <TextField
              name="tokens"
              label="Tokens left"
              hint="0 or more; empty takes the limit away."
              defaultValue={typed?.tokens}
              inputMode="numeric"
              pattern="[0-9]*"
              autoComplete="off"
            />
            <div className="grid justify-items-start gap-4 sm:col-span-2">
              <Button type="submit" variant="secondary" disabled={isSending}>
                Set allowance
              </Button>
              {outcome ? (
                <Message kind={outcome.ok ? "success" : "failure"}>{outcome.message}</Message>
              ) : null}
            </div>
          </form>
        ) : null}
      </div>
    </>
  );
}
