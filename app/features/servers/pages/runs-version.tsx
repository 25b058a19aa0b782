import { ApplyCommand } from "~/features/deployments/page/apply-command";
import { useConsoleBase } from "~/ui/console/console-path";
import { TextLink } from "~/ui/primitives/text-link";
import type { ServerView } from "./server-view";

/** Which version of its deployment a server runs, as its last report says. */
export type RunsVersion =
  /** `newer`: the newest saved version, where it is a later one. */
  | { kind: "version"; version: number; isChanged: boolean; newer: number | undefined }
  | { kind: "another-deployment" }
  /** Its files are from before bundles said it. */
  | { kind: "unsaid" };

type Reported = Pick<ServerView, "deployment" | "madeFrom" | "lastReportAt">;

/** `newest`: the newest version of the server's deployment, where it can be read. Undefined before the first report. */
export function runsVersion(
  { deployment, madeFrom, lastReportAt }: Reported,
  newest: number | undefined,
): RunsVersion | undefined {
  if (lastReportAt === undefined) return;
  if (!madeFrom) return { kind: "unsaid" };
  if (madeFrom.deployment !== deployment) return { kind: "another-deployment" };
  const { version, isChanged } = madeFrom;
  const newer = newest !== undefined && newest > version ? newest : undefined;
  return { kind: "version", version, isChanged, newer };
}

/** The sentence of a list. */
export function runsVersionWords(runs: RunsVersion): string {
  if (runs.kind === "unsaid") return "Does not say its version";
  if (runs.kind === "another-deployment") return "Runs files of another deployment";
  const { version, isChanged, newer } = runs;
  if (isChanged) return `Its files differ from version ${version}`;
  return newer === undefined
    ? `Runs version ${version}`
    : `Runs version ${version}, ${newer} is saved`;
}

/** Which version a server runs, and how it gets the newest one. `isRetired`: it reports no more. */
export function RunsVersionLines({
  runs,
  deployment,
  isRetired,
  isOfCluster,
  hasRollouts,
}: {
  runs: RunsVersion;
  /** Its id. */
  deployment: string;
  isRetired: boolean;
  isOfCluster: boolean;
  /** Whether the page has a section of its own about how a newer version comes to the server. */
  hasRollouts: boolean;
}) {
  const page = `${useConsoleBase()}/deployments/${deployment}`;
  const files = <TextLink to={page}>the deployment’s page</TextLink>;
  switch (runs.kind) {
    case "unsaid":
      return (
        <span>
          It does not say which version it runs. Files that are downloaded from now on say it: get
          them on {files}, and <ApplyCommand isOfCluster={isOfCluster} /> brings them there.
        </span>
      );
    case "another-deployment":
      return <span>Its files are those of another deployment.</span>;
    case "version": {
      const { version, isChanged, newer } = runs;
      if (isRetired) return <span>{`When it last reported it ran version ${version}.`}</span>;
      return (
        <>
          <span>
            {isChanged
              ? `Its files are not those of version ${version}: changed by hand, by update --to, or restored from a backup. `
              : `Runs version ${version}. `}
          </span>
          {newer === undefined ? null : hasRollouts ? (
            <span>
              Version {newer} is saved: <TextLink to="#rollout">how it gets here</TextLink>
            </span>
          ) : (
            <span>
              Version {newer} is saved: download it on {files}, and{" "}
              <ApplyCommand isOfCluster={isOfCluster} /> takes it.{" "}
              <TextLink
                to={`${page}/versions?${new URLSearchParams({ from: `${version}`, to: `${newer}` })}#changes`}
              >
                See what changed
              </TextLink>
            </span>
          )}
          {isChanged && newer === undefined ? (
            <span>
              To have them as they were made, download version {version} on {files}:{" "}
              <ApplyCommand isOfCluster={isOfCluster} /> takes it.
            </span>
          ) : null}
        </>
      );
    }
  }
}
