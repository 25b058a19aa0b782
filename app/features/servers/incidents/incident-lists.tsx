import { Form, Link } from "react-router";
import { useConsoleBase } from "~/ui/console/console-path";
import { RecentMoment } from "~/ui/moment";
import { Badge } from "~/ui/primitives/badge";
import { Button } from "~/ui/primitives/button";
import { SelectField, TextField } from "~/ui/primitives/fields";
import { Table } from "~/ui/primitives/table";
import { TextLink } from "~/ui/primitives/text-link";
import { isoOf } from "../iso-of";
import { durationWords, type MeanTime, uptimeWords } from "./incident-figures";
import type { IncidentList } from "./incident-list.server";
import { type IncidentQuery, periods, searchOf } from "./incident-query";
import type { NamedIncident } from "./incidents-view.server";

/** Why an incident ended though nobody mended anything. */
const closedWords = {
  disconnected: "Ended: the server was disconnected",
  paused: "Ended: the server was paused",
  outage: "Ended: its reports did not reach us, our fault",
  moved: "Ended: it goes on in another incident",
} as const;

/** A form that reads, so that it works without script and stays in the address. */
export function IncidentFilter({
  query: { state, severity, deployment, server, days },
  deployments,
}: {
  query: IncidentQuery;
  deployments: readonly { value: string; label: string }[];
}) {
  return (
    <Form
      role="search"
      className="mt-6 grid items-end gap-3 sm:grid-cols-2 lg:grid-cols-[repeat(5,minmax(0,1fr))_auto] print:hidden"
    >
      <SelectField
        name="state"
        label="State"
        blank="Open and past"
        options={[
          { value: "open", label: "Open" },
          { value: "past", label: "Past" },
        ]}
        defaultValue={state}
      />
      <SelectField
        name="severity"
        label="Severity"
        blank="All"
        options={[
          { value: "page", label: "Told at once" },
          { value: "notify", label: "In the daily mail" },
        ]}
        defaultValue={severity}
      />
      <SelectField
        name="deployment"
        label="Deployment"
        blank="All"
        options={deployments}
        defaultValue={deployment}
      />
      <TextField
        name="server"
        label="Server"
        defaultValue={server}
        maxLength={100}
        autoComplete="off"
      />
      <SelectField
        name="days"
        label="Time"
        options={periods.map((each) => ({
          value: String(each),
          label: each === 1 ? "The last 24 hours" : `The last ${each} days`,
        }))}
        defaultValue={String(days)}
      />
      <Button type="submit" variant="secondary">
        Filter
      </Button>
    </Form>
  );
}

