import { MeshDiagram } from "~/features/marketing/architecture/mesh-diagram";
import { RegionMap } from "~/features/marketing/architecture/region-map";
import { type Architecture, architectureTexts } from "~/features/marketing/page-texts.server";
import { appContext } from "~/http/app-context";
import type { RouteHandle } from "~/http/route-handle";
import { pageMeta } from "~/seo/page-meta";
import { EarlyAccess } from "~/ui/chrome/early-access";
import { LinkButton } from "~/ui/primitives/button";
import { PageIntro } from "~/ui/primitives/page-intro";
import { Table } from "~/ui/primitives/table";
import { TextLink } from "~/ui/primitives/text-link";
import type { Route } from "./+types/cloud-architecture";

export const meta: Route.MetaFunction = () =>
  pageMeta({
    title: "Cloud Architecture",
    description:
      "How several LiveKit instances work as one: signalling, thirteen locations, failover and scaling, and which form of a deployment has what.",
    path: "/cloud-architecture",
  });

export const handle = { isPublic: true, isReading: true } satisfies RouteHandle;

export const loader = ({ context }: Route.LoaderArgs) => architectureTexts(context.get(appContext));

export default function CloudArchitecture({ loaderData: texts }: Route.ComponentProps) {
  return (
    <div className="page">
      <PageIntro title="Cloud Architecture">
        <p>How several LiveKit servers of yours work as one, wherever your users are.</p>
      </PageIntro>
      <Claims {...texts} />
      <p className="mt-4 text-sm text-ink-soft">
        Targets of several servers, which nobody has measured. What we did measure is on{" "}
        <TextLink to="/proof" className="text-ink">
          Proof
        </TextLink>
        .
      </p>
      <Today {...texts} />
      <Mesh texts={texts} />
      <Features {...texts} />
      <Locations {...texts} />
      <div className="mt-24 grid gap-12 lg:grid-cols-2">
        <Rules title="Failover" rules={texts.failover} />
        <Rules title="Scaling" rules={texts.scaling} />
      </div>
      <div className="mt-16 flex flex-wrap gap-3">
        <EarlyAccess label="Get Early Access" />
        <LinkButton to="/docs/best-practices" variant="secondary">
          Read the best practices
        </LinkButton>
        <LinkButton to="/proof" variant="secondary">
          See what was measured
        </LinkButton>
      </div>
    </div>
  );
}

function Claims({ claims }: Architecture) {
  return (
    <dl className="grid border-y border-line max-md:divide-y max-md:divide-line md:grid-cols-3 md:divide-x md:divide-line">
      {claims.map(({ value, name, meaning }) => (
        <div key={name} className="flex flex-col py-6 md:px-8 md:first:pl-0 md:last:pr-0">
          <dt className="order-2 font-strong">{name}</dt>
          <dd className="font-mono text-2xl tracking-tight">{value}</dd>
          <dd className="order-3 mt-1 text-sm text-ink-soft">{meaning}</dd>
        </div>
      ))}
    </dl>
  );
}

