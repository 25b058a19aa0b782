import type { ReactNode } from "react";
import { Form } from "react-router";
import { CommandBox } from "~/features/deployments/page/command-box";
import { More } from "~/features/deployments/page/more";
import { useConsoleBase } from "~/ui/console/console-path";
import { Moment, RecentMoment } from "~/ui/moment";
import { Badge } from "~/ui/primitives/badge";
import { Button } from "~/ui/primitives/button";
import { CheckIcon } from "~/ui/primitives/icons";
import { Message } from "~/ui/primitives/message";
import { TextLink } from "~/ui/primitives/text-link";
import { NextStep } from "../incidents/incident-sections";
import type { HistoryEntry } from "../incidents/server-history";
import { isoOf } from "../iso-of";
import { peopleWords } from "../state/server-place";
import type { ServerDetails, StageLine } from "./server-details.server";

/** What happened to a server in the last 24 hours, newest first; what is older behind a fold. */
export function HistoryList({ history }: Pick<ServerDetails, "history">) {
  if (!history) {
    return (
      <Message kind="warning">
        What changed cannot be read right now. Please try again in a moment.
      </Message>
    );
  }
  const recent = history.filter(({ isRecent }) => isRecent);
  const older = history.filter(({ isRecent }) => !isRecent);
  return (
    <>
      {recent.length > 0 ? (
        <HistoryEntries entries={recent} />
      ) : (
        <p>{older.length > 0 ? "Nothing changed." : "Nothing changed since it connected."}</p>
      )}
      {older.length > 0 ? (
        <More summary={older.length === 1 ? "1 older change" : `${older.length} older changes`}>
          <HistoryEntries entries={older} />
        </More>
      ) : null}
    </>
  );
}

export function HistoryEntries({ entries }: { entries: readonly HistoryEntry[] }) {
  return (
    <ol className="border-t border-line">
      {entries.map(({ at, title, subject, from, to, parts }) => (
        <li key={`${at} ${title} ${subject}`} className="border-b border-line py-3">
          <p className="wrap-anywhere">
            <span className="font-strong">{title}</span>
            {subject ? <span className="font-mono text-sm"> {subject}</span> : null}
          </p>
          <p className="mt-1 text-sm wrap-anywhere text-ink-soft">
            <Moment at={isoOf(at)} />
            {from || to ? (
              <span>
                <span>{` · ${from ?? "nothing"}`}</span>
                <span aria-hidden="true"> → </span>
                <span className="sr-only">, now </span>
                <span>{to ?? "nothing"}</span>
              </span>
            ) : null}
          </p>
          {parts ? (
            <More summary={`The ${parts.length} steps of it`}>
              <ol className="grid gap-2 pb-2 text-sm">
                {parts.map((part) => (
                  <li key={`${part.at} ${part.words}`} className="wrap-anywhere">
                    <span className="text-ink-soft">
                      <Moment at={isoOf(part.at)} />
                    </span>{" "}
                    {part.words}
                  </li>
                ))}
              </ol>
            </More>
          ) : null}
        </li>
      ))}
    </ol>
  );
}

const doctorWords = {
  last: "The doctor of this server last looked:",
  none: "The doctor of this server has not looked yet.",
  fine: "It found nothing wrong.",
  wasFine: "When it last reported, it had found nothing wrong.",
};

/** Of a machine without our doctor. */
const judgedWords = {
  last: "Judged here by its last report:",
  none: "There is no report yet by which it could be judged.",
  fine: "Nothing in it is wrong.",
  wasFine: "Nothing in it was wrong.",
};

/** The findings of the machine's last doctor run and of its first boot, or of its last report, each with what to do. */
export function FindingsList({
  findings,
  doctorAt,
  isReporting,
  asItWas,
}: Pick<ServerDetails, "findings" | "doctorAt" | "isReporting" | "asItWas">) {
  const words = asItWas ? judgedWords : doctorWords;
  return (
    <>
      {doctorAt ? (
        <p className="text-sm text-ink-soft">
          {words.last} <RecentMoment at={doctorAt} />
        </p>
      ) : (
        <p>{words.none}</p>
      )}
      {findings.length > 0 ? (
        <ul className="mt-3 border-t border-line">
          {findings.map(({ key, title, found, next, help, badge, isCritical }) => (
            <li key={key} className="border-b border-line py-4">
              <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
                <Badge variant={isCritical ? "failure" : "warning"}>{badge}</Badge>
                <h3 className="text-base font-strong tracking-normal wrap-anywhere">{title}</h3>
                {found ? <p className="text-sm wrap-anywhere text-ink-soft">{found}</p> : null}
              </div>
              {next === undefined ? (
                <p className="mt-2 text-sm text-ink-soft">What to do is said above.</p>
              ) : (
                <NextStep text={next} help={help} />
              )}
            </li>
          ))}
        </ul>
      ) : doctorAt ? (
        <p className="mt-3">{isReporting ? words.fine : words.wasFine}</p>
      ) : null}
    </>
  );
}

/** The stages of a first boot, with the time of each that was reached. */
export function FirstBoot({ stages }: { stages: readonly StageLine[] }) {
  return (
    <ol className="border-t border-line">
      {stages.map(({ title, at, isNext }) => (
        <li
          key={title}
          aria-current={isNext ? "step" : undefined}
          className="grid min-h-11 grid-cols-[auto_minmax(0,1fr)] items-center gap-x-4 border-b border-line py-2"
        >
          <span
            aria-hidden="true"
            className={`flex size-6 items-center justify-center rounded-md ${
              at
                ? "bg-signal-well text-signal"
                : isNext
                  ? "border border-signal"
                  : "border border-line"
            }`}
          >
            {at ? <CheckIcon width="16" height="16" /> : null}
          </span>
          <span className="flex flex-wrap items-center gap-x-4">
            <span className="font-strong">{title}</span>
            <span className="text-sm text-ink-soft">
              {at ? <Moment at={at} /> : isNext ? "under way" : "to come"}
            </span>
          </span>
        </li>
      ))}
    </ol>
  );
}