/** How many there are, and how long it took to acknowledge and to mend those that paged. */
export function IncidentSums({
  count,
  open,
  times,
}: Pick<IncidentList, "count" | "open" | "times">) {
  const after = (time: MeanTime, of: number) =>
    time ? `${durationWords(time.meanMs)} (${time.count} of ${of})` : "not known yet";
  const sums = [
    ["Incidents", `${count}, ${open} open`],
    ["Mean time to acknowledge", after(times.acknowledged, times.paged)],
    ["Mean time to mend", after(times.mended, times.paged)],
  ] as const;
  return (
    <dl className="mt-6 grid gap-x-10 gap-y-3 sm:grid-cols-3">
      {sums.map(([name, value]) => (
        <div key={name}>
          <dt className="text-sm text-ink-soft">{name}</dt>
          <dd className="font-mono tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

export function IncidentLines({
  lines,
  readAt,
}: {
  lines: readonly NamedIncident[];
  readAt: number;
}) {
  return (
    <ul aria-label="Incidents" className="mt-4 border-t border-line">
      {lines.map((line) => (
        <Line key={line.id} line={line} readAt={readAt} />
      ))}
    </ul>
  );
}

function Line({ line, readAt }: { line: NamedIncident; readAt: number }) {
  const base = useConsoleBase();
  const { id, server, titles, beganAt, endedAt, participants } = line;
  const [title = "Something was wrong", ...others] = titles;
  return (
    <li className="grid break-inside-avoid gap-y-1 border-b border-line py-3 text-sm">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <Link
          to={`${base}/incidents/${id}`}
          className="min-h-6 text-base font-strong wrap-anywhere hover:text-signal"
        >
          {`${server.name}: ${title}${others.length > 0 ? `, and ${others.length} more` : ""}`}
        </Link>
        <IncidentBadges line={line} />
        <span className="text-ink-soft wrap-anywhere">{line.deploymentName}</span>
      </div>
      <p className="flex flex-wrap gap-x-4 text-ink-soft">
        <span>
          <RecentMoment at={isoOf(beganAt)} />
        </span>
        <span>
          {endedAt === undefined
            ? `lasts for ${durationWords(readAt - beganAt)}`
            : `lasted ${durationWords(endedAt - beganAt)}`}
        </span>
        {participants === undefined ? null : (
          <span>{`${participants} in calls when it began`}</span>
        )}
        <span className="wrap-anywhere">{acknowledgedWords(line)}</span>
      </p>
    </li>
  );
}

/** Whether it is open, and what people have done about it. */
export function IncidentBadges({ line }: { line: NamedIncident }) {
  const { endedAt, isPaging, snoozedUntil, closedAs } = line;
  return (
    <>
      {endedAt === undefined ? (
        <Badge variant={isPaging ? "failure" : "warning"}>Open</Badge>
      ) : (
        <Badge variant="neutral">{closedAs ? closedWords[closedAs] : "Over"}</Badge>
      )}
      {snoozedUntil === undefined ? null : <Badge variant="neutral">Snoozed</Badge>}
    </>
  );
}

/** Who acknowledged it, and how long that took. */
export function acknowledgedWords({
  acknowledged,
  acknowledgedAfterMs,
  isPaging,
}: NamedIncident): string {
  if (!acknowledged) return isPaging ? "nobody acknowledged it" : "";
  const { who = "a member", note } = acknowledged;
  const words = `acknowledged by ${who} ${durationWords(acknowledgedAfterMs ?? 0)} after it paged`;
  return note ? `${words}: ${note}` : words;
}

export function Pages({ query, pages }: { query: IncidentQuery; pages: number }) {
  if (pages < 2) return null;
  const page = Math.min(query.page, pages);
  const to = (at: number) => `?${searchOf({ ...query, page: at })}`;
  return (
    <nav aria-label="Pages" className="mt-4 flex flex-wrap items-center gap-x-6 print:hidden">
      {page > 1 ? (
        <TextLink to={to(page - 1)} variant="standalone">
          Newer
        </TextLink>
      ) : null}
      <p className="text-sm text-ink-soft">{`Page ${page} of ${pages}`}</p>
      {page < pages ? (
        <TextLink to={to(page + 1)} variant="standalone">
          Older
        </TextLink>
      ) : null}
    </nav>
  );
}

const monthName = (month: string) =>
  new Intl.DateTimeFormat("en-US", { timeZone: "UTC", month: "short", year: "numeric" }).format(
    new Date(`${month}-01T00:00:00Z`),
  );

/** The uptime of the servers that were up least, by month. */
export function UptimeTable({ months, uptime }: Pick<IncidentList, "months" | "uptime">) {
  const base = useConsoleBase();
  return (
    <Table
      caption="Uptime of servers by month"
      columns={["Server", ...months.map(monthName)]}
      numeric
      compact
    >
      <tbody>
        {uptime.map(({ id, name, months: shares }) => (
          <tr key={id}>
            <th scope="row" className="wrap-anywhere">
              <TextLink to={`${base}/servers/${id}`}>{name}</TextLink>
            </th>
            {shares.map((share, at) => (
              <td key={months[at]}>{share === null ? "–" : uptimeWords(share)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
