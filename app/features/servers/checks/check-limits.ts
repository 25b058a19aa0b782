const hourMs = 3_600_000;
/** How many checks people may ask for in an hour: of one deployment, and of all of a workspace. */
const maxOfDeployment = 10;
const maxOfWorkspace = 30;

/** When checks were asked for in the last hour, by deployment. */
export type RequestedChecks = Readonly<Record<string, readonly number[]>>;

/**
 * Counts a check that somebody asks for, of a deployment or of a server of it. `waitMs`: there were too many in the last
 * hour, and the next is allowed after so long.
 */
export function countRequestedCheck(
  former: RequestedChecks,
  deployment: string,
  now: number,
): { requested: RequestedChecks } | { waitMs: number } {
  const recent = Object.entries(former).flatMap(([id, times]) => {
    const lately = times.filter((time) => now - time < hourMs);
    return lately.length > 0 ? [[id, lately] as const] : [];
  });
  const requested: RequestedChecks = Object.fromEntries(recent);
  const ofDeployment = requested[deployment] ?? [];
  const waitMs = Math.max(
    waitOf(ofDeployment, maxOfDeployment, now),
    waitOf(Object.values(requested).flat(), maxOfWorkspace, now),
  );
  if (waitMs > 0) return { waitMs };
  return { requested: { ...requested, [deployment]: [...ofDeployment, now] } };
}

/** 0 where there is room. */
function waitOf(times: readonly number[], max: number, now: number): number {
  if (times.length < max) return 0;
  const frees = times.toSorted((one, other) => one - other)[times.length - max] ?? now;
  return frees + hourMs - now;
}
