import { Form, useNavigation } from "react-router";
import { Breakable } from "~/features/deployments/page/breakable";
import { CommandBox } from "~/features/deployments/page/command-box";
import { useMay } from "~/features/workspaces/roles";
import { useConsoleBase } from "~/ui/console/console-path";
import { Moment, RecentMoment } from "~/ui/moment";
import { Button } from "~/ui/primitives/button";
import { Card } from "~/ui/primitives/card";
import { SelectField, TextField } from "~/ui/primitives/fields";
import { Message } from "~/ui/primitives/message";
import { TextLink } from "~/ui/primitives/text-link";
import type { IncidentView } from "./incident-view";

/** What is wrong with a server now, since when and what to do, and how to say that somebody sees to it. */
export function OpenIncident({ incident }: { incident: NonNullable<IncidentView["open"]> }) {
  const { id, isPaging, acknowledged, snoozedUntil, untilMorning, causes, logs, logsOf } = incident;
  const mayChange = useMay("alerts");
  const busy = useNavigation().state !== "idle";
  return (
    <Card variant={isPaging ? "failure" : "warning"} flush className="p-5 sm:p-6">
      <ul className="grid gap-5">
        {causes.map(({ key, title, next, help, since, found, endedAt }) => (
          <li key={key}>
            <h2 className="text-lg wrap-anywhere">{title}</h2>
            <p className="text-sm text-ink-soft">
              <span>Since </span>
              <RecentMoment at={since} />
              {endedAt ? (
                <span>
                  , until <RecentMoment at={endedAt} />
                </span>
              ) : null}
            </p>
            {found ? (
              <p className="text-sm wrap-anywhere text-ink-soft">Found then: {found}</p>
            ) : null}
            {endedAt ? null : <NextStep text={next} help={help} />}
          </li>
        ))}
      </ul>
      <div className="mt-5">
        <p className="mb-2 text-sm text-ink-soft">
          {`On ${logsOf ?? "the machine"}, the logs of five minutes before and after it began:`}
        </p>
        <CommandBox text={logs} label="the command for the logs" />
      </div>
      <p className="mt-5 max-w-prose">
        <AcknowledgedBy acknowledged={acknowledged} />
        {snoozedUntil ? (
          <span>
            {" "}
            Snoozed until <RecentMoment at={snoozedUntil} />.
          </span>
        ) : null}
      </p>
      {mayChange ? (
        <div className="mt-4 flex flex-wrap items-end gap-x-8 gap-y-4 print:hidden">
          <Form
            method="post"
            preventScrollReset
            className="grid grid-cols-[minmax(0,1fr)_auto] items-end gap-3 max-[22rem]:grid-cols-1"
          >
            <input type="hidden" name="incident" value={id} />
            {acknowledged ? null : (
              <TextField name="note" label="Note (optional)" maxLength={200} />
            )}
            <Button
              type="submit"
              name="intent"
              value={acknowledged ? "unacknowledge" : "acknowledge"}
              variant={acknowledged ? "secondary" : "primary"}
              disabled={busy}
            >
              {acknowledged ? "Take the acknowledgement back" : "Acknowledge"}
            </Button>
          </Form>
          <HoursForm
            intent="snooze"
            incident={id}
            label="Tell nobody"
            button="Snooze"
            options={[
              { value: "1", label: "for 1 hour" },
              { value: "8", label: "for 8 hours" },
              { value: "morning", label: untilMorning },
            ]}
          />
        </div>
      ) : null}
    </Card>
  );
}

/** Who sees to an incident, since when, and what they say to the others. */
export function AcknowledgedBy({
  acknowledged,
}: {
  acknowledged: { at: string; who?: string; note?: string } | undefined;
}) {
  if (!acknowledged) return <span>Nobody has acknowledged it yet.</span>;
  const { at, who = "a member", note } = acknowledged;
  return (
    <span className="wrap-anywhere">
      <span>Acknowledged by {who}, </span>
      <RecentMoment at={at} />
      {note ? <span>: {note}</span> : <span>.</span>}
    </span>
  );
}

/**
 * What to do about what is wrong: a sentence with commands and records between backticks, each command once more to copy, and
 * where the documentation is about it. It breaks at no place that changes a command.
 */
