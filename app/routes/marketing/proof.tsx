import type { ProofSection } from "~/features/marketing/proof/figures";
import { shownProof } from "~/features/marketing/proof/proof-page.server";
import { appContext } from "~/http/app-context";
import type { RouteHandle } from "~/http/route-handle";
import { pageMeta } from "~/seo/page-meta";
import { PageIntro } from "~/ui/primitives/page-intro";
import { TextLink } from "~/ui/primitives/text-link";
import type { Route } from "./+types/proof";

export const meta: Route.MetaFunction = () =>
  pageMeta({
    title: "Proof",
    description:
      "What was measured, when and on what: first boots, calls, recoveries and latencies, each figure from a recorded run, with the command that repeats it.",
    path: "/proof",
  });

export const handle = { isPublic: true, isReading: true } satisfies RouteHandle;

export const loader = ({ context }: Route.LoaderArgs) => shownProof(context.get(appContext));

export default function Proof({ loaderData: sections }: Route.ComponentProps) {
  return (
    <div className="page">
      <PageIntro title="Measured, not promised">
        <p>
          No figure here was typed by anybody: each comes from the record of a run, which says when
          it was and on what. A run in which one check failed leaves no record. The commands repeat
          them.
        </p>
      </PageIntro>
      {sections.map((section) => (
        <Section key={section.title} {...section} />
      ))}
      <p className="mt-16 max-w-prose border-t border-line pt-8 text-ink-soft">
        Uptime and latency of your servers depend on your cloud and on where your users are, so no
        figure here promises them. What we aim for with several servers is on{" "}
        <TextLink to="/cloud-architecture" className="text-ink">
          cloud architecture
        </TextLink>
        ; what your own servers do, the console shows you.
      </p>
    </div>
  );
}

function Section({ title, says, figures, run }: ProofSection) {
  const id = title.toLowerCase().replace(/[^a-z]+/g, "-");
  return (
    <section
      aria-labelledby={id}
      className="grid gap-x-12 gap-y-6 border-t border-line py-12 lg:grid-cols-[1fr_2fr]"
    >
      <div>
        <h2 id={id} className="text-xl">
          {title}
        </h2>
        <p className="mt-3 text-ink-soft">{says}</p>
      </div>
      <div className="min-w-0">
        <dl className="divide-y divide-line border-y border-line">
          {figures.map(({ name, value, range }) => (
            <div
              key={name}
              className="grid gap-x-6 py-3 sm:grid-cols-[1fr_minmax(9rem,auto)] sm:items-baseline"
            >
              <dt>{name}</dt>
              <dd className="font-mono text-lg sm:text-right">
                <span>{value}</span>
                {range ? <span className="block text-sm text-ink-soft">{range}</span> : null}
              </dd>
            </div>
          ))}
        </dl>
        <Origin {...run} />
      </div>
    </section>
  );
}

function Origin({ command, startedAt, seconds, machine, commit, versions }: ProofSection["run"]) {
  const programs = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  return (
    <p className="mt-4 text-sm text-ink-soft">
      Measured on <time dateTime={startedAt}>{startedAt.slice(0, 10)}</time>
      {`, in ${lasting(seconds)}, on ${[machine, ...programs].join(", ")}, at commit `}
      <code className="font-mono">{commit}</code>. To repeat it:
      <code className="mt-1 block font-mono text-ink">{command}</code>
    </p>
  );
}

const lasting = (seconds: number): string =>
  seconds < 100 ? `${seconds} s` : `${Math.round(seconds / 60)} minutes`;
