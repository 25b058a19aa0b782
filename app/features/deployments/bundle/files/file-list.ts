import type { BundleFile } from "../bundle-types.ts";
import type { DeploymentOptions } from "../options/options.ts";
import { packagesOf } from "./cloud-init.ts";

/** files.txt, in which `livekit-deploy apply` reads where each file belongs and which packages are needed. */
export function fileList(
  options: DeploymentOptions,
  installed: readonly BundleFile[],
): BundleFile[] {
  const files = installed.flatMap(({ path, installed: target }) =>
    target ? [`${target.mode} ${path} ${target.path}\n`] : [],
  );
  const packages = packagesOf(options).map((name) => `package ${name}\n`);
  return [
    {
      path: "files.txt",
      content: [...files, ...packages].join(""),
      language: "conf",
      purpose: "Where each file belongs, for `livekit-deploy apply`.",
    },
  ];
}
