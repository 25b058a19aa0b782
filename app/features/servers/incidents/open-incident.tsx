import { Form, useNavigation } from "react-router";
import { useMay } from "~/features/workspaces/use-may";
import { Moment } from "~/ui/moment";
import { Button } from "~/ui/primitives/button";
import { Card } from "~/ui/primitives/card";
import { SelectField } from "~/ui/primitives/fields";
import type { IncidentView } from "./incident-view";

/** What is wrong with a server now, since when and what to do, and how to say that somebody sees to it. */
export function OpenIncident({ incident }: { incident: NonNullable<IncidentView["open"]> }) {
  const { id, isPaging, openedAt, acknowledgedAt, snoozedUntil, causes } = incident;
  const mayChange = useMay("alerts");
  const busy = useNavigation().state !== "idle";
  return (
    <Card variant={isPaging ? "warning" : "raised"}>
      <p>
        Not well since <Moment at={openedAt} />.{" "}
        {acknowledgedAt ? (
          <>
            Acknowledged <Moment at={acknowledgedAt} />, so nobody else is told.{" "}
          </>
        ) : null}
        {snoozedUntil ? (
          <>
            Snoozed until <Moment at={snoozedUntil} />.
          </>
        ) : null}
      </p>
      <ul className="mt-4 grid gap-4">
        {causes.map(({ key, title, next, since, endedAt }) => (
          <li key={key}>
            <p className="font-strong wrap-anywhere">{title}</p>
            <p className="text-sm text-ink-soft">
              Since <Moment at={since} />
              {endedAt ? (
                <>
                  , until <Moment at={endedAt} />
                </>
              ) : null}
            </p>
            {endedAt ? null : <p className="mt-1 max-w-prose wrap-anywhere">{next}</p>}
          </li>
        ))}
      </ul>
      {mayChange ? (
        <div className="mt-6 flex flex-wrap items-end gap-x-6 gap-y-4">
          {acknowledgedAt ? null : (
            <Form method="post" preventScrollReset>
              <input type="hidden" name="intent" value="acknowledge" />
              <input type="hidden" name="incident" value={id} />
              <Button type="submit" variant="secondary" disabled={busy}>
                Acknowledge
              </Button>
            </Form>
          )}
          <Form method="post" preventScrollReset className="flex flex-wrap items-end gap-3">
            <input type="hidden" name="intent" value="snooze" />
            <input type="hidden" name="incident" value={id} />
            <SelectField
              name="until"
              label="Snooze"
              options={[
                { value: "1", label: "for 1 hour" },
                { value: "8", label: "for 8 hours" },
                { value: "morning", label: "until 09:00 UTC tomorrow" },
              ]}
            />
            <Button type="submit" variant="secondary" disabled={busy}>
              Snooze
            </Button>
          </Form>
        </div>
      ) : null}
    </Card>
  );
}
