import { expect, test, vi } from "vitest";
import type { DeploymentOptions } from "~/features/deployments/bundle/options/options.ts";
import { bundle } from "../../../support/deployments/bundle.ts";
import { optionsFrom, pairwiseOptions } from "../../../support/deployments/bundle-cases.ts";
import { at, read } from "../../../support/deployments/bundle-checks.ts";
import { amount } from "../../../support/run/variants.ts";

vi.setConfig({ testTimeout: 60_000 });

function content(options: DeploymentOptions, path: string): string {
  return bundle(options).files.find((file) => file.path === path)?.content ?? "";
}

const usual = optionsFrom({ domain: "livekit.example.com" });

test("every image is pinned, watched, limited in its logs and restarted", () => {
  const texts = pairwiseOptions(amount({ inTest: 100, inProof: 200 })).map((options) =>
    content(options, "docker-compose.yaml"),
  );
  for (const text of new Set(texts)) {
    const services = at(read(text), "services");
    for (const [name, service] of Object.entries(services ?? {})) {
      expect(String(at(service, "image")), name).toMatch(
        /:(v?\d+\.\d+(\.\d+)?(-alpine)?|[0-9a-f]{64})$/,
      );
      // What an image of the customer's own could be asked is not known.
      expect(at(service, "healthcheck.test.0"), name).toBe(
        name === "agent" ? undefined : "CMD-SHELL",
      );
      expect(at(service, "logging.options.max-size"), name).toBe("10m");
      expect(at(service, "restart"), name).toBe("unless-stopped");
      expect(at(service, "security_opt.0"), name).toBe("no-new-privileges:true");
    }
    expect(at(services, "livekit.stop_grace_period")).toBe("30s");
  }
});

test("with a schedule of updates the tags are those that patches move, and exact ones otherwise", () => {
  const images = (typed: object) =>
    [
      ...content(
        optionsFrom({ domain: "livekit.example.com", ...typed }),
        "docker-compose.yaml",
      ).matchAll(/^ +image: (.*)$/gm),
    ].map(([, image]) => image);
  expect(images({})).toEqual([
    "livekit/caddyl4:v2.11.4",
    "livekit/livekit-server:v1.13.11",
    "redis:7.4.11-alpine",
  ]);
  expect(images({ updates: "weekly", versions: { caddy: "v2.10.3-rc.1" } })).toEqual([
    "livekit/caddyl4:v2.10.3-rc.1",
    "livekit/livekit-server:v1.13",
    "redis:7.4-alpine",
  ]);
});

test("a changed configuration changes the label that recreates its container", () => {
  const label = (options: DeploymentOptions) =>
    at(read(content(options, "docker-compose.yaml")), "services.livekit.labels");
  expect(label(usual)).not.toEqual(label({ ...usual, ingress: "rtmp" }));
  expect(label(usual)).toEqual(label({ ...usual, email: "other@example.com" }));
});

test("from high security on, containers lose what they do not need", () => {
  for (const security of ["high", "enterprise"] as const) {
    const compose: unknown = read(
      content({ ...usual, security, recording: { kind: "local" } }, "docker-compose.yaml"),
    );
    expect(at(compose, "services.livekit")).toMatchObject({
      cap_drop: ["ALL"],
      read_only: true,
      user: "65534:65534",
    });
    expect(at(compose, "services.caddy.cap_add")).toEqual(["NET_BIND_SERVICE"]);
  }
});

test("no container has rights over the machine: Egress's browser does without", () => {
  for (const security of ["standard", "high", "enterprise"] as const) {
    const made = { ...usual, security, recording: { kind: "local" }, ingress: "both" } as const;
    const compose = content({ ...made, monitoring: "24/7" }, "docker-compose.yaml");
    expect(compose).not.toMatch(/SYS_ADMIN|privileged: true|seccomp[:=]unconfined/);
    expect(at(read(compose), "services.egress.security_opt")).toEqual(["no-new-privileges:true"]);
    expect(at(read(compose), "services.egress.cap_add")).toBeUndefined();
    expect(content(made, "egress.yaml")).not.toContain("enable_chrome_sandbox");
    expect(content(made, "README.md")).toContain("its browser therefore without a sandbox");
  }
});
