import { useState } from "react";
import { Form, useNavigation } from "react-router";
import { ApplyCommand } from "~/features/deployments/page/apply-command";
import { CommandBox } from "~/features/deployments/page/command-box";
import { More } from "~/features/deployments/page/more";
import { useMay } from "~/features/workspaces/roles";
import { useConsoleBase } from "~/ui/console/console-path";
import { Button } from "~/ui/primitives/button";
import { SelectField, TextField } from "~/ui/primitives/fields";
import { TextLink } from "~/ui/primitives/text-link";
import { hourOptions } from "../hours";
import type { RolloutDetails } from "./rollout-details.server";

type Details = NonNullable<RolloutDetails>;

export function Difference({
  deployment,
  from,
  to,
}: {
  deployment: string;
  from: number;
  to: number;
}) {
  const query = new URLSearchParams({ from: `${from}`, to: `${to}` });
  return (
    <TextLink to={`${useConsoleBase()}/deployments/${deployment}/versions?${query}#changes`}>
      See what changed
    </TextLink>
  );
}

/** Nothing happens before it is approved, so asking takes one press. */
export function NewerVersion({
  rollouts,
  deployment,
  running,
  newer,
  isOfCluster,
}: {
  rollouts: Details;
  deployment: string;
  running: number;
  newer: number;
  isOfCluster: boolean;
}) {
  const mayRollOut = useMay("rollout");
  const isBusy = useNavigation().state !== "idle";
  const base = useConsoleBase();
  return (
    <div className="grid max-w-prose gap-4">
      <p>
        Version {newer} is saved, and this server runs version {running}.{" "}
        <Difference deployment={deployment} from={running} to={newer} />
      </p>
      {rollouts.knows < rollouts.needed ? (
        <>
          <p>
            This server does not know as many approvers as it asks for. Add a passkey on the page{" "}
            <TextLink to={`${base}/approvers`}>Approvers</TextLink>, then run this on the server:
          </p>
          <CommandBox text="sudo livekit-deploy approvers" label="the command for approvers" />
        </>
      ) : mayRollOut ? (
        <Form method="post" preventScrollReset className="grid justify-items-start gap-4">
          <input type="hidden" name="version" value={newer} />
          <Check
            name="others"
            label="Then go on with the other servers of this deployment, one at a time. It stops at the first failure, and leaves out servers that do not report."
          />
          <Begin windows={rollouts.windows} />
          <Button
            type="submit"
            name="intent"
            value="request-rollout"
            variant="secondary"
            disabled={isBusy}
          >
            Ask for version {newer}
          </Button>
        </Form>
      ) : null}
      <p className="text-sm text-ink-soft">
        By hand: download version {newer} on{" "}
        <TextLink to={`${base}/deployments/${deployment}`}>the deployment’s page</TextLink>, and{" "}
        <ApplyCommand isOfCluster={isOfCluster} /> takes it.
      </p>
    </div>
  );
}

/** A machine takes an older version, or older components, only where that is part of what is signed. */
export function AnotherVersion({ rollouts }: { rollouts: Details }) {
  const mayRollOut = useMay("rollout");
  const isBusy = useNavigation().state !== "idle";
  if (!mayRollOut) return null;
  return (
    <More summary="Ask for another version">
      <Form method="post" preventScrollReset className="grid max-w-prose justify-items-start gap-4">
        <TextField name="version" label="Version" inputMode="numeric" required autoComplete="off" />
        <Check name="lower" label="It may be older, or have older components." />
        <Begin windows={rollouts.windows} />
        <Button
          type="submit"
          name="intent"
          value="request-rollout"
          variant="secondary"
          disabled={isBusy}
        >
          Ask for it
        </Button>
      </Form>
    </More>
  );
}

function Check({ name, label }: { name: string; label: string }) {
  return (
    <label className="flex min-h-11 items-start gap-3 py-2">
      <input
        type="checkbox"
        name={name}
        value="yes"
        className="mt-1 size-4 shrink-0 accent-signal"
      />
      <span>{label}</span>
    </label>
  );
}

/** When servers begin it. What was chosen last time is chosen already. */
function Begin({ windows }: Pick<Details, "windows">) {
  const base = useConsoleBase();
  const last = windows?.last;
  const [from, setFrom] = useState(last ? String(last.from) : "");
  if (!windows) {
    return (
      <p className="text-sm text-ink-soft">
        It begins once it is approved. Hours of the day can be chosen from the next version on: the
        files on this server are older than that.
      </p>
    );
  }
  return (
    <div className="w-full">
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField
          name="window-from"
          label="Begin at"
          blank="At once"
          options={hourOptions}
          value={from}
          onChange={({ currentTarget }) => setFrom(currentTarget.value)}
        />
        {/* At once has no end. Without script nobody knows what is chosen. */}
        <div className={from === "" ? "scripted:hidden" : undefined}>
          <SelectField
            name="window-until"
            label="Until"
            options={hourOptions}
            defaultValue={String(last?.until ?? 5)}
          />
        </div>
      </div>
      <p className="mt-1.5 text-sm text-ink-soft">
        By the clocks of {windows.zone}, which <TextLink to={`${base}/alerts`}>Alerts</TextLink>{" "}
        changes. At once means as soon as it is approved.
      </p>
    </div>
  );
}
