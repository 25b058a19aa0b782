import { afterEach, expect, test, vi } from "vitest";
import { checkServer } from "~/features/deployments/progress/look.server.ts";
import type { AppContext } from "~/http/app-context.ts";
import { optionsFrom } from "../../support/deployments/bundle-cases.ts";

afterEach(() => vi.unstubAllGlobals());

const address = "104.16.0.4";
const configuration = {
  SITE_URL: "https://www.deploy.example.com",
  DNS_API_URL: "https://resolver.example",
};

test.each([
  ["live.example.org", ["live.example.org"]],
  ["deploy.example.com", []],
  ["servers.deploy.example.com", []],
])(
  "a look asks the server at a customer's name, and never one at a name of ours: %s",
  async (domain, requests) => {
    const hosts: string[] = [];
    vi.stubGlobal("fetch", async (input: string) => {
      const { hostname, searchParams } = new URL(input);
      if (hostname !== "resolver.example") {
        hosts.push(hostname);
        return new Response("OK");
      }
      const found = searchParams.get("type") === "A" ? [{ type: 1, data: address }] : [];
      return Response.json({ Status: 0, Answer: found });
    });
    await checkServer({ configuration } as AppContext, optionsFrom({ domain }), {
      ipv4: address,
      version: 1,
    });
    expect(hosts).toEqual(requests);
  },
);
