import { expect, test } from "vitest";
import {
  machineWords,
  providerWords,
  regionWords,
  sizeWords,
} from "~/features/deployments/words/machine-words.ts";
import { optionsFrom } from "../../support/deployments/bundle-cases.ts";

const words = (choices: Record<string, unknown>) =>
  machineWords(optionsFrom({ domain: "live.example.com", ...choices })).join(" · ");

test("cloud, region and size are said in words, with the provider's own names", () => {
  expect(words({ provider: "aws", region: "eu-west" })).toBe(
    "AWS · Ireland (eu-west-1) · Medium (c7i.xlarge, 4 vCPU) · Ubuntu 24.04",
  );
  expect(
    words({ provider: "hetzner", region: "eu-west", size: "small", architecture: "arm64" }),
  ).toBe("Hetzner · Falkenstein (fsn1) · Small (cax11, 2 vCPU) · Ubuntu 24.04 · ARM");
});

test("of several machines their number is said", () => {
  const topology = { kind: "cluster", machines: 4 };
  expect(words({ provider: "other", topology })).toBe(
    "Another machine · Medium (4 vCPU) · Ubuntu 24.04 · 4 machines and an edge",
  );
  const balanced = {
    ...{ topology: { kind: "balanced", machines: 2 }, certificates: "files" },
    redis: { kind: "external", address: "redis.example.com:6379" },
  };
  expect(words({ provider: "other", ...balanced })).toContain(" · 2 machines behind a balancer");
});

test("each part can be said by itself", () => {
  const machine = { provider: "vultr", size: "large", architecture: "amd64" } as const;
  expect(providerWords(machine.provider)).toBe("Vultr");
  expect(sizeWords(machine)).toBe("Large (voc-c-8c-16gb-150s-amd, 8 vCPU)");
});

test("a region that the customer wrote keeps the provider's name", () => {
  expect(regionWords({ provider: "google-cloud", region: "europe-west3" })).toBe("europe-west3");
});

test("of a machine of the customer's own no region and no machine type is claimed", () => {
  expect(words({ provider: "other", region: "us-east" })).toBe(
    "Another machine · Medium (4 vCPU) · Ubuntu 24.04",
  );
});