/** Nobody watches this server: why, and what to do about it. */
export function Paused({
  why,
  mayKeep,
}: {
  why: NonNullable<ServerDetails["paused"]>;
  mayKeep: boolean;
}) {
  const base = useConsoleBase();
  return (
    <Message kind="warning" className="mt-6">
      {why === "plan-limit" ? (
        <p>
          This server runs as before. What it reports does not count and nobody is told when it is
          down, because the plan has fewer servers than are connected. If you keep this one, another
          pauses, and this one reports again within ten minutes.
        </p>
      ) : (
        <p>
          <span>{`This server runs as before. What it reports does not count and nobody is told when it is down, because the plan ${why === "plan-paused" ? "is paused" : "has ended"}. With a ${why === "plan-paused" ? "plan that runs" : "new plan"} under `}</span>
          <TextLink to={`${base}/billing`}>Billing</TextLink>
          <span> it reports again within an hour.</span>
        </p>
      )}
      {why === "plan-limit" && mayKeep ? (
        <Form method="post" className="mt-4">
          <Button type="submit" name="intent" value="keep" variant="secondary">
            Keep this server
          </Button>
        </Form>
      ) : null}
    </Message>
  );
}

/** Whom the failure of a server is about, and the ways to its machine. */
export function WayThere({ place: { people, login, provider } }: Pick<ServerDetails, "place">) {
  return (
    <div className="mt-4 grid max-w-prose gap-3">
      {people === undefined ? null : <p>{peopleWords(people)}</p>}
      {login ? <CommandBox text={login} label="the command that logs in" /> : null}
      {provider ? (
        <p>
          <TextLink to={provider.console}>{`The machine at ${provider.name}`}</TextLink>
        </p>
      ) : null}
    </div>
  );
}

/** What a server said of itself in its last report. */
export function ServerFacts({ server }: { server: ServerDetails }) {
  const { addresses, services, certificates, backupAt, rebootPending } = server;
  const { enrolledAt, lastReportAt, place, otherDomain, cores, traffic } = server;
  const { bootedAt, liveKitSince } = server;
  return (
    <dl className="border-t border-line text-sm">
      <Fact name="Connected since">
        <Moment at={enrolledAt} />
      </Fact>
      {lastReportAt ? (
        <Fact name="Last report">
          <Moment at={lastReportAt} />
        </Fact>
      ) : null}
      {bootedAt ? (
        <Fact name="First report since its boot">
          <Moment at={bootedAt} />
        </Fact>
      ) : null}
      {liveKitSince ? (
        <Fact name="LiveKit started">
          <Moment at={liveKitSince} />
        </Fact>
      ) : null}
      {place.domain ? (
        <Fact name="Domain">
          <span className="font-mono">{place.domain}</span>
          {otherDomain ? (
            <span className="block text-warning">{`Its deployment is for ${otherDomain}.`}</span>
          ) : null}
        </Fact>
      ) : null}
      {addresses.map(({ family, address }) => (
        <Fact key={address} name={`IPv${family}`}>
          <span className="font-mono">{address}</span>
        </Fact>
      ))}
      {place.login ? (
        <Fact name="Log in">
          <code className="font-mono">{place.login}</code>
        </Fact>
      ) : null}
      {place.provider ? (
        <Fact name="Machine">
          <TextLink to={place.provider.console}>{`Its page at ${place.provider.name}`}</TextLink>
        </Fact>
      ) : null}
      {cores === undefined ? null : <Fact name="Processor cores">{cores}</Fact>}
      {services.map(({ name, image, state, health }) => (
        <Fact key={name} name={name}>
          <span className="font-mono">{image}</span> {[state, health].filter(Boolean).join(", ")}
        </Fact>
      ))}
      {certificates.map(({ name, ends }) => (
        <Fact key={name} name={`Certificate of ${name}`}>
          ends <Moment at={ends} />
        </Fact>
      ))}
      {traffic ? (
        <Fact name={`Sent in ${traffic.month}`}>
          {traffic.sent}, received {traffic.received}
        </Fact>
      ) : null}
      {backupAt ? (
        <Fact name="Last backup">
          <Moment at={backupAt} />
        </Fact>
      ) : null}
      {rebootPending ? <Fact name="System update">waits for a reboot</Fact> : null}
    </dl>
  );
}

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid gap-x-4 border-b border-line py-2 wrap-anywhere sm:grid-cols-[12rem_minmax(0,1fr)]">
      <dt className="text-ink-soft">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Another machine used the server's key, and waits for somebody to answer. */
export function TakeOver({
  request,
  mayAnswer,
}: {
  request: NonNullable<ServerDetails["request"]>;
  mayAnswer: boolean;
}) {
  return (
    <Message kind="warning" className="mt-6">
      <p>
        Another machine wants to replace this server:{" "}
        <span className="font-mono wrap-anywhere">{request.instance}</span>, since{" "}
        <RecentMoment at={request.at} />. Allow it if you made the machine anew. If you made a copy,
        refuse it: two machines cannot have one key.
      </p>
      {mayAnswer ? (
        <Form method="post" className="mt-4 flex flex-wrap gap-3">
          <input type="hidden" name="asked" value={request.at} />
          <Button type="submit" name="intent" value="allow" variant="secondary">
            Allow
          </Button>
          <Button type="submit" name="intent" value="refuse" variant="secondary">
            Refuse
          </Button>
        </Form>
      ) : null}
    </Message>
  );
}
