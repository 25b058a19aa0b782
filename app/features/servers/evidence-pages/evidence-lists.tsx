import { Moment } from "~/ui/moment";
import { Badge } from "~/ui/primitives/badge";
import { Card } from "~/ui/primitives/card";
import { Table } from "~/ui/primitives/table";
import { TextLink } from "~/ui/primitives/text-link";
import { ExplanationDetails, nothingWrong } from "../explanation/explanation-list";
import { isoOf } from "../iso-of";
import {
  type EvidenceDay,
  lossSteps,
  type NetworkSum,
  roundTripSteps,
} from "../room-sessions/evidence-sums";
import type { StoredEvidence } from "../room-sessions/evidence-table.server";
import { nameWords } from "../session-pages/session-words";
import type { EvidenceLine } from "./evidence-view.server";
import {
  failureCounts,
  failureName,
  figureWords,
  lossWords,
  shareWords,
  stepWords,
} from "./evidence-words";

const dayMs = 86_400_000;

/** The calls of somebody, the newest first: when, from where, which way, what failed and what to do. */
export function CallList({
  calls,
  pathOf,
}: {
  calls: readonly EvidenceLine[];
  pathOf: (session: string) => string;
}) {
  return (
    <ol className="mt-6 grid gap-3" aria-label="Calls">
      {calls.map((call) => (
        <Card as="li" key={call.id}>
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-ink-soft">
            <Badge variant={call.state === "failed" ? "failure" : "neutral"}>
              {call.state === "failed" ? "Did not get in" : "Got in"}
            </Badge>
            <Moment at={isoOf(call.firstAt)} />
          </p>
          <h2 className="mt-2 text-base font-strong wrap-anywhere">
            {call.explanation?.title ?? nothingWrong}
          </h2>
          {call.explanation ? <ExplanationDetails explanation={call.explanation} /> : null}
          <CallFacts call={call} pathOf={pathOf} />
        </Card>
      ))}
    </ol>
  );
}

function CallFacts({ call, pathOf }: { call: EvidenceLine; pathOf: (session: string) => string }) {
  const { identity, network, session, participant, roomName, browser, sdk } = call;
  const facts = [
    ["Person", nameWords(identity)],
    ["Network", network ? network.slice(0, 6) : "not known"],
    ["Way", call.state === "failed" ? failureName(call.failure) : figureWords(call)],
    ["App", [browser, sdk].filter(Boolean).join(", ") || "not known"],
  ] as const;
  return (
    <dl className="mt-3 grid gap-x-8 gap-y-1 text-sm sm:grid-cols-[auto_1fr]">
      {facts.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-ink-soft">{name}</dt>
          <dd className="wrap-anywhere">{value}</dd>
        </div>
      ))}
      <div className="contents">
        <dt className="text-ink-soft">Room</dt>
        <dd className="font-mono wrap-anywhere">
          {session ? (
            <TextLink to={pathOf(session)}>{nameWords(roomName)}</TextLink>
          ) : (
            nameWords(roomName)
          )}
        </dd>
      </div>
      {session && participant ? (
        <div className="contents">
          <dt className="text-ink-soft">Call</dt>
          <dd>
            <TextLink to={`${pathOf(session)}/${participant}`}>Explain this call</TextLink>
          </dd>
        </div>
      ) : null}
    </dl>
  );
}

/** What apps said of the calls in one session. */
export function SessionCalls({
  calls,
  pathOf,
}: {
  calls: readonly StoredEvidence[];
  pathOf: (identity: string) => string;
}) {
  return (
    <Table caption="Ways of the calls" columns={["Identity", "Way and figures", "App", "Fault"]}>
      <tbody>
        {calls.map((call) => (
          <tr key={call.id}>
            <th scope="row" className="font-mono wrap-anywhere">
              <TextLink to={pathOf(call.identity)}>{nameWords(call.identity)}</TextLink>
            </th>
            <td>{figureWords(call)}</td>
            <td>{[call.browser, call.sdk].filter(Boolean).join(", ") || "not known"}</td>
            <td>{call.failure ? failureName(call.failure) : "none"}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

const milliseconds = (value: number) => `${value} ms`;

export function EvidenceDays({ days }: { days: readonly EvidenceDay[] }) {
  return (
    <Table
      caption="Calls by day"
      columns={[
        ...["Day (UTC)", "Calls", "Ways", "Round trip, half", "Round trip, 95 %"],
        ...["Loss, 95 %", "Did not get in"],
      ]}
    >
      <tbody>
        {days.map((sum) => (
          <tr key={sum.day}>
            <th scope="row" className="whitespace-nowrap">
              {isoOf(sum.day * dayMs).slice(0, 10)}
            </th>
            <td className="font-mono tabular-nums">{sum.calls}</td>
            <td className="min-w-40">{shareWords(sum)}</td>
            <td className="whitespace-nowrap">
              {stepWords(sum.roundTrip?.half, roundTripSteps, milliseconds)}
            </td>
            <td className="whitespace-nowrap">
              {stepWords(sum.roundTrip?.most, roundTripSteps, milliseconds)}
            </td>
            <td className="whitespace-nowrap">{stepWords(sum.loss?.most, lossSteps, lossWords)}</td>
            <td>{failureCounts(sum.failures)}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

/** Networks in which calls were bad, the worst first. */
export function NetworkTable({ networks }: { networks: readonly NetworkSum[] }) {
  return (
    <Table
      caption="Networks, the worst first"
      columns={["Network", "Calls and tries", "Of these bad"]}
    >
      <tbody>
        {networks.map(({ network, calls, bad }) => (
          <tr key={network}>
            <th scope="row" className="font-mono">
              <TextLink to={`?who=${network}`}>{network.slice(0, 6)}</TextLink>
            </th>
            <td className="font-mono tabular-nums">{calls}</td>
            <td className="font-mono tabular-nums">{bad}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
