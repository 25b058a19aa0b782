import "~/features/marketing/home/boot-panel.client";
import { brand } from "~/content/chrome";
import { offers, priceLabel } from "~/content/plans";
import { BootPanel } from "~/features/marketing/home/boot-panel";
import { Comparison } from "~/features/marketing/home/comparison";
import { Answers, Fleet, Incident } from "~/features/marketing/home/console-screens";
import { FeatureIcon } from "~/features/marketing/home/feature-icon";
import { HowItWorks } from "~/features/marketing/home/how-it-works";
import { homeTexts, type Home as Texts } from "~/features/marketing/page-texts.server";
import { PlanSummary } from "~/features/marketing/plan-summary";
import { Questions } from "~/features/marketing/questions";
import { TryConsole } from "~/features/marketing/try-console";
import { stages } from "~/features/servers/state/state";
import { appContext } from "~/http/app-context";
import type { RouteHandle } from "~/http/route-handle";
import { absoluteUrl, pageMeta, type Thing } from "~/seo/page-meta";
import { EarlyAccess } from "~/ui/chrome/early-access";
import { CheckIcon } from "~/ui/primitives/icons";
import { Table } from "~/ui/primitives/table";
import { TextLink } from "~/ui/primitives/text-link";
import type { Route } from "./+types/home";

const description =
  "Deploy a production-ready LiveKit server on your own cloud: TLS, TURN, firewall, Docker Compose, systemd, Ingress and Egress.";

export const meta: Route.MetaFunction = () =>
  pageMeta({
    title: `${brand}: your own LiveKit server, set up for production`,
    description,
    path: "/",
    structured: [organization({ name: brand, description, contactPath: "/contact" })],
  });

export const handle = { isPublic: true, isReading: true } satisfies RouteHandle;

export async function loader({ context }: Route.LoaderArgs) {
  return { ...(await homeTexts(context.get(appContext))), stages: Object.values(stages) };
}

export default function Home({ loaderData: texts }: Route.ComponentProps) {
  return (
    <>
      <Hero texts={texts} />
      <Fleet />
      <HowItWorks {...texts} />
      <Incident {...texts} />
      <Answers {...texts} />
      <Features {...texts} />
      <Needs {...texts} />
      <Comparison {...texts} />
      <PlanSummary />
      <Questions title="Questions" pairs={texts.questions} />
      <Closing {...texts} />
    </>
  );
}

function Hero({ texts }: { texts: Texts }) {
  return (
    <section className="page grid items-start gap-x-12 gap-y-10 py-12 sm:py-20 lg:grid-cols-[1fr_1.1fr]">
      <div className="lg:pt-4">
        <h1 className="text-3xl">Deploy LiveKit Server with Confidence</h1>
        <p className="mt-6 max-w-prose text-lg text-ink-soft">
          Answer a few questions and get a bundle. Boot a virtual machine from it, on your own
          cloud, and your media server runs the way production needs it. The console watches it from
          then on.
        </p>
        <div className="mt-9 flex flex-wrap items-center gap-3">
          <EarlyAccess label="Get Early Access" />
          <TryConsole />
          <TextLink to="#how-it-works" variant="standalone" className="px-2">
            See how it works
          </TextLink>
        </div>
        <p className="mt-4 max-w-prose text-sm text-ink-soft">
          {`Open to everybody: buy a plan and boot a server today, from ${priceLabel(offers.basic)}.`}
        </p>
      </div>
      <BootPanel {...texts} />
    </section>
  );
}

