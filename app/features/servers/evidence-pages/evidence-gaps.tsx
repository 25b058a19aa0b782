import type { EvidenceDay } from "../room-sessions/evidence-sums";

/** What the figures of the page do not have. */
export function EvidenceGaps({
  days,
  hasNetworks,
}: {
  days: readonly EvidenceDay[];
  hasNetworks: boolean;
}) {
  const surplus = days.reduce((sum, day) => sum + day.surplus, 0);
  const calls = days.reduce((sum, day) => sum + day.calls, 0);
  return (
    <>
      {surplus > 0 ? (
        <p className="mt-6 max-w-prose">
          {`At least ${surplus} ${surplus === 1 ? "request of an app was" : "requests of apps were"} not taken in these days, so shares and failures are not complete: more than 30 a minute came of one address, more than 300 of all, or the console was away for too long.`}
        </p>
      ) : null}
      {calls > 0 && !hasNetworks ? (
        <p className="mt-6 max-w-prose">
          Networks cannot be told apart: every call came with the address of the server itself, as
          it is behind a proxy that runs there.
        </p>
      ) : null}
    </>
  );
}
