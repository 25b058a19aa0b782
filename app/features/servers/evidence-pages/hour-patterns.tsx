import { useMemo } from "react";
import { useTimeZone } from "~/ui/moment";
import { Message } from "~/ui/primitives/message";
import { Table } from "~/ui/primitives/table";
import { More } from "../../deployments/page/more";
import { confidences } from "../explanation/explanation-list";
import { badOf, type EvidenceHour } from "../room-sessions/evidence-hours";
import { hourAdvice, hourWords, lossOf, meanOf, type Whose } from "./hour-advice";
import { HourChart } from "./hour-chart";
import {
  clockHourOf,
  clockHours,
  type HourPattern,
  hourPattern,
  type LocalHour,
  localHours,
  minBadDays,
  minDays,
  type Stretch,
  sumOf,
} from "./hour-pattern";

const minuteMs = 60_000;

/**
 * Whether calls are bad at certain hours, by the clocks of the reader: what that means, and the figures by hour as charts
 * and a table. `whose`: those of one person or network, or all on the server.
 */
export function HourPatterns({ hours, whose }: { hours: readonly EvidenceHour[]; whose: Whose }) {
  const zone = useTimeZone();
  const local = useMemo(() => localHours(hours, zone), [hours, zone]);
  const pattern = useMemo(() => hourPattern(local), [local]);
  const minutes = Math.floor((local.at(-1)?.localMs ?? 0) / minuteMs) % 60;
  if (pattern.kind === "few") return <p className="max-w-prose">{fewWords(pattern, whose)}</p>;
  return (
    <div className="grid gap-6">
      {pattern.kind === "stretch" ? (
        <PatternMessage {...{ pattern, whose, minutes }} />
      ) : (
        <p className="max-w-prose">{noneWords(pattern, whose)}</p>
      )}
      <HourFigures
        hours={local}
        stretch={pattern.kind === "stretch" ? pattern.stretch : undefined}
        minutes={minutes}
      />
      <p className="text-sm text-ink-soft">{`Hours are those of ${zone.replaceAll("_", " ")}, of the last 30 days with calls.`}</p>
    </div>
  );
}

function PatternMessage({
  pattern,
  whose,
  minutes,
}: {
  pattern: Extract<HourPattern, { kind: "stretch" }>;
  whose: Whose;
  minutes: number;
}) {
  const { title, figures, cause, confidence, steps } = hourAdvice(pattern, whose, minutes);
  return (
    <Message kind={confidence === "unknown" ? "neutral" : "warning"}>
      <p className="text-lg font-strong wrap-anywhere">{title}</p>
      <p className="mt-1 text-sm">{figures}</p>
      <p className="mt-3">
        {confidence === "unknown" ? cause : `${cause} ${confidences[confidence]}`}
      </p>
      <ul className="mt-2 grid max-w-prose list-disc gap-1 pl-5 wrap-anywhere">
        {steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ul>
    </Message>
  );
}

const subjects = { theirs: "their calls", all: "calls" } as const;

function fewWords(
  { calls, days, badDays }: Extract<HourPattern, { kind: "few" }>,
  whose: Whose,
): string {
  const question = `to say whether ${subjects[whose]} are bad at certain hours`;
  if (days < minDays) {
    return `Not enough calls ${question}: ${calls} on ${daysWords(days)}. It takes ${minDays} days.`;
  }
  return `Not enough bad calls ${question}: there were some on ${daysWords(badDays)}. It takes ${minBadDays} days.`;
}

const daysWords = (days: number) => (days === 1 ? "1 day" : `${days} days`);

const noneWords = ({ calls, bad }: Extract<HourPattern, { kind: "none" }>, whose: Whose): string =>
  bad === 0
    ? `None of ${calls} calls was bad.`
    : `Nothing says that ${subjects[whose]} are worse at some hours than at others: ${bad} of ${calls} were bad.`;

/** Calls, loss and round trip by hour of the day, the first with its bad part. */
function HourFigures({
  hours,
  stretch,
  minutes,
}: {
  hours: readonly LocalHour[];
  stretch: Stretch | undefined;
  minutes: number;
}) {
  const rows = clockHours.map((clockHour) => {
    const all = hours.filter((hour) => clockHourOf(hour) === clockHour);
    return {
      ...{ clockHour, calls: sumOf(all, ({ calls }) => calls), bad: sumOf(all, badOf) },
      loss: meanOf(all, "lossPermille"),
      trip: meanOf(all, "roundTripMs"),
    };
  });
  const shared = { stretch, minutes };
  return (
    <div>
      <div className="grid gap-x-8 gap-y-6 sm:grid-cols-2 lg:grid-cols-3">
        <HourChart
          title="Calls, solid where bad"
          words={String}
          values={rows.map(({ calls }) => calls)}
          parts={rows.map(({ bad }) => bad)}
          {...shared}
        />
        <HourChart
          title="Packet loss"
          words={lossOf}
          values={rows.map(({ loss }) => loss)}
          {...shared}
        />
        <HourChart
          title="Round trip"
          words={tripWords}
          values={rows.map(({ trip }) => trip)}
          {...shared}
        />
      </div>
      <More summary="By hour as a table">
        <Table
          caption="Calls by hour of the day"
          columns={["From", "Calls", "Bad", "Packet loss", "Round trip"]}
          numeric
          compact
        >
          <tbody>
            {rows
              .filter(({ calls }) => calls > 0)
              .map(({ clockHour, calls, bad, loss, trip }) => (
                <tr key={clockHour}>
                  <th scope="row">{hourWords(clockHour, minutes)}</th>
                  <td>{calls}</td>
                  <td>{bad}</td>
                  <td>{loss === undefined ? "not measured" : lossOf(loss)}</td>
                  <td>{trip === undefined ? "not measured" : tripWords(trip)}</td>
                </tr>
              ))}
          </tbody>
        </Table>
      </More>
    </div>
  );
}

const tripWords = (value: number) => `${Math.round(value)} ms`;
