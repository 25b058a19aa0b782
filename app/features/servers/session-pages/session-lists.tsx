import { Moment } from "~/ui/moment";
import { Badge } from "~/ui/primitives/badge";
import { Table } from "~/ui/primitives/table";
import { TextLink } from "~/ui/primitives/text-link";
import { durationWords } from "../incidents/incident-figures";
import { isoOf } from "../iso-of";
import type { DaySum } from "../room-sessions/day-sums.server";
import type { Participant, RoomSession } from "../room-sessions/room-session";
import { clockWords } from "./agent-words";
import {
  endWords,
  kindWords,
  minutesOf,
  minuteWords,
  nameWords,
  reasonWords,
  stayWords,
  trackWords,
} from "./session-words";
import type { TimelineEntry } from "./timeline";

const dayMs = 86_400_000;

export function SessionTable({
  sessions,
  pathOf,
}: {
  sessions: readonly RoomSession[];
  pathOf: (sid: string) => string;
}) {
  return (
    <Table
      caption="Sessions"
      columns={["Room", "Began", "Lasted", "Participants", "Most at once", "Minutes"]}
      className="mt-4"
    >
      <tbody>
        {sessions.map((session) => (
          <tr key={session.sid}>
            <th scope="row" className="min-w-24 font-mono wrap-anywhere">
              <TextLink to={pathOf(session.sid)}>{nameWords(session.name)}</TextLink>
            </th>
            <td className="whitespace-nowrap">
              <Moment at={isoOf(session.startedAt)} />
            </td>
            <td className="min-w-28">
              <LengthWords session={session} />
            </td>
            <td className="font-mono tabular-nums">
              <span>{session.joined}</span>
              {session.aborted > 0 ? (
                <span className="font-sans text-failure">{`, ${session.aborted} not through`}</span>
              ) : null}
            </td>
            <td className="font-mono tabular-nums">{session.peak}</td>
            <td className="font-mono tabular-nums">{minuteWords(session)}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

export function LengthWords({ session }: { session: RoomSession }) {
  const { startedAt, endedAt, end } = session;
  if (endedAt === undefined) return <Badge variant="neutral">Under way</Badge>;
  const why = end && endWords[end];
  return <span>{`${durationWords(endedAt - startedAt)}${why ? ` (${why})` : ""}`}</span>;
}

/** By days, of which the newest comes first. */
export function DaySumTable({ days }: { days: readonly DaySum[] }) {
  return (
    <Table
      caption="Days"
      numeric
      columns={[
        ...["Day (UTC)", "Sessions", "Participants", "Participant-minutes", "Most at once"],
        ...["Not through", "Events lost"],
      ]}
    >
      <tbody>
        {days.map((sum) => (
          <tr key={sum.day}>
            <th scope="row" className="whitespace-nowrap">
              {isoOf(sum.day * dayMs).slice(0, 10)}
            </th>
            <td>{sum.sessions}</td>
            <td>{sum.joined}</td>
            <td>{minutesOf(sum.stayed)}</td>
            <td>{sum.peak}</td>
            <td>{sum.aborted}</td>
            <td>{sum.lost}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

export function ParticipantTable({
  participants,
  pathOf,
}: {
  participants: readonly Participant[];
  pathOf: (sid: string) => string;
}) {
  return (
    <Table
      caption="Participants"
      columns={["Identity", "Joined", "Stayed", "Left because", "Published"]}
    >
      <tbody>
        {participants.map((each) => (
          <tr key={each.sid}>
            <th scope="row" className="min-w-24 font-mono wrap-anywhere">
              <TextLink to={pathOf(each.sid)}>{nameWords(each.identity)}</TextLink>
              {kindWords(each.kind) ? (
                <span className="font-sans text-ink-soft">{` ${kindWords(each.kind)}`}</span>
              ) : null}
            </th>
            <td className="whitespace-nowrap">
              <Moment at={isoOf(each.joinedAt)} />
            </td>
            <td className="min-w-28">{each.isAborted ? "did not get through" : stayWords(each)}</td>
            <td className="min-w-40">{reasonWords(each)}</td>
            <td className="min-w-56">{each.tracks.map(trackWords).join(", ") || "nothing"}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

/** Beside the moment, how long after the first entry it was: turns of an agent are seconds apart. */
export function Timeline({ entries }: { entries: readonly TimelineEntry[] }) {
  const begun = entries[0]?.at ?? 0;
  return (
    <ol aria-label="What happened" className="border-t border-line">
      {entries.map(({ key, at, words, isFailure }) => (
        <li
          key={key}
          className="grid gap-x-6 border-b border-line py-2.5 text-sm sm:grid-cols-[15rem_1fr]"
        >
          <span className="flex justify-between gap-3 text-ink-soft">
            <Moment at={isoOf(at)} />
            <span className="font-mono tabular-nums">{clockWords(at - begun)}</span>
          </span>
          <span className={isFailure ? "text-failure wrap-anywhere" : "wrap-anywhere"}>
            {words}
          </span>
        </li>
      ))}
    </ol>
  );
}
