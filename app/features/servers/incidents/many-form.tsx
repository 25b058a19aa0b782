import { Form, useNavigation } from "react-router";
import { More } from "~/features/deployments/page/more";
import { useMay } from "~/features/workspaces/roles";
import { Button } from "~/ui/primitives/button";
import { SelectField } from "~/ui/primitives/fields";
import { Message } from "~/ui/primitives/message";
import { chosenPrefix, manyActs } from "./many-words";

const formId = "many";

/**
 * One press for many servers: `waiting` of them page and nobody has acknowledged that. What is ticked in the list belongs
 * to the form.
 */
export function ManyServers({
  waiting,
  zone,
  deployments,
}: {
  waiting: number;
  zone: string | undefined;
  deployments: readonly { value: string; label: string }[];
}) {
  const mayChange = useMay("alerts");
  const busy = useNavigation().state !== "idle";
  if (!mayChange) return null;
  return (
    <div className="mt-4 grid gap-2 print:hidden">
      {waiting > 1 ? (
        <Message kind="failure">
          <Form method="post" preventScrollReset className="flex flex-wrap items-center gap-4">
            <input type="hidden" name="intent" value={formId} />
            <input type="hidden" name="of" value="all" />
            <span>{`Nobody has acknowledged what is wrong with ${waiting} servers.`}</span>
            <Button type="submit" name="act" value="acknowledge" disabled={busy}>
              {`Acknowledge all ${waiting}`}
            </Button>
          </Form>
        </Message>
      ) : null}
      <More summary="Acknowledge, snooze or work on several servers">
        <Form
          id={formId}
          method="post"
          preventScrollReset
          className="grid items-end gap-3 pb-4 sm:grid-cols-[1fr_1fr_auto]"
        >
          <input type="hidden" name="intent" value={formId} />
          <SelectField
            name="of"
            label="Which servers"
            options={[
              { value: "chosen", label: "Those ticked below" },
              { value: "all", label: "All" },
              ...deployments,
            ]}
          />
          <SelectField name="act" label="What to do" options={manyActs(zone)} />
          <Button type="submit" variant="secondary" disabled={busy}>
            Do it
          </Button>
        </Form>
      </More>
    </div>
  );
}

/** Ticks a server of the list for that form. */
export function ChooseServer({ id, name }: { id: string; name: string }) {
  return useMay("alerts") ? (
    <input
      type="checkbox"
      form={formId}
      name={chosenPrefix + id}
      aria-label={`Choose ${name}`}
      className="size-6 accent-signal print:hidden"
    />
  ) : null;
}
