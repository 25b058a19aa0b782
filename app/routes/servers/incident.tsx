import { data } from "react-router";
import * as z from "zod/mini";
import { CommandBox } from "~/features/deployments/page/command-box";
import { durationWords } from "~/features/servers/incidents/incident-figures";
import { acknowledgedWords, IncidentBadges } from "~/features/servers/incidents/incident-lists";
import { NextStep } from "~/features/servers/incidents/incident-sections";
import { incidentDetails } from "~/features/servers/incidents/incidents-view.server";
import { isoOf } from "~/features/servers/iso-of";
import { LiveLine } from "~/features/servers/live/live-line";
import { keepStaleData } from "~/features/servers/live/stale-data";
import { useLive } from "~/features/servers/live/use-live";
import { Fact, HistoryEntries } from "~/features/servers/pages/server-sections";
import { pageTitle } from "~/seo/page-meta";
import type { ConsoleHandle } from "~/ui/console/console-handle";
import { useConsoleBase } from "~/ui/console/console-path";
import { Section } from "~/ui/console/section";
import { Moment } from "~/ui/moment";
import { TextLink } from "~/ui/primitives/text-link";
import type { Route } from "./+types/incident";

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: pageTitle(loaderData ? `Incident of ${loaderData.server.name}` : "Incident") },
  { name: "robots", content: "noindex" },
];

const crumbData = z.object({ id: z.string(), server: z.object({ name: z.string() }) });

export const handle = {
  breadcrumbs({ loaderData, base }) {
    const list = { to: `${base}/incidents`, label: "Incidents" };
    const { data } = crumbData.safeParse(loaderData);
    return data ? [list, { to: `${list.to}/${data.id}`, label: data.server.name }] : [list];
  },
} satisfies ConsoleHandle;

export const clientMiddleware: Route.ClientMiddlewareFunction[] = [keepStaleData];

const unreadable =
  "Your incidents cannot be read right now. People are told as before. Please try again in a moment.";

export async function loader({ context, params }: Route.LoaderArgs) {
  const isId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(params.id);
  const incident = isId ? await incidentDetails(context, params.id) : null;
  if (incident === undefined) throw data(unreadable, { status: 503 });
  if (incident === null) throw data(null, { status: 404 });
  return incident;
}

export default function Incident({ loaderData: incident }: Route.ComponentProps) {
  const base = useConsoleBase();
  const { server, titles, beganAt, endedAt, readAt, participants, causes, before } = incident;
  const live = useLive(incident.live, server.isCluster ? "all" : [server.id]);
  const isOpen = endedAt === undefined;
  const page = server.isCluster
    ? `${base}/deployments/${server.id}#cluster`
    : `${base}/servers/${server.id}`;
  const acknowledged = acknowledgedWords(incident);
  return (
    <div className="pt-8">
      <h1 className="text-2xl wrap-anywhere">{titles[0]}</h1>
      <div role="status" className="mt-3 flex flex-wrap items-center gap-x-4 gap-y-2">
        <IncidentBadges line={incident} />
        <TextLink to={page}>
          {server.isCluster ? `Cluster: ${server.name}` : `Server: ${server.name}`}
        </TextLink>
        {server.deployment && !server.isCluster ? (
          <TextLink to={`${base}/deployments/${server.deployment}`}>
            {incident.deploymentName ? `Deployment: ${incident.deploymentName}` : "Deployment"}
          </TextLink>
        ) : null}
      </div>
      <LiveLine live={live} readAt={isoOf(readAt)} />
      {isOpen ? (
        <p className="mt-3">
          <TextLink to={page}>
            {`Acknowledge or snooze it on the ${server.isCluster ? "cluster" : "server"}’s page`}
          </TextLink>
        </p>
      ) : null}
      <div className="mt-8">
        <Section id="facts" title="When and how many">
          <dl className="border-t border-line text-sm">
            <Fact name="Began">
              <Moment at={isoOf(beganAt)} />
            </Fact>
            {isOpen ? null : (
              <Fact name="Ended">
                <Moment at={isoOf(endedAt)} />
              </Fact>
            )}
            <Fact name={isOpen ? "Lasts for" : "Lasted"}>
              {durationWords((endedAt ?? readAt) - beganAt)}
            </Fact>
            <Fact name="In calls when it began">{participants ?? "Not known"}</Fact>
            <Fact name="Answer">{acknowledged || "It waited for the daily mail"}</Fact>
          </dl>
        </Section>
        <Section
          id="causes"
          title="What was wrong"
          detail="With what the server's own doctor found at the first bad minute."
        >
          <ul className="border-t border-line">
            {causes.map((cause) => (
              <li key={cause.key} className="border-b border-line py-4">
                <h3 className="text-base font-strong tracking-normal wrap-anywhere">
                  {cause.title}
                </h3>
                <p className="text-sm text-ink-soft">
                  <span>Since </span>
                  <Moment at={isoOf(cause.since)} />
                  {cause.endedAt === undefined ? null : (
                    <span>
                      , until <Moment at={isoOf(cause.endedAt)} />
                    </span>
                  )}
                </p>
                {cause.found ? (
                  <p className="text-sm wrap-anywhere">{`Found then: ${cause.found}`}</p>
                ) : null}
                {cause.endedAt === undefined && isOpen ? (
                  <NextStep help={undefined} text={cause.next} />
                ) : null}
              </li>
            ))}
          </ul>
        </Section>
        <Section id="before" title="What changed before" detail="In the hour before it began.">
          {before.length > 0 ? (
            <HistoryEntries entries={before} />
          ) : (
            <p>Nothing that the server reported.</p>
          )}
        </Section>
        <Section id="figures" title="Figures of that time">
          <ul className="grid gap-2">
            {figuresOf(incident).map(({ id, name }) => (
              <li key={id}>
                <TextLink to={`${base}/servers/${id}?range=${rangeBack(readAt - beganAt)}#figures`}>
                  {`The figures of ${name}`}
                </TextLink>
              </li>
            ))}
          </ul>
        </Section>
        <Section
          id="text"
          title="A text to send afterwards"
          detail="What is known of it. Complete it, and send it to whom it concerns."
        >
          <CommandBox text={incident.text} label="the text" />
        </Section>
      </div>
    </div>
  );
}

/** The servers that it was about: of a cluster those that had a line in it. */
function figuresOf({
  server,
  causes,
}: Pick<Route.ComponentProps["loaderData"], "server" | "causes">): { id: string; name: string }[] {
  if (!server.isCluster) return [server];
  return [
    ...new Map(causes.flatMap(({ machine }) => (machine ? [[machine.id, machine]] : []))).values(),
  ];
}

const hourMs = 3_600_000;

const ranges = [
  ["1h", 1],
  ["6h", 6],
  ["48h", 48],
  ["7d", 168],
] as const;

/** The shortest range of figures that reaches back so far, and a little further. */
function rangeBack(ms: number): string {
  return ranges.find(([, hours]) => ms < 0.9 * hours * hourMs)?.[0] ?? "90d";
}