export function NextStep({ text, help }: { text: string; help: string | undefined }) {
  const pieces = text.split("`");
  const commands = pieces.filter((piece, at) => at % 2 === 1 && piece.startsWith("sudo "));
  return (
    <div className="mt-2 grid max-w-prose gap-2 text-sm">
      <Sentence pieces={pieces} />
      {commands.map((command) => (
        <CommandBox key={command} text={command} label={command} />
      ))}
      {help ? (
        <p>
          <TextLink to={help}>More about it</TextLink>
        </p>
      ) : null}
    </div>
  );
}

function Sentence({ pieces }: { pieces: readonly string[] }) {
  return (
    <p className="wrap-anywhere">
      <span className="text-ink-soft">What to do: </span>
      {pieces.map((piece, at) =>
        at % 2 === 1 ? (
          <code key={pieces.slice(at).join("`")} className="font-mono">
            <Breakable text={piece} />
          </code>
        ) : (
          <Breakable key={pieces.slice(at).join("`")} text={piece} />
        ),
      )}
    </p>
  );
}

/** What was wrong with a server before, newest first, beside an incident that may be open now. */
export function PastIncidents({
  past,
  isOneOpen,
}: {
  past: IncidentView["past"];
  isOneOpen: boolean;
}) {
  if (!past) {
    return (
      <Message kind="warning">
        Past incidents cannot be read right now. Please try again in a moment.
      </Message>
    );
  }
  if (past.length === 0) {
    return <p>{`No ${isOneOpen ? "other " : ""}incident in the last 90 days.`}</p>;
  }
  return (
    <ul className="border-t border-line">
      {past.map((incident) => (
        <PastIncident key={incident.id} incident={incident} />
      ))}
    </ul>
  );
}

function PastIncident({
  incident: { id, openedAt, closedAt, titles, logs },
}: {
  incident: NonNullable<IncidentView["past"]>[number];
}) {
  return (
    <li className="border-b border-line py-3">
      <TextLink to={`${useConsoleBase()}/incidents/${id}`} className="wrap-anywhere">
        {titles.join("; ")}
      </TextLink>
      <p className="text-sm text-ink-soft">
        <Moment at={openedAt} /> until <Moment at={closedAt} />
      </p>
      <p className="text-sm wrap-anywhere">
        <code className="font-mono">
          <Breakable text={logs} />
        </code>
      </p>
    </li>
  );
}

/** The maintenance window of a server or a cluster, in which nothing is sent of it: its end, and the form that opens or closes it. */
export function MaintenanceWindow({
  until,
  of = "this server",
}: {
  until: string | undefined;
  of?: string;
}) {
  const mayChange = useMay("alerts");
  const busy = useNavigation().state !== "idle";
  if (until) {
    return (
      <div>
        <p className="max-w-prose">
          In maintenance until <Moment at={until} />.
        </p>
        {mayChange ? (
          <Form method="post" preventScrollReset className="mt-3">
            <input type="hidden" name="intent" value="maintenance" />
            <Button type="submit" name="until" value="end" variant="secondary" disabled={busy}>
              End the maintenance
            </Button>
          </Form>
        ) : null}
      </div>
    );
  }
  if (!mayChange) return <p>It is in no maintenance window.</p>;
  return (
    <div className="flex print:hidden">
      <HoursForm
        intent="maintenance"
        label={`Tell nobody of ${of} for`}
        button="Start now"
        options={[
          { value: "1", label: "1 hour" },
          { value: "4", label: "4 hours" },
          { value: "24", label: "24 hours" },
        ]}
      />
    </div>
  );
}

/** Asks until when something is to last, and begins it. `incident` is the one that it is about. */
function HoursForm({
  intent,
  incident,
  label,
  button,
  options,
}: {
  intent: "snooze" | "maintenance";
  incident?: string;
  label: string;
  button: string;
  options: readonly { value: string; label: string }[];
}) {
  const busy = useNavigation().state !== "idle";
  return (
    <Form
      method="post"
      preventScrollReset
      className="grid grid-cols-[minmax(0,1fr)_auto] items-end gap-3"
    >
      <input type="hidden" name="intent" value={intent} />
      {incident === undefined ? null : <input type="hidden" name="incident" value={incident} />}
      <SelectField name="until" label={label} options={options} />
      <Button type="submit" variant="secondary" disabled={busy}>
        {button}
      </Button>
    </Form>
  );
}
