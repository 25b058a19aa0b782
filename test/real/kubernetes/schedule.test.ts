import { afterAll, beforeAll, expect, test } from "vitest";
import { pollUntil } from "../../support/site/poll.ts";
import { startCluster } from "./cluster.ts";
import { listOf, rendered } from "./rendering.ts";

let cluster: Awaited<ReturnType<typeof startCluster>>;
beforeAll(async () => {
  cluster = await startCluster();
  await cluster.plan();
  cluster.must(["create", "namespace", "livekit"]);
});
afterAll(() => cluster[Symbol.asyncDispose]());

const server = "livekit-server";
/** Of each pod its image's tag, its node and how it is. */
const states = () =>
  cluster.podsOf(server).map(({ metadata, spec, status }) => ({
    tag: spec.containers[0]?.image.split(":")[1],
    node: spec.nodeName,
    state: metadata.deletionTimestamp ? "ending" : status.phase,
    why: status.conditions?.find(({ type }) => type === "PodScheduled")?.message ?? "",
  }));
type States = ReturnType<typeof states>;

/** Lets nodes do what they do, until the pods are as they shall be. No node ever has two. */
const untilPods = (areGood: (pods: States) => boolean) =>
  pollUntil(
    () => {
      cluster.runPods(server);
      const now = states();
      const nodes = now.flatMap(({ node }) => node ?? []);
      expect(new Set(nodes).size, JSON.stringify(now)).toBe(nodes.length);
      return now;
    },
    areGood,
    240_000,
  );
const twoRun = (tag: string) => (pods: States) =>
  pods.length === 2 && pods.every((pod) => pod.tag === tag && pod.state === "Running");
const update = (tag: string) => {
  const image = `${server}=livekit/${server}:${tag}`;
  cluster.must(["set", "image", "-n", "livekit", `deployment/${server}`, image]);
};

test("an update goes on where each node has one pod, while the chart's own way waits for a node that is not there", async () => {
  for (const name of ["one", "two"]) cluster.addNode(name);
  cluster.must(["apply", "-f", "-"], listOf(rendered("any")));
  await untilPods((pods) => pods.filter(({ state }) => state === "Running").length === 2);
  update("next");
  await untilPods(twoRun("next"));
  const way = [{ op: "replace", path: "/spec/strategy", value: { type: "RollingUpdate" } }];
  const patch = ["patch", "deployment", server, "-n", "livekit", "--type=json", "-p"];
  cluster.must([...patch, JSON.stringify(way)]);
  update("later");
  const pods = await untilPods((all) =>
    all.some(({ why }) => why.includes("didn't have free ports")),
  );
  expect(pods.map(({ tag, state }) => `${tag} ${state}`).toSorted()).toEqual([
    "later Pending",
    "next Running",
    "next Running",
  ]);
});
