import { load } from "./load.ts";
import { median, rounded } from "./median.ts";
import type { Site } from "./site.ts";
import { versionsInTurn } from "./workerd.ts";

const rounds = 7;
const seconds = 2;

type Target = { url: string; connections: number; cookie?: string };
type Sample = { requestsPerSecond: number; p50: number; p99: number; cpuMs: number };

/**
 * How fast workerd answers each kind of request, and what processor time it takes for one, all threads
 * counted: the median of several turns, so that a busy moment of the machine meets all of them.
 */
export async function measureRequests({ workerd, cookie }: Site) {
  const targets = {
    constant: { url: workerd.constant, connections: 32 },
    warm: { url: `${workerd.site}/pricing`, connections: 32 },
    cold: { url: `${workerd.forgetful}/pricing`, connections: 32 },
    rendered: { url: `${workerd.site}/signup`, connections: 32 },
    // The fake of the database is slower than workerd: more at a time would only wait for it.
    dashboard: { url: `${workerd.site}/dashboard`, connections: 8, cookie },
  } satisfies Record<string, Target>;
  const names = Object.keys(targets) as (keyof typeof targets)[];
  const samples = new Map(names.map((name) => [name, [] as Sample[]]));
  const counted = { warm: { requests: 0, reads: 0 }, cold: { requests: 0, reads: 0 } };

  for (let version = 0; version < versionsInTurn; version++) await ask(targets.cold);
  for (const name of names) await ask(targets[name]);
  for (let round = 0; round < rounds; round++) {
    for (const name of names) {
      const readsBefore = await workerd.kvReads();
      const before = workerd.cpuMs();
      const { requests, ...measured } = await load({ ...targets[name], seconds });
      const cpuMs = (workerd.cpuMs() - before) / requests;
      samples.get(name)?.push({ ...measured, cpuMs });
      if (name !== "warm" && name !== "cold") continue;
      counted[name].requests += requests;
      counted[name].reads += (await workerd.kvReads()) - readsBefore;
    }
  }

  const middle = (name: keyof typeof targets) => middleOf(samples.get(name) ?? []);
  const kinds = {
    constant: middle("constant"),
    warm: middle("warm"),
    cold: middle("cold"),
    rendered: middle("rendered"),
    dashboard: middle("dashboard"),
  };
  const { constant, warm, cold, rendered, dashboard } = kinds;
  return {
    kinds,
    // What is still under way when a round ends is read and not counted.
    kv: {
      warm: counted.warm,
      readsPerColdRequest: rounded(counted.cold.reads / counted.cold.requests, 1),
    },
    ratios: {
      warmToRendered: rounded(warm.requestsPerSecond / rendered.requestsPerSecond, 1),
      warmToConstant: rounded(warm.requestsPerSecond / constant.requestsPerSecond, 2),
      coldToConstant: rounded(cold.requestsPerSecond / constant.requestsPerSecond, 2),
      cpuRenderedToWarm: rounded(rendered.cpuMs / warm.cpuMs, 1),
      cpuDashboardToRendered: rounded(dashboard.cpuMs / rendered.cpuMs, 2),
    },
  };
}

/** Each figure's own median: a round that was slow in one need not be in another. */
function middleOf(samples: readonly Sample[]): Sample {
  const of = (figure: keyof Sample, decimals: number) =>
    rounded(median(samples.map((sample) => sample[figure])), decimals);
  return {
    requestsPerSecond: of("requestsPerSecond", 0),
    p50: of("p50", 2),
    p99: of("p99", 2),
    cpuMs: of("cpuMs", 3),
  };
}

async function ask({ url, cookie }: Target): Promise<void> {
  const response = await fetch(url, { headers: cookie ? { cookie } : {}, redirect: "manual" });
  await response.text();
  if (response.status !== 200) throw new Error(`${url} answers ${response.status}`);
}
