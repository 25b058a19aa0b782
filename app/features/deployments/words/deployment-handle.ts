import type { ConsoleHandle, Crumb } from "~/ui/console/console-handle";

/** The list of deployments, which the pages about one lead back to. */
export const deploymentsCrumb = (base: string): Crumb => ({
  to: `${base}/deployments`,
  label: "Deployments",
});

/** Pages below a deployment's on which somebody who may only read has something to do. */
const forEveryMember: readonly string[] = ["call", "connect", "connection-test"];

/**
 * The `handle` of a deployment's own page, or of a page below it with the last part of its address. Their loaders give
 * the deployment's `name`; where it could not be read there is no way to show.
 */
export function deploymentHandle(below?: { path: string; label: string }): ConsoleHandle {
  return {
    ...(below && forEveryMember.includes(below.path) ? {} : { right: "describe" }),
    ...(below === undefined || below.path === "versions" ? { isRead: true } : {}),
    breadcrumbs({ params, loaderData, base }) {
      const list = deploymentsCrumb(base);
      const name = nameIn(loaderData);
      if (name === undefined) return [list];
      const crumb = { to: `${list.to}/${params.id}`, label: name };
      if (!below) return [list, crumb];
      return [list, crumb, { to: `${crumb.to}/${below.path}`, label: below.label }];
    },
  };
}

function nameIn(loaderData: unknown): string | undefined {
  const isNamed = typeof loaderData === "object" && loaderData !== null && "name" in loaderData;
  return isNamed && typeof loaderData.name === "string" ? loaderData.name : undefined;
}
