import { useEffect, useState } from "react";
import { hasSignedInHint } from "~/http/cookies";

export type MyPlanKey = "basic" | "pro";

/**
 * The visitor's own plan on a public page, which is cached and the same for everybody. The plan is fetched after
 * the page has loaded, and only when the visitor seems to be signed in. Undefined until then, and when the
 * request fails.
 */
export function useMyPlan(): MyPlanKey | undefined {
  const [myPlan, setOwn] = useState<MyPlanKey>();
  useEffect(() => {
    if (!hasSignedInHint()) return;
    const left = new AbortController();
    void readMyPlan(left.signal).then((plan) => {
      if (!left.signal.aborted) setOwn(plan);
    });
    return () => left.abort();
  }, []);
  return myPlan;
}

async function readMyPlan(signal: AbortSignal): Promise<MyPlanKey | undefined> {
  try {
    const response = await fetch("/pricing/own", { signal });
    const { plan }: { plan?: unknown } = await response.json();
    return plan === "basic" || plan === "pro" ? plan : undefined;
  } catch {
    return;
  }
}
