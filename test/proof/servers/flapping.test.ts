import { expect, test } from "vitest";
import { down, FollowedIncident } from "../../support/servers/incident-step.ts";

test.for([
  ["is down every other minute", 1, 1],
  ["is down for 3 minutes of 10", 3, 7],
  ["is down for 10 minutes of 30", 10, 20],
  ["is down for 1 minute of 7", 1, 6],
] as const)(
  "a server that %s for 24 hours makes at most 4 messages and 24 sums",
  ([, bad, good]) => {
    const server = new FollowedIncident();
    for (let at = 0; at < 24 * 60; at += 1) {
      if (at % (bad + good) < bad) server.at(at, down());
      else server.at(at);
    }
    const sums = server.said.filter(([, event]) => event === "sum");
    expect(server.opened).toBe(1);
    expect(sums.length).toBeLessThanOrEqual(24);
    expect(server.said.length - sums.length).toBeLessThanOrEqual(4);
    server.during(24 * 60, 26 * 60);
    expect(server.incident).toMatchObject({ untold: 0, toldPages: false });
    expect(server.incident).toHaveProperty("closedAt");
  },
);