function Features({ features }: Texts) {
  return (
    <section aria-labelledby="features" className="border-t border-line">
      <div className="page py-14 sm:py-20">
        <h2 id="features" className="max-w-[24ch] text-2xl">
          Everything between a fresh machine and the first call
        </h2>
        <ul className="mt-12 grid gap-x-10 gap-y-12 sm:grid-cols-2 lg:grid-cols-3">
          {features.map(({ icon, name, description, proof }) => (
            <li key={name} className="border-t border-line-strong pt-6">
              <FeatureIcon name={icon} />
              <h3 className="mt-5 text-lg">{name}</h3>
              <p className="mt-2 text-ink-soft">{description}</p>
              <p className="mt-4 font-mono text-sm">{proof}</p>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}

/** What somebody brings, and what the firewall opens. */
function Needs(texts: Texts) {
  return (
    <div className="border-t border-line bg-well">
      <div className="page grid gap-x-16 gap-y-14 py-14 sm:py-20 lg:grid-cols-2">
        <Prerequisites {...texts} />
        <Ports {...texts} />
      </div>
    </div>
  );
}

function Prerequisites({ prerequisites }: Texts) {
  return (
    <section aria-labelledby="prerequisites">
      <h2 id="prerequisites" className="text-2xl">
        Prerequisites
      </h2>
      <p className="mt-4 max-w-prose text-ink-soft">What you bring. We do the rest.</p>
      <ul className="mt-8 border-t border-line-strong">
        {prerequisites.map(({ name, detail }) => (
          <li key={name} className="flex gap-4 border-b border-line-strong py-5">
            <CheckIcon className="mt-1 shrink-0 text-signal" />
            <div>
              <p className="font-strong">{name}</p>
              <p className="mt-1 text-ink-soft">{detail}</p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

const portColumns = ["Port", "Purpose"];

function Ports({ ports }: Texts) {
  return (
    <section aria-labelledby="ports">
      <h2 id="ports" className="text-2xl">
        Required ports
      </h2>
      <p className="mt-4 mb-8 max-w-prose text-ink-soft">
        The bundle's firewall opens exactly these. Redis, metrics and the server's own API port are
        never public.
      </p>
      <Table caption="Required ports and what each is for" columns={portColumns}>
        <tbody>
          {ports.map(({ port, protocol, purpose }) => (
            <tr key={port}>
              <th scope="row" className="font-mono whitespace-nowrap tabular-nums">
                {protocol === "UDP" ? `${port}/UDP` : port}
              </th>
              <td>{purpose}</td>
            </tr>
          ))}
        </tbody>
      </Table>
    </section>
  );
}

function Closing({ claims }: Texts) {
  return (
    <section aria-labelledby="closing" className="border-t border-line">
      <div className="page grid gap-x-16 gap-y-10 py-14 sm:py-20 lg:grid-cols-2">
        <div>
          <h2 id="closing" className="max-w-[24ch] text-2xl">
            Global distribution, on infrastructure that you own
          </h2>
          <p className="mt-4 max-w-prose text-ink-soft">
            Read each file before you boot it. Look around in a console with servers that live,
            without an account. If you leave one day, your server stays.
          </p>
          <div className="mt-8 flex flex-wrap gap-3">
            <EarlyAccess label="Sign up" />
            <TryConsole />
          </div>
        </div>
        <div>
          <dl className="border-t border-line-strong">
            {claims.map(({ figure, label }) => (
              <div
                key={figure}
                className="grid grid-cols-[6rem_1fr] items-baseline gap-4 border-b border-line py-3"
              >
                <dt className="text-ink-soft">{label}</dt>
                <dd className="order-first font-mono tabular-nums">{figure}</dd>
              </div>
            ))}
          </dl>
          <p className="mt-4 flex flex-wrap gap-x-6 gap-y-2 text-sm">
            <TextLink to="/proof">What we measured, and how to run it</TextLink>
            <TextLink to="/cloud-architecture">The architecture</TextLink>
          </p>
        </div>
      </div>
    </section>
  );
}

/** Who is behind the site. */
function organization({
  name,
  description,
  contactPath,
}: {
  name: string;
  description: string;
  contactPath: string;
}) {
  return {
    "@type": "Organization",
    name,
    description,
    url: absoluteUrl("/"),
    logo: absoluteUrl("/icon-512.png"),
    contactPoint: {
      "@type": "ContactPoint",
      contactType: "customer support",
      url: absoluteUrl(contactPath),
      availableLanguage: "en",
    },
  } satisfies Thing;
}