function Today({ today: { title, says, links } }: Architecture) {
  return (
    <section aria-labelledby="today" className="mt-10 border-l-2 border-signal pl-6">
      <h2 id="today" className="text-lg">
        {title}
      </h2>
      <p className="mt-2 max-w-prose text-ink-soft">{says}</p>
      <h3 className="mt-4 font-strong">{links.title}</h3>
      <ul className="mt-2 grid gap-1">
        {links.pages.map(({ to, label }) => (
          <li key={to}>
            <TextLink to={to}>{label}</TextLink>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Mesh({ texts }: { texts: Architecture }) {
  return (
    <section aria-labelledby="mesh" className="mt-24">
      <h2 id="mesh" className="text-2xl">
        Three instances, one service
      </h2>
      <p className="mt-4 max-w-prose text-ink-soft">
        Each room lives on one instance, and media goes straight to it. The instances share one
        Redis: it knows which room lives where, and carries signalling from one to another.
      </p>
      <figure className="group/mesh mt-10">
        <MeshDiagram texts={texts} />
        <figcaption className="mt-6 flex flex-wrap items-center gap-x-8 gap-y-2 text-sm text-ink-soft">
          <span className="inline-flex items-center gap-3">
            <Line /> Media, over WebRTC
          </span>
          <span className="inline-flex items-center gap-3">
            <Line dotted /> Signalling and load reports
          </span>
          <span className="inline-flex items-center gap-3">
            <Line signal /> Somebody far from their room
          </span>
          <label className="inline-flex min-h-11 items-center gap-2 motion-reduce:hidden lg:ml-auto">
            <input type="checkbox" className="size-4 accent-signal" />
            Hold the packets still
          </label>
        </figcaption>
      </figure>
      <details className="group mt-4 border-y border-line">
        <summary className="py-4 font-strong hover:text-signal">The diagram as a table</summary>
        <MeshTable {...texts} />
      </details>
    </section>
  );
}

function Line({ dotted = false, signal = false }: { dotted?: boolean; signal?: boolean }) {
  return (
    <svg viewBox="0 0 36 4" width="36" height="4" aria-hidden="true">
      <path
        d="M2 2h32"
        strokeWidth="2"
        strokeLinecap="round"
        strokeDasharray={dotted ? "1 6" : undefined}
        className={signal ? "stroke-signal" : "stroke-line-strong"}
      />
    </svg>
  );
}

const meshColumns = ["Instance", "Location", "Rooms and their participants"];

function MeshTable({ instances, traveller }: Architecture) {
  return (
    <div className="pb-6">
      <Table caption="The instances, where they are and what they hold" columns={meshColumns}>
        <tbody>
          {instances.map(({ name, location, rooms }) => (
            <tr key={name}>
              <th scope="row" className="font-mono">
                {name}
              </th>
              <td>{location}</td>
              <td>{rooms.map((room) => `${room.name}: ${room.participants}`).join(", ")}</td>
            </tr>
          ))}
        </tbody>
      </Table>
      <p className="mt-4 max-w-prose text-sm text-ink-soft">
        {`All three talk to Redis, and to their participants. One participant of ${traveller.room} is near ${traveller.near}: it takes their signalling and passes it on through Redis, while their media goes straight to ${traveller.heldBy}.`}
      </p>
    </div>
  );
}

function Features({ features }: Architecture) {
  return (
    <section aria-labelledby="features" className="mt-24">
      <h2 id="features" className="text-2xl">
        What it is built on
      </h2>
      <ul className="mt-10 grid gap-x-8 gap-y-10 sm:grid-cols-2 lg:grid-cols-3">
        {features.map(({ name, description, forms }) => (
          <li key={name} className="flex flex-col border-t border-ink pt-5">
            <h3 className="text-lg">{name}</h3>
            <p className="mt-2 text-ink-soft">{description}</p>
            <p className="mt-auto pt-3 text-sm">
              <span className="font-strong">Has it today: </span>
              {forms}
            </p>
          </li>
        ))}
      </ul>
      <p className="mt-10 max-w-prose text-ink-soft">
        What was run of these forms, against LiveKit, Redis and Caddy as they are published, is on{" "}
        <TextLink to="/proof" className="text-ink">
          Proof
        </TextLink>
        .
      </p>
    </section>
  );
}

function Locations({ continents }: Architecture) {
  return (
    <section aria-labelledby="locations" className="mt-24">
      <h2 id="locations" className="text-2xl">
        Data-centre locations
      </h2>
      <p className="mt-4 max-w-prose text-ink-soft">
        Thirteen places where the supported clouds have data centres: the machines are yours, we run
        none. A deployment stands in one of them, or in any other region of its cloud.
      </p>
      <div className="mt-10">
        <RegionMap continents={continents} />
      </div>
      <ul className="mt-10 grid gap-8 sm:grid-cols-2 lg:grid-cols-4">
        {continents.map(({ name, regions }) => (
          <li key={name}>
            <h3 className="border-b border-line pb-2 text-base">{name}</h3>
            <ul className="mt-2">
              {regions.map((region) => (
                <li key={region.name} className="flex items-baseline justify-between gap-4 py-1">
                  {region.name}
                  <span className="text-sm text-ink-soft">{region.city}</span>
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Rules({ title, rules }: { title: string; rules: readonly string[] }) {
  return (
    <section aria-labelledby={title.toLowerCase()}>
      <h2 id={title.toLowerCase()} className="text-2xl">
        {title}
      </h2>
      <ul className="mt-6 divide-y divide-line border-y border-line">
        {rules.map((rule) => (
          <li key={rule} className="py-4 text-ink-soft">
            {rule}
          </li>
        ))}
      </ul>
    </section>
  );
}
