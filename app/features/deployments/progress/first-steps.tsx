import type { ReactNode } from "react";
import { Link } from "react-router";
import { useMay } from "~/features/workspaces/roles";
import { useConsoleBase } from "~/ui/console/console-path";
import { LinkButton } from "~/ui/primitives/button";
import { Message } from "~/ui/primitives/message";
import { TextLink } from "~/ui/primitives/text-link";
import type { FirstServerOutcome, Servers } from "./first-server.server";
import { FirstServerForm } from "./first-server-form";
import { stepsDone } from "./later-steps";
import { NextLine } from "./next-line";
import { ServerSteps } from "./server-steps";
import { Step } from "./step";

const steps = ["Describe it", "Create VM", "DNS", "Doctor", "Connect"] as const;

/** What the overview says of the deployments: the form for the first, its steps, or a list of several. */
export function FirstSteps({
  servers,
  outcome,
  isBelowFleet,
  quotaRefusal,
}: {
  servers: Servers;
  outcome: FirstServerOutcome | undefined;
  /** Whether connected servers stand above it: of several deployments it then has those that want something. */
  isBelowFleet: boolean;
  /** Why no further server can be connected. */
  quotaRefusal: string | undefined;
}) {
  const base = useConsoleBase();
  const mayDescribe = useMay("describe");
  switch (servers.state) {
    case "unreadable":
      return (
        <Message kind="failure" className="mt-8">
          Your deployments cannot be read right now. They are safe. Please try again in a moment.
        </Message>
      );
    case "none":
      return (
        <FirstServer done={0}>
          <ol className="border-t border-line">
            {steps.map((title, at) => (
              <Step
                key={title}
                number={at + 1}
                title={title}
                state={{ done: false }}
                isNext={at === 0}
                value={
                  at === 0 && mayDescribe ? (
                    <FirstServerForm choices={servers.choices} outcome={outcome} />
                  ) : null
                }
              />
            ))}
          </ol>
        </FirstServer>
      );
    case "first":
      return (
        <FirstServer done={stepsDone(servers.steps.states)} deployment={servers.steps.id}>
          {servers.next ? (
            <p className="mb-5 text-sm">
              <NextLine next={servers.next} />
            </p>
          ) : null}
          <ServerSteps view={servers.steps} page="overview" quotaRefusal={quotaRefusal} />
          <TextLink to={`${base}/deployments/${servers.steps.id}`} variant="standalone">
            All about this deployment
          </TextLink>
        </FirstServer>
      );
    case "some": {
      const lines = isBelowFleet ? servers.lines.filter(({ next }) => !next.isDone) : servers.lines;
      if (lines.length === 0) return null;
      return (
        <section aria-labelledby="servers" className="mt-10">
          <h2 id="servers" className="text-xl">
            {isBelowFleet ? "What is next" : "Your servers"}
          </h2>
          <ul className="mt-4 border-t border-line">
            {lines.map(({ id, name, place, next }) => (
              <li
                key={id}
                className="flex flex-wrap items-center gap-x-6 gap-y-1 border-b border-line py-3"
              >
                <Link
                  to={`${base}/deployments/${id}`}
                  className="min-h-6 font-strong wrap-anywhere hover:text-signal"
                >
                  {name}
                </Link>
                <span className="font-mono text-sm wrap-anywhere">{place?.domain}</span>
                <span className="text-sm">
                  <NextLine next={next} />
                </span>
              </li>
            ))}
          </ul>
          <LinkButton to={`${base}/deployments`} variant="secondary" className="mt-5">
            Your deployments
          </LinkButton>
        </section>
      );
    }
  }
}

function FirstServer({
  done,
  deployment,
  children,
}: {
  done: number;
  /** The id of the one that a question would be about. */
  deployment?: string;
  children: ReactNode;
}) {
  const base = useConsoleBase();
  return (
    <section aria-labelledby="first-server" className="mt-10">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6">
        <h2 id="first-server" className="text-xl">
          Your first server
        </h2>
        <p className="font-mono text-sm tabular-nums">about 20 min · {done} of 5</p>
      </div>
      <div className="mt-2 mb-5 flex flex-wrap gap-x-6 text-sm text-ink-soft">
        <p>You need: a domain, a cloud login, its CLI, an SSH key.</p>
        <p>
          You have a LiveKit that runs?{" "}
          <TextLink to={`${base}/servers/connect`} className="min-h-6">
            Connect it as it is
          </TextLink>
        </p>
        <p>
          Stuck?{" "}
          <TextLink
            to={`${base}/support${deployment ? `?deployment=${deployment}` : ""}`}
            className="min-h-6"
          >
            Ask us
          </TextLink>
        </p>
      </div>
      {children}
    </section>
  );
}
