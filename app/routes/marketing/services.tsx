import { lazy, useState } from "react";
import { data, Form, type ShouldRevalidateFunctionArgs, useSearchParams } from "react-router";
import { deploymentFields } from "~/content/deployment-fields";
import type { Service } from "~/content/services";
import { guardedForVisitors } from "~/features/auth/guard.server";
import { sessionContext } from "~/features/auth/session/session.server";
import { clearDraft, type Draft } from "~/features/deployments/draft/draft";
import {
  refusedAnswers,
  type SavedAnswers,
  saveAnswers,
} from "~/features/deployments/draft/save-answers.server";
import { ServiceIcon } from "~/features/deployments/draft/service-icon";
import { useDraft } from "~/features/deployments/draft/use-draft";
import { describedServices } from "~/features/marketing/page-texts.server";
import { ServiceScreens } from "~/features/marketing/service-screens";
import { lastWorkspace } from "~/features/workspaces/workspace.server";
import { appContext } from "~/http/app-context";
import { readForm } from "~/http/body.server";
import type { RouteHandle } from "~/http/route-handle";
import { pageMeta } from "~/seo/page-meta";
import { Button } from "~/ui/primitives/button";
import { ArrowIcon, CheckIcon } from "~/ui/primitives/icons";
import { PageIntro } from "~/ui/primitives/page-intro";
import { TextButton } from "~/ui/primitives/text-link";
import { openedHere } from "~/ui/primitives/use-close";
import type { Route } from "./+types/services";

export const meta: Route.MetaFunction = () =>
  pageMeta({
    title: "Services",
    description:
      "Cloud and region, certificates, TURN and firewall, monitoring, Ingress and Egress, updates and backups: try the choices that make a LiveKit server.",
    path: "/services",
  });

export const handle = { isPublic: true } satisfies RouteHandle;

/** Every word of the page is in its document already: the script does not bring it again. */
export const loader = async ({ context }: Route.LoaderArgs) => ({
  services: await describedServices(context.get(appContext)),
});

/** The page is the same for everybody; the answers of a signed-in user are saved. */
export const action = guardedForVisitors({
  refused: (refusal) => answer(refusedAnswers(refusal)),
  async allowed({ request, context }: Route.ActionArgs, principal) {
    if (!principal) return answer({ kind: "demo" });
    const app = context.get(appContext);
    const session = context.get(sessionContext);
    const workspace = await lastWorkspace(request, context);
    const scope = { context: app, session, principal, workspace };
    return answer(await saveAnswers(scope, await readForm(request)));
  },
});

function answer(outcome: SavedAnswers) {
  return data(outcome, { status: outcome.kind === "refused" ? outcome.status : 200 });
}

