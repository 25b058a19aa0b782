import { lazy, Suspense, useSyncExternalStore } from "react";
import { Form, useNavigation } from "react-router";
import { CommandBox } from "~/features/deployments/page/command-box";
import { More } from "~/features/deployments/page/more";
import { useMay } from "~/features/workspaces/roles";
import { useConsoleBase } from "~/ui/console/console-path";
import { RecentMoment } from "~/ui/moment";
import { Badge } from "~/ui/primitives/badge";
import { Button } from "~/ui/primitives/button";
import { TextLink } from "~/ui/primitives/text-link";
import type { ApprovalTerms } from "./approve-button.client";
import { AnotherVersion, Difference, NewerVersion } from "./request-forms";
import type { RolloutDetails } from "./rollout-details.server";
import { stateWords } from "./state-words";

const ApproveButton = lazy(() => import("./approve-button.client"));
const never = () => () => undefined;

type Details = NonNullable<RolloutDetails>;
type Open = NonNullable<Details["open"]>;

/** The newest version that a server does not run, the rollout of it, and those of before. */
export function RolloutSection({
  rollouts,
  deployment,
  running,
  newer,
  isOfCluster,
}: {
  rollouts: Details;
  deployment: string;
  running: number;
  /** Undefined where the server runs the newest version. */
  newer: number | undefined;
  isOfCluster: boolean;
}) {
  const { open, past } = rollouts;
  return (
    <div className="grid gap-6">
      {open ? (
        <OpenRollout open={open} deployment={deployment} running={running} />
      ) : newer === undefined ? (
        <p className="text-sm text-ink-soft">This server runs the newest version.</p>
      ) : (
        <NewerVersion {...{ rollouts, deployment, running, newer, isOfCluster }} />
      )}
      {open || rollouts.knows < rollouts.needed ? null : <AnotherVersion rollouts={rollouts} />}
      {past.length > 0 ? (
        <More summary="Past rollouts">
          <ul className="border-t border-line text-sm">
            {past.map(({ id, version, state, reason, requestedAt, approvedBy }) => (
              <li key={id} className="border-b border-line py-2">
                <p>
                  <span className="font-strong">Version {version}: </span>
                  <span>{stateWords[state]}</span>
                </p>
                {reason ? <p className="wrap-anywhere">{reason}</p> : null}
                <p className="wrap-anywhere text-ink-soft">
                  <RecentMoment at={requestedAt} />
                  {approvedBy.length > 0 ? (
                    <span>{`, approved by ${approvedBy.join(", ")}`}</span>
                  ) : null}
                </p>
              </li>
            ))}
          </ul>
        </More>
      ) : null}
    </div>
  );
}

function OpenRollout({
  open,
  deployment,
  running,
}: {
  open: Open;
  deployment: string;
  running: number;
}) {
  const mayRollOut = useMay("rollout");
  const isBusy = useNavigation().state !== "idle";
  const { version, state, approvedBy, needed, steps, others } = open;
  return (
    <div className="grid gap-4" data-rollout={state}>
      <p role="status" className="flex flex-wrap items-center gap-3">
        <span className="font-strong">Version {version}</span>
        <Badge variant="neutral">{open.isAborting ? "Is being aborted" : open.title}</Badge>
      </p>
      <p className="max-w-prose text-sm wrap-anywhere">
        <span>Asked for by {open.requestedBy}, </span>
        <RecentMoment at={open.requestedAt} />
        <span>
          {`. ${approvedBy.length} of ${needed} approved it${approvedBy.length > 0 ? `: ${approvedBy.join(", ")}` : ""}. ${state === "requested" ? "Once approved, the" : "The"} server begins it `}
        </span>
        {open.beginsAt ? (
          <>
            <span>between </span>
            <RecentMoment at={open.beginsAt} />
            <span> and </span>
            <RecentMoment at={open.endsAt} />
          </>
        ) : (
          <>
            <span>by </span>
            <RecentMoment at={open.endsAt} />
            <span> at the latest</span>
          </>
        )}
        <span>. </span>
        {running === version ? null : (
          <Difference deployment={deployment} from={running} to={version} />
        )}
      </p>
      {open.isOfOtherRelease ? (
        <p className="max-w-prose text-sm">
          The files on this server are of another release of ours. What that changed is signed too
          and not shown there: to read it, download the files and compare them with{" "}
          <code className="text-sm">/opt/livekit</code>.
        </p>
      ) : null}
      <Approval open={open} />
      {steps.length > 0 ? (
        <ol className="border-t border-line text-sm">
          {steps.map((step) => (
            <li
              key={step.state}
              className="flex flex-wrap justify-between gap-x-4 border-b border-line py-2"
            >
              <span>{step.title}</span>
              <span className="text-ink-soft">
                <RecentMoment at={step.at} />
              </span>
            </li>
          ))}
        </ol>
      ) : null}
      {others.length > 0 ? (
        <ul aria-label="Other servers" className="text-sm">
          {others.map(({ id, name, title, reason }) => (
            <li
              key={id}
              className="wrap-anywhere"
            >{`${name}: ${title}${reason ? `. ${reason}` : ""}`}</li>
          ))}
        </ul>
      ) : null}
      {mayRollOut && open.mayAbort ? (
        <Form method="post" preventScrollReset>
          <input type="hidden" name="rollout" value={open.id} />
          <Button
            type="submit"
            name="intent"
            value="abort-rollout"
            variant="secondary"
            disabled={isBusy}
          >
            Abort the rollout
          </Button>
        </Form>
      ) : null}
    </div>
  );
}

const obstacles = {
  approved: "You have approved it. Somebody else must approve it too.",
  unreadable: "Your passkeys cannot be read right now. Please try again in a moment.",
} as const;

function Approval({ open }: { open: Open }) {
  const base = useConsoleBase();
  const { id, terms, obstacle } = { terms: undefined, obstacle: undefined, ...open };
  if (terms) return <Approve rollout={id} terms={terms} />;
  if (!obstacle) return null;
  if (obstacle === "no-passkey") {
    return (
      <p>
        To approve it, add a passkey on the page{" "}
        <TextLink to={`${base}/approvers`}>Approvers</TextLink>.
      </p>
    );
  }
  if (obstacle === "unknown-there") {
    return (
      <>
        <p>This server does not know your passkey. Run this on the server:</p>
        <CommandBox text="sudo livekit-deploy approvers" label="the command for approvers" />
      </>
    );
  }
  return <p>{obstacles[obstacle]}</p>;
}

function Approve({ rollout, terms }: { rollout: string; terms: ApprovalTerms }) {
  const hasScript = useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
  if (!hasScript) return <p>A rollout can only be approved with JavaScript.</p>;
  return (
    <Suspense>
      <ApproveButton rollout={rollout} terms={terms} />
    </Suspense>
  );
}
