import { data, Form, redirect, useNavigation, useSearchParams } from "react-router";
import { orUndefined } from "~/features/servers/fleets.server";
import { AcknowledgedBy } from "~/features/servers/incidents/incident-sections";
import { morningHour, untilMorning } from "~/features/servers/incidents/morning";
import { isoOf } from "~/features/servers/iso-of";
import type { LinkAct, LinkView } from "~/features/servers/notifications/linked-incidents.server";
import { worst, worstCause } from "~/features/servers/notifications/message-words";
import { byName } from "~/features/servers/pages/server-needs";
import { appContext } from "~/http/app-context";
import { readForm } from "~/http/body.server";
import { tooOften, withinLimit } from "~/http/rate-limit.server";
import { pageTitle } from "~/seo/page-meta";
import { BrandMark } from "~/ui/chrome/brand";
import { personalBase } from "~/ui/console/console-path";
import { RecentMoment } from "~/ui/moment";
import { Button } from "~/ui/primitives/button";
import { TextField } from "~/ui/primitives/fields";
import { Message } from "~/ui/primitives/message";
import { TextLink } from "~/ui/primitives/text-link";
import { nextHour } from "~/ui/time-zones";
import type { Route } from "./+types/acknowledge";

export const meta: Route.MetaFunction = () => [
  { title: pageTitle("Acknowledge") },
  { name: "robots", content: "noindex" },
  { name: "referrer", content: "same-origin" },
];

/** What each act says once it is done; a GET changes nothing. */
const acts: Record<LinkAct, string> = {
  acknowledge: "Acknowledged. It is not told again.",
  "snooze-hour": "Snoozed for 1 hour.",
  "snooze-morning": "Snoozed until morning.",
};
const isAct = (name: string): name is LinkAct => Object.hasOwn(acts, name);

const refusals = {
  used: [409, "This link has done that already. The next message has a new one."],
  over: [409, "It is over already."],
  gone: [404, "This link is not known, or it is too old. Sign in to see your servers."],
  "too-often": [429, tooOften],
  away: [503, "Your servers cannot be reached right now. Nothing was changed. Please try again."],
} as const;

function refused(why: keyof typeof refusals) {
  const [status, message] = refusals[why];
  return data({ message }, { status });
}