/** Opening a dialog changes the address, not the words. */
export function shouldRevalidate({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs) {
  return currentUrl.pathname !== nextUrl.pathname;
}

const loadDialog = () => import("~/features/deployments/draft/service-dialog");
const ServiceDialog = lazy(loadDialog);

/** The dialog's script comes when somebody is about to open one; if it fails now, it may not then. */
const prepareDialog = () => void loadDialog().catch(() => undefined);

export default function Services({ loaderData: { services } }: Route.ComponentProps) {
  const [parameters] = useSearchParams();
  const draft = useDraft();
  const [leftBlank, setLeftBlank] = useState(false);
  const open = services.find(({ kind }) => kind === parameters.get("service"));

  return (
    <div className="page">
      <PageIntro title="Our Services">
        <p>
          Six groups of choices make a LiveKit server of your own. Answer them in any order; the
          answers become the files that boot it, and the console watches what they booted.
        </p>
      </PageIntro>
      <SavedChoices draft={draft} leftBlank={leftBlank} />
      <ul className="border-b border-line" onPointerEnter={prepareDialog} onFocus={prepareDialog}>
        {services.map((service) => (
          <ServiceRow key={service.kind} service={service} draft={draft} />
        ))}
      </ul>
      <ServiceScreens />
      {open ? (
        <ServiceDialog
          key={open.kind}
          service={open}
          onConfigured={(choices) => setLeftBlank(choices === 0)}
        />
      ) : null}
    </div>
  );
}

function SavedChoices({
  draft,
  leftBlank,
}: {
  draft: Draft;
  /** Whether the service that was configured last was left without a choice. */
  leftBlank: boolean;
}) {
  const count = Object.values(draft).filter(Boolean).length;
  return (
    // Stays in sight: the dialog that kept a choice closes far down the page.
    <div
      role="status"
      className="top-16 z-10 -mt-4 not-empty:sticky flex min-h-14 flex-wrap items-center gap-x-4 not-empty:bg-paper text-ink-soft"
    >
      {leftBlank ? <span>Nothing was chosen.</span> : null}
      {count > 0 ? (
        <>
          <span>
            <span>{`${count === 1 ? "1 choice is" : `${count} choices are`} kept`}</span>
            <span className="max-sm:sr-only"> in this browser, nowhere else</span>
            <span>.</span>
          </span>
          <TextButton onClick={clearDraft} className="min-h-11 text-ink">
            {count === 1 ? "Clear it" : "Clear them"}
          </TextButton>
        </>
      ) : null}
    </div>
  );
}

function ServiceRow({ service, draft }: { service: Service; draft: Draft }) {
  const heading = `service-${service.kind}`;
  const choices = service.fields.flatMap((field) => {
    const answer = draft[field];
    return answer ? [{ label: deploymentFields[field].label, answer }] : [];
  });
  return (
    <li
      aria-labelledby={heading}
      className="relative grid gap-x-10 gap-y-8 border-t border-line py-10 transition-colors hover:border-ink sm:grid-cols-2 lg:grid-cols-[4fr_3fr_5fr] lg:py-12"
    >
      <div className="flex flex-col items-start sm:col-span-2 lg:col-span-1">
        <ServiceIcon kind={service.kind} />
        <h2 id={heading} className="mt-4 text-xl">
          {service.name}
        </h2>
        <p className="mt-2 max-w-prose text-ink-soft">{service.description}</p>
        {choices.length > 0 ? (
          <dl className="mt-4 grid grid-cols-[auto_1fr] gap-x-4 text-sm">
            {choices.map(({ label, answer }) => (
              <div key={label} className="col-span-2 grid grid-cols-subgrid">
                <dt className="text-ink-soft">{label}</dt>
                <dd className="font-mono break-all text-signal">{answer}</dd>
              </div>
            ))}
          </dl>
        ) : null}
        <Form
          method="get"
          action="/services"
          state={openedHere}
          preventScrollReset
          className="mt-5 grow content-end"
        >
          <Button
            type="submit"
            name="service"
            value={service.kind}
            variant="secondary"
            aria-describedby={heading}
            className="after:absolute after:inset-0"
          >
            Configure now
            <ArrowIcon width="16" height="16" />
          </Button>
        </Form>
      </div>
      <ul className="grid content-start gap-2.5">
        {service.features.map((feature) => (
          <li key={feature} className="flex gap-2.5">
            <CheckIcon className="mt-0.5 shrink-0 text-ink-soft" />
            {feature}
          </li>
        ))}
      </ul>
      <Exhibit service={service} />
    </li>
  );
}

/** A glimpse of what the service really makes. */
function Exhibit({ service: { exhibit } }: { service: Service }) {
  return (
    <div className="min-w-0 text-sm">
      <h3 className="border-b border-line-strong pb-2 font-normal tracking-normal text-ink-soft">
        {exhibit.title}
      </h3>
      <dl className="grid-cols-[auto_minmax(0,1fr)] gap-x-5 sm:grid">
        {exhibit.rows.map((row) => (
          <div
            key={row.term}
            className="col-span-2 grid-cols-subgrid border-b border-line py-2 sm:grid"
          >
            <dt className="font-mono text-ink-soft">{row.term}</dt>
            {"codes" in row ? (
              <dd className="flex flex-wrap gap-x-4 font-mono">
                {row.codes.map((code) => (
                  <span key={code}>{code}</span>
                ))}
              </dd>
            ) : (
              <dd>{row.words}</dd>
            )}
          </div>
        ))}
      </dl>
    </div>
  );
}
