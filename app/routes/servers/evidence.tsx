import { data } from "react-router";
import { evidenceCrumbs } from "~/features/servers/evidence-pages/evidence-crumbs";
import { EvidenceGaps } from "~/features/servers/evidence-pages/evidence-gaps";
import {
  CallList,
  EvidenceDays,
  NetworkTable,
} from "~/features/servers/evidence-pages/evidence-lists";
import { evidenceView } from "~/features/servers/evidence-pages/evidence-view.server";
import { HourPatterns } from "~/features/servers/evidence-pages/hour-patterns";
import { ExplanationDetails } from "~/features/servers/explanation/explanation-list";
import { HashSearch } from "~/features/servers/session-pages/hash-search";
import { pageTitle } from "~/seo/page-meta";
import type { ConsoleHandle } from "~/ui/console/console-handle";
import { useConsoleBase } from "~/ui/console/console-path";
import { Section } from "~/ui/console/section";
import { LinkButton } from "~/ui/primitives/button";
import { Card } from "~/ui/primitives/card";
import { TextLink } from "~/ui/primitives/text-link";
import type { Route } from "./+types/evidence";

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: pageTitle(loaderData ? `Why calls fail on ${loaderData.name}` : "Why calls fail") },
  { name: "robots", content: "noindex" },
];

export const handle = { breadcrumbs: evidenceCrumbs } satisfies ConsoleHandle;

const unreadable =
  "What apps said of calls cannot be read right now. Calls go on as before, and nothing is lost. Please try again in a moment.";

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const view = await evidenceView(context, params.id, new URL(request.url).searchParams);
  if (view === undefined) throw data(unreadable, { status: 503 });
  if (view === null) throw data(null, { status: 404 });
  return view;
}

export default function CallEvidence({ loaderData: view }: Route.ComponentProps) {
  const base = useConsoleBase();
  const { who, time, absence, calls, days, networks, hasNetworks, hours } = view;
  const page = `${base}/servers/${view.id}`;
  return (
    <div className="pt-8">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <h1 className="text-2xl wrap-anywhere">{`Why calls fail on ${view.name}`}</h1>
        {days.length > 0 ? (
          <LinkButton to={`${page}/evidence.csv`} reloadDocument variant="secondary">
            Download as CSV
          </LinkButton>
        ) : null}
      </div>
      <p className="mt-3 max-w-prose text-lg text-ink-soft">
        What your own app said of each call: which way it took, what was lost, and why somebody did
        not get in.
      </p>
      <p className="mt-2 max-w-prose text-sm">
        Names and addresses stay on the server. There <code>sudo livekit-deploy find NAME</code>{" "}
        says which hash a person has, and with an address which one its network has.{" "}
        <TextLink to="/docs/call-evidence">How it gets here</TextLink>
      </p>
      <HashSearch
        name="who"
        label="Person or network, by hash"
        value={who}
        time={time}
        action="Look up"
      />
      {who === "" ? null : calls.length > 0 ? (
        <>
          <section aria-label="By hour" className="mt-6">
            <HourPatterns hours={hours} whose="theirs" />
          </section>
          <CallList calls={calls} pathOf={(session) => `${page}/sessions/${session}`} />
        </>
      ) : (
        <>
          {absence ? (
            <Card as="section" className="mt-6">
              <h2 className="text-base font-strong wrap-anywhere">{absence.title}</h2>
              <ExplanationDetails explanation={absence} />
            </Card>
          ) : null}
          <p className="mt-6 max-w-prose">
            <span>{`Nothing came of this person or network ${time ? "about that time" : "in 90 days"}. `}</span>
            <span>
              Their app may not have reached the server at all, or does not send evidence: a link to
              the connection test says more.{" "}
            </span>
            <TextLink to="?">Show all</TextLink>
          </p>
        </>
      )}
      <EvidenceGaps days={days} hasNetworks={hasNetworks} />
      <div className="mt-10">
        {days.length === 0 ? (
          <p className="max-w-prose">
            No app has said anything yet. Put our small script, or one request, into yours:{" "}
            <TextLink to="/docs/call-evidence">how to do that</TextLink>
          </p>
        ) : (
          <Section
            id="days"
            title="By day"
            detail="Of the last 30 days with calls. A call counts on the day on which it began. Half of all calls, and 95 of 100, were at most as slow as it says."
            wide
          >
            <EvidenceDays days={days} />
          </Section>
        )}
        {who === "" && days.length > 0 ? (
          <Section
            id="hours"
            title="By hour"
            detail="Whether calls are bad at certain hours of the day."
            wide
          >
            <HourPatterns hours={hours} whose="all" />
          </Section>
        ) : null}
        {networks.length > 0 ? (
          <Section
            id="networks"
            title="Worst networks"
            detail="In which people did not get in, lost 5 % or more, or waited 400 ms or more, in 30 days."
            wide
          >
            <NetworkTable networks={networks} />
          </Section>
        ) : null}
      </div>
    </div>
  );
}
