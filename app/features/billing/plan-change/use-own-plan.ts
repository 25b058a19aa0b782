import { useEffect, useState } from "react";
import { hasSignedInHint } from "~/http/cookies/signed-in-hint";

export type OwnPlanKey = "basic" | "pro";

/**
 * The plan of whoever looks at a page that is the same for everybody: asked for once the page is there, and
 * only where there is a session. Without an answer the page stays as it is for guests.
 */
export function useOwnPlan(): OwnPlanKey | undefined {
  const [own, setOwn] = useState<OwnPlanKey>();
  useEffect(() => {
    if (!hasSignedInHint()) return;
    const left = new AbortController();
    void readOwnPlan(left.signal).then((plan) => {
      if (!left.signal.aborted) setOwn(plan);
    });
    return () => left.abort();
  }, []);
  return own;
}

async function readOwnPlan(signal: AbortSignal): Promise<OwnPlanKey | undefined> {
  try {
    const response = await fetch("/pricing/own", { signal });
    const { plan }: { plan?: unknown } = await response.json();
    return plan === "basic" || plan === "pro" ? plan : undefined;
  } catch {
    return;
  }
}
