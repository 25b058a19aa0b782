import { Moment } from "~/ui/moment";
import { Card } from "~/ui/primitives/card";
import { TextLink } from "~/ui/primitives/text-link";
import type { AuditChange, AuditLine, AuditView } from "./audit-log.server";
import { fill } from "./fill";

type Labels = AuditView["labels"];

/** The lines of the audit log, fifty on a page, and the ways to the others. */
export function AuditList({
  lines,
  view: { labels, older, isNewest },
}: {
  lines: readonly AuditLine[];
  view: AuditView;
}) {
  return (
    <>
      {lines.length === 0 ? (
        <p className="mt-8 max-w-prose">{isNewest ? labels.empty : labels.end}</p>
      ) : (
        <Card as="ul" flush className="mt-8 divide-y divide-line">
          {lines.map((line) => (
            <li key={line.id} className="p-4 sm:px-6">
              <Line line={line} labels={labels} />
            </li>
          ))}
        </Card>
      )}
      {isNewest && older === undefined ? null : (
        <p className="mt-3 flex gap-6">
          {isNewest ? null : (
            <TextLink to="?" variant="standalone">
              {labels.newest}
            </TextLink>
          )}
          {older === undefined ? null : (
            <TextLink to={`?before=${older}`} variant="standalone">
              {labels.older}
            </TextLink>
          )}
        </p>
      )}
    </>
  );
}

function Line({
  line: { who, what, at, network, changes },
  labels,
}: {
  line: AuditLine;
  labels: Labels;
}) {
  return (
    <>
      <p className="font-strong wrap-anywhere">{what}</p>
      <p className="mt-1 text-sm wrap-anywhere text-ink-soft">
        <span>{who} · </span>
        <Moment at={at} />
        <span>{network ? ` · ${fill(labels.network, { network })}` : null}</span>
      </p>
      {changes.length > 0 ? (
        <dl className="mt-2 text-sm">
          {changes.map((change) => (
            <Change key={change.field} change={change} now={labels.now} />
          ))}
        </dl>
      ) : null}
    </>
  );
}

function Change({ change: { field, before, after }, now }: { change: AuditChange; now: string }) {
  return (
    <div className="grid gap-x-4 py-0.5 wrap-anywhere sm:grid-cols-[12rem_minmax(0,1fr)]">
      <dt className="text-ink-soft">{field}</dt>
      <dd>
        <span>{before}</span>
        {before !== undefined && after !== undefined ? (
          <>
            <span aria-hidden="true"> → </span>
            <span className="sr-only">, {now} </span>
          </>
        ) : null}
        <span>{after}</span>
      </dd>
    </div>
  );
}
