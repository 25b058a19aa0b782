import { expect, test } from "vitest";
import { bundle } from "../../../support/deployments/bundle.ts";
import { optionsFrom } from "../../../support/deployments/bundle-cases.ts";
import { at, read, textOf, unknownKeys } from "../../../support/deployments/bundle-checks.ts";

const connection = { url: "https://servers.example.com" };
const spool = "http://127.0.0.1:7990/events";
const hook = "https://app.example.com/livekit/events";

function filesOf(typed: Record<string, unknown>, isConnected = true) {
  const options = optionsFrom({ domain: "livekit.example.com", ...typed });
  const made = bundle(options, undefined, isConnected ? connection : undefined);
  const file = (path: string) => textOf(made, path);
  const services = read(file("docker-compose.yaml"));
  return {
    file,
    livekit: read(file("livekit.yaml")),
    caddy: read(file("caddy.yaml")),
    start: String(at(services, "services.livekit.entrypoint.2")),
    folders: at(services, "services.caddy.volumes"),
  };
}

test("a bundle that knows the console has LiveKit's events wait at Caddy, on loopback, in files for root alone, outside backups", () => {
  const { caddy, livekit, folders, file } = filesOf({});
  expect(at(livekit, "webhook")).toEqual({ urls: [spool] });
  expect(unknownKeys("livekit", "v1.13.5", file("livekit.yaml"))).toEqual([]);
  expect(at(caddy, "apps.http.servers.events.listen")).toEqual(["127.0.0.1:7990"]);
  expect(at(caddy, "logging.logs.events.writer")).toEqual({
    ...{ output: "file", filename: "/sessions/events.log", mode: "0600" },
    ...{ roll_size_mb: 10, roll_keep: 5, roll_gzip: false },
  });
  expect(at(caddy, "logging.logs.default.exclude")).toContain("http.log.access.events");
  expect(folders).toContain("./data/sessions:/sessions");
  // A backup has all of data/caddy.
  expect(file("backup.sh")).not.toContain("data/sessions");
});

test("each event is once in its line: Caddy writes the placeholder of a body twice, and a variable once", () => {
  expect(at(filesOf({}).caddy, "apps.http.servers.events.routes.0.handle")).toEqual([
    { handler: "request_body", max_size: 262_144 },
    { handler: "vars", event: "{http.request.body}" },
    { handler: "log_append", key: "event", value: "event" },
    { handler: "log_append", key: "jwt", value: "{http.request.header.Authorization}" },
    { handler: "static_response", status_code: 200 },
  ]);
});

test("without webhooks of the customer's own the API key signs the events; with them their own key does", () => {
  const alone = filesOf({});
  expect(alone.start).toContain("LIVEKIT_WEBHOOK_API_KEY=$$LIVEKIT_API_KEY exec /livekit-server");
  const beside = filesOf({ webhooks: [hook] });
  expect(at(beside.livekit, "webhook")).toEqual({ api_key: "webhooks", urls: [hook, spool] });
  expect(beside.start).not.toContain("LIVEKIT_WEBHOOK_API_KEY");
});

test.for([
  ["no console", {}, false],
  ["sessions switched off", { sessions: "off" }, true],
] as const)("with %s nothing waits anywhere", ([, typed, isConnected]) => {
  const { caddy, livekit, start, folders, file } = filesOf(typed, isConnected);
  expect(at(livekit, "webhook")).toBeUndefined();
  expect(at(caddy, "apps.http")).toBeUndefined();
  expect(start).not.toContain("WEBHOOK");
  expect(folders).not.toContain("./data/sessions:/sessions");
  expect(file("deployment.env")).not.toContain("SESSIONS=hashed");
});
