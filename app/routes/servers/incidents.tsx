import {
  IncidentFilter,
  IncidentLines,
  IncidentSums,
  Pages,
  UptimeTable,
} from "~/features/servers/incidents/incident-lists";
import { searchOf } from "~/features/servers/incidents/incident-query";
import { incidentsView } from "~/features/servers/incidents/incidents-view.server";
import { isoOf } from "~/features/servers/iso-of";
import { LiveLine } from "~/features/servers/live/live-line";
import { keepStaleData } from "~/features/servers/live/stale-data";
import { useLive } from "~/features/servers/live/use-live";
import { pageTitle } from "~/seo/page-meta";
import { useConsoleBase } from "~/ui/console/console-path";
import { Section } from "~/ui/console/section";
import { Moment } from "~/ui/moment";
import { LinkButton } from "~/ui/primitives/button";
import { Message } from "~/ui/primitives/message";
import { TextLink } from "~/ui/primitives/text-link";
import type { Route } from "./+types/incidents";

export const meta: Route.MetaFunction = () => [
  { title: pageTitle("Incidents") },
  { name: "robots", content: "noindex" },
];

export const clientMiddleware: Route.ClientMiddlewareFunction[] = [keepStaleData];

export function loader({ request, context }: Route.LoaderArgs) {
  return incidentsView(context, new URL(request.url).searchParams);
}

export default function Incidents({ loaderData: view }: Route.ComponentProps) {
  const base = useConsoleBase();
  const { query, list } = view;
  const live = useLive(view.live, "all");
  const search = searchOf({ ...query, page: 1 });
  const isNarrowed = search.size > 0;
  return (
    <div className="pt-8">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <h1 className="text-2xl">Incidents</h1>
        {list && list.count > 0 ? (
          <LinkButton to={`${base}/incidents.csv?${search}`} reloadDocument variant="secondary">
            Download as CSV
          </LinkButton>
        ) : null}
      </div>
      <p className="mt-3 max-w-prose text-lg text-ink-soft">
        What was wrong with your servers in the last 90 days, and who saw to it.{" "}
        <TextLink to={`${base}/alerts`}>Who is told</TextLink>.
      </p>
      {list ? (
        <LiveLine live={live} readAt={isoOf(list.readAt)} />
      ) : (
        <Message kind="warning" className="mt-6">
          Your incidents cannot be read right now. People are told as before. Please try again in a
          moment.
        </Message>
      )}
      {list && list.servers === 0 && !isNarrowed ? (
        <p className="mt-8 max-w-prose">
          No server reports to the console yet, so nothing can be wrong here.{" "}
          <TextLink to={`${base}/deployments`}>Connect a server</TextLink>
        </p>
      ) : null}
      {list && (list.servers > 0 || isNarrowed) ? (
        <>
          <IncidentFilter query={query} deployments={view.deployments} />
          {list.count === 0 ? (
            <p className="mt-6">
              {isNarrowed ? (
                <span>
                  No incident matches. <TextLink to="?">Show all</TextLink>
                </span>
              ) : (
                "Nothing was wrong in the last 90 days."
              )}
            </p>
          ) : (
            <>
              <IncidentSums {...list} />
              <IncidentLines lines={list.lines} readAt={list.readAt} />
              <Pages query={query} pages={list.pages} />
            </>
          )}
          {list.from === undefined ? null : (
            <p className="mt-4 max-w-prose text-sm text-ink-soft">
              There are more than can be listed: those since <Moment at={isoOf(list.from)} /> are
              here.
            </p>
          )}
          {list.uptime.length > 0 ? (
            <div className="mt-10">
              <Section
                id="uptime"
                title="Uptime"
                detail="The share of each month (UTC) in which a server was not down. Time in which nobody watched it does not count, nor what was our own fault; maintenance does."
              >
                <UptimeTable {...list} />
                <p className="mt-3 text-sm">
                  {list.servers > list.uptime.length ? (
                    <span>{`The ${list.uptime.length} of ${list.servers} servers that were up least. `}</span>
                  ) : null}
                  <TextLink
                    to={`${base}/incidents.csv?${new URLSearchParams([...search, ["of", "uptime"]])}`}
                    reloadDocument
                  >
                    {list.servers > list.uptime.length ? "All of them as CSV" : "As CSV"}
                  </TextLink>
                </p>
              </Section>
            </div>
          ) : null}
        </>
      ) : null}
    </div>
  );
}
