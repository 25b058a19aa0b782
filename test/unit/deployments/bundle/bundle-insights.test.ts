import { expect, test } from "vitest";
import { bundle } from "../../../support/deployments/bundle.ts";
import { optionsFrom } from "../../../support/deployments/bundle-cases.ts";
import { at, read, textOf, unknownKeys } from "../../../support/deployments/bundle-checks.ts";

const image = "registry.example.com/team/agent:1.4.2";

function filesOf(typed: Record<string, unknown>) {
  const made = bundle(optionsFrom({ domain: "livekit.example.com", ...typed }));
  const file = (path: string) => textOf(made, path);
  const upstreamOf = (name: string) =>
    (at(read(file("caddy.yaml")), "apps.layer4.servers.main.routes") as unknown[])
      .filter((route) => JSON.stringify(route).includes(`"sni":["${name}"`))
      .map((route) => at(route, "handle.1.upstreams.0.dial.0"));
  return { made, file, upstreamOf };
}

test("agent insights are off unless they are chosen: no agent is asked to record, and nothing listens", () => {
  const { made, file, upstreamOf } = filesOf({});
  expect(at(read(file("livekit.yaml")), "agents")).toBeUndefined();
  expect(upstreamOf("livekit.example.com")).toEqual(["127.0.0.1:7880"]);
  expect(made.files.map(({ path }) => path).filter((path) => path.includes("insights"))).toEqual(
    [],
  );
  expect(file("deployment.env")).not.toContain("INSIGHTS");
});

test("chosen, LiveKit asks every agent to record, and Caddy reads requests to LiveKit's name alone: TURN's stay bytes", () => {
  const { file, upstreamOf } = filesOf({ insights: { kind: "machine", days: 7, gigabytes: 2 } });
  expect(at(read(file("livekit.yaml")), "agents")).toEqual({ enable_user_data_recording: true });
  expect(unknownKeys("livekit", "v1.13.11", file("livekit.yaml"))).toEqual([]);
  expect(upstreamOf("livekit.example.com")).toEqual(["127.0.0.1:7992"]);
  expect(upstreamOf("turn.livekit.example.com")).toEqual(["127.0.0.1:5349"]);
  const front = at(read(file("caddy.yaml")), "apps.http.servers.front");
  expect(at(front, "listen")).toEqual(["127.0.0.1:7992"]);
  expect(at(front, "routes.0.match")).toEqual([{ path: ["/observability/*"] }]);
  expect(at(front, "routes.0.handle.0.upstreams")).toEqual([{ dial: "127.0.0.1:7991" }]);
  expect(at(front, "routes.1.handle.0.upstreams")).toEqual([{ dial: "127.0.0.1:7880" }]);
  expect(file("deployment.env")).toContain("INSIGHTS_DAYS='7'\nINSIGHTS_GIGABYTES='2'\n");
});

test("a LiveKit that does not know the setting would not start, so that version is refused", () => {
  const typed = { insights: { kind: "machine" }, versions: { livekit: "v1.9.1" } };
  expect(() => filesOf(typed)).toThrow(
    "versions.livekit: Agent insights need LiveKit v1.9.2 or later.",
  );
});

test("its receiver has a user of its own, reaches nobody, and is outside backups", () => {
  const { file } = filesOf({ insights: { kind: "machine" } });
  const unit = file("livekit-insights.service");
  expect(unit).toContain(
    `insights.py serve /var/lib/livekit-insights 7991 ${"$"}{INSIGHTS_DAYS} ${"$"}{INSIGHTS_GIGABYTES}\n`,
  );
  for (const line of [
    "DynamicUser=yes",
    "LoadCredential=secrets:/opt/livekit/secrets.env",
    "IPAddressDeny=any",
    "IPAddressAllow=127.0.0.0/8",
    "CapabilityBoundingSet=",
    "UMask=0077",
  ])
    expect(unit.split("\n")).toContain(line);
  expect(file("backup.sh")).not.toContain("insights");
});

test("an agent worker beside LiveKit sends to the receiver itself, and without insights to nobody", () => {
  const agent = { kind: "image", image };
  const urlOf = (typed: Record<string, unknown>) =>
    at(
      read(filesOf({ agent, ...typed }).file("docker-compose.yaml")),
      "services.agent.environment.LIVEKIT_OBSERVABILITY_URL",
    );
  expect(urlOf({ insights: { kind: "machine" } })).toBe("http://127.0.0.1:7991");
  expect(urlOf({})).toBeUndefined();
});
