import type { ConsoleHandle, Crumb } from "~/ui/console/console-handle";

export const deploymentsCrumb: Crumb = { to: "/dashboard/deployments", label: "Deployments" };

/**
 * The `handle` of a deployment's own page, or of a page below it with the last part of its address. Their loaders give
 * the deployment's `name`; where it could not be read there is no way to show.
 */
export function deploymentHandle(below?: { path: string; label: string }): ConsoleHandle {
  return {
    breadcrumbs({ params, loaderData }) {
      const name = nameIn(loaderData);
      if (name === undefined) return [deploymentsCrumb];
      const own = { to: `${deploymentsCrumb.to}/${params.id}`, label: name };
      if (!below) return [deploymentsCrumb, own];
      return [deploymentsCrumb, own, { to: `${own.to}/${below.path}`, label: below.label }];
    },
  };
}

function nameIn(loaderData: unknown): string | undefined {
  const isNamed = typeof loaderData === "object" && loaderData !== null && "name" in loaderData;
  return isNamed && typeof loaderData.name === "string" ? loaderData.name : undefined;
}
