import { Form, useNavigation } from "react-router";
import { useMay } from "~/features/workspaces/roles";
import { RecentMoment } from "~/ui/moment";
import { Button } from "~/ui/primitives/button";
import { Card } from "~/ui/primitives/card";
import { HoursForm } from "./hours-form";
import type { IncidentView } from "./incident-view";
import { NextStep } from "./next-step";

/** What is wrong with a server now, since when and what to do, and how to say that somebody sees to it. */
export function OpenIncident({ incident }: { incident: NonNullable<IncidentView["open"]> }) {
  const { id, isPaging, acknowledgedAt, snoozedUntil, causes } = incident;
  const mayChange = useMay("alerts");
  const busy = useNavigation().state !== "idle";
  return (
    <Card variant={isPaging ? "failure" : "warning"} flush className="p-5 sm:p-6">
      <ul className="grid gap-5">
        {causes.map(({ key, title, next, since, found, endedAt }) => (
          <li key={key}>
            <h2 className="text-lg wrap-anywhere">{title}</h2>
            <p className="text-sm text-ink-soft">
              Since <RecentMoment at={since} />
              {endedAt ? (
                <>
                  , until <RecentMoment at={endedAt} />
                </>
              ) : null}
            </p>
            {found ? (
              <p className="text-sm wrap-anywhere text-ink-soft">Found then: {found}</p>
            ) : null}
            {endedAt ? null : <NextStep text={next} />}
          </li>
        ))}
      </ul>
      <p className="mt-5 max-w-prose">
        {acknowledgedAt ? (
          <>
            Acknowledged <RecentMoment at={acknowledgedAt} />, so nobody else is told.
          </>
        ) : (
          "Nobody has acknowledged it yet."
        )}
        {snoozedUntil ? (
          <>
            {" "}
            Snoozed until <RecentMoment at={snoozedUntil} />.
          </>
        ) : null}
      </p>
      {mayChange ? (
        <div className="mt-4 flex flex-wrap items-end gap-x-8 gap-y-4 print:hidden">
          {acknowledgedAt ? null : (
            <Form method="post" preventScrollReset>
              <input type="hidden" name="intent" value="acknowledge" />
              <input type="hidden" name="incident" value={id} />
              <Button type="submit" disabled={busy}>
                Acknowledge
              </Button>
            </Form>
          )}
          <HoursForm
            intent="snooze"
            incident={id}
            label="Tell nobody"
            button="Snooze"
            options={[
              { value: "1", label: "for 1 hour" },
              { value: "8", label: "for 8 hours" },
              { value: "morning", label: "until 09:00 UTC tomorrow" },
            ]}
          />
        </div>
      ) : null}
    </Card>
  );
}