/** Changes nothing: programs that look through mails open every link. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const found = await orUndefined(
    app.bindings.FLEETS.linkedIncidents(linkOf(request)).then((view) => ({ view })),
  );
  if (!found) return refused("away");
  const { view } = found;
  if (view === undefined) return refused("gone");
  if (view === "too-often") return refused(view);
  return { ...view, incidents: view.incidents.map(lineOf).sort(byName) };
}

/** With the time that the message and the server's page have: a silence begins before its incident. */
function lineOf(incident: LinkView["incidents"][number]) {
  const { id, server, openedAt, closedAt, acknowledged, snoozedUntil = 0, place } = incident;
  return {
    ...{ id, name: server.name, title: worst(incident) },
    where: [place?.deployment, place?.domain].filter(Boolean).join(", "),
    since: isoOf(worstCause(incident)?.since ?? openedAt),
    closedAt: isoOf(closedAt),
    acknowledged: acknowledged && { ...acknowledged, at: isoOf(acknowledged.at) },
    snoozedUntil: snoozedUntil > Date.now() ? isoOf(snoozedUntil) : undefined,
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  const app = context.get(appContext);
  if (!(await withinLimit(app, "LOOK_LIMIT", request))) return refused("too-often");
  const link = linkOf(request);
  const form = await readForm(request);
  const act = form.get("act") ?? "";
  if (!isAct(act)) return refused("gone");
  const note = (form.get("note") ?? "").trim().slice(0, 200);
  const until = snoozeEnd(act);
  const outcome = await orUndefined(
    app.bindings.FLEETS.actByLink(link, { act, note, ...(until === undefined ? {} : { until }) }),
  );
  if (outcome !== "done") return refused(outcome ?? "away");
  return redirect(`/acknowledge?${new URLSearchParams({ link, done: act })}`, 303);
}

/** Of the morning the fleet knows better: it has a time zone. One of before takes that of UTC. */
function snoozeEnd(act: LinkAct): number | undefined {
  if (act === "acknowledge") return;
  return act === "snooze-hour" ? Date.now() + 3_600_000 : nextHour(morningHour, "UTC", Date.now());
}

const linkOf = (request: Request): string => new URL(request.url).searchParams.get("link") ?? "";

export default function Acknowledge({ loaderData: view, actionData }: Route.ComponentProps) {
  const [search] = useSearchParams();
  const done = search.get("done") ?? "";
  const message = actionData?.message ?? ("message" in view ? view.message : undefined);
  return (
    <div className="page flex min-h-[70vh] items-start justify-center pt-12 pb-20 sm:pt-20">
      <div className="w-full max-w-[360px]">
        <BrandMark className="mb-4" />
        <h1 className="text-xl wrap-anywhere">{"incidents" in view ? titleOf(view) : pageName}</h1>
        {message ? (
          <Message kind="failure" className="mt-5">
            {message}
          </Message>
        ) : isAct(done) ? (
          <Message kind="success" className="mt-5">
            {acts[done]}
          </Message>
        ) : null}
        {"incidents" in view ? (
          <Incidents view={view} />
        ) : (
          <p className="mt-6">
            <TextLink to={personalBase}>Your servers</TextLink>
          </p>
        )}
      </div>
    </div>
  );
}

const pageName = "Acknowledge";

type View = Extract<Route.ComponentProps["loaderData"], { incidents: unknown }>;

function titleOf({ incidents, count }: View): string {
  const [first] = incidents;
  if (!first) return "It is over";
  if (count > 1) return `${count} servers are not well`;
  return first.closedAt ? `It is over: ${first.name}` : `${first.name}: ${first.title}`;
}

function Incidents({ view: { incidents, count, waiting, workspace, zone } }: { view: View }) {
  const busy = useNavigation().state !== "idle";
  const isOpen = incidents.some(({ closedAt }) => closedAt === undefined);
  return (
    <>
      <ul className="mt-5 grid gap-3">
        {incidents.map(
          ({ id, name, title, where, since, closedAt, acknowledged, snoozedUntil }) => (
            <li key={id} className="wrap-anywhere">
              {count > 1 || closedAt ? <strong>{`${name}: ${title}. `}</strong> : null}
              {where ? <span>{`${where}. `}</span> : null}
              <span>Since </span>
              <RecentMoment at={since} />
              {closedAt ? (
                <span>
                  , over since <RecentMoment at={closedAt} />.
                </span>
              ) : (
                <span>
                  . <AcknowledgedBy acknowledged={acknowledged} />
                </span>
              )}
              {snoozedUntil ? (
                <span>
                  {" "}
                  Snoozed until <RecentMoment at={snoozedUntil} />.
                </span>
              ) : null}
            </li>
          ),
        )}
      </ul>
      {count > incidents.length ? (
        <p className="mt-3">{`And ${count - incidents.length} more.`}</p>
      ) : null}
      {waiting > 0 ? (
        <Form method="post" replace className="mt-6 grid gap-4 print:hidden">
          <TextField name="note" label="Note for the others (optional)" maxLength={200} />
          <Button type="submit" name="act" value="acknowledge" disabled={busy}>
            {waiting === 1 ? "Acknowledge" : `Acknowledge ${waiting} incidents`}
          </Button>
        </Form>
      ) : null}
      {isOpen ? (
        <Form method="post" replace className="mt-6 flex flex-wrap items-center gap-3 print:hidden">
          <span>Tell nobody</span>
          <Button type="submit" name="act" value="snooze-hour" variant="secondary" disabled={busy}>
            for 1 hour
          </Button>
          <Button
            type="submit"
            name="act"
            value="snooze-morning"
            variant="secondary"
            disabled={busy}
          >
            {untilMorning(zone)}
          </Button>
        </Form>
      ) : null}
      <p className="mt-6">
        <TextLink
          to={new URL(workspace.address).pathname}
        >{`The console of ${workspace.name}`}</TextLink>
      </p>
    </>
  );
}
