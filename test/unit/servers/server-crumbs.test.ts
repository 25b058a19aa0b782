import { expect, test } from "vitest";
import { serverCrumbs } from "../../../app/features/servers/pages/server-crumbs.ts";

const labels = (loaderData: unknown) =>
  serverCrumbs({ loaderData, params: {}, base: "/dashboard" }).map(({ label }) => label);

test("the way to a server names its deployment where that is known, and the server", () => {
  const server = { id: "s-1", name: "sfu-1", deployment: "d-1" };
  expect(labels({ ...server, deploymentName: "Production" })).toEqual([
    ...["Deployments", "Production", "sfu-1"],
  ]);
  expect(labels(server)).toEqual(["Deployments", "sfu-1"]);
  expect(labels(undefined)).toEqual(["Deployments"]);
});
