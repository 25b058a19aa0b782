import type { AppContext } from "~/http/app-context";
import type { DeploymentOptions } from "../bundle/options/options.ts";
import { displayDomain } from "../words/display-domain";
import { machineWords } from "../words/machine-words";
import { bundleOrThrow } from "./bundles.server";
import { filesWithSecrets, zipName } from "./downloads.server";

/** What a deployment's page shows of the bundle that these options make. `wanted` is the path of the file to show. */
export async function madeView(
  app: AppContext,
  options: DeploymentOptions,
  {
    version,
    filesRefusal,
    requestedPath,
  }: {
    /** The version that they are of. */
    version: { deployment: string; number: number };
    /** Why somebody may not read the files. */
    filesRefusal: string | undefined;
    requestedPath: string | null;
  },
) {
  const made = await bundleOrThrow(app, options, { version });
  const withSecrets = await filesWithSecrets(app, options, made, version);
  const openFile = made.files.find(({ path }) => path === requestedPath) ?? made.files[0];
  if (!openFile) throw new Error("A bundle has files");
  return {
    domain: displayDomain(options.domain),
    place: machineWords(options),
    zipName: zipName(options, version.number),
    // The browser that makes the secrets needs the choices; the others need only what they show.
    browserOptions: options.secrets === "browser" && !filesRefusal ? options : undefined,
    warnings: made.warnings,
    ports: made.ports,
    userData: made.userData,
    files: made.files.map(({ path, purpose }) => ({ path, purpose })),
    shown: filesRefusal
      ? undefined
      : {
          path: openFile.path,
          content: openFile.content,
          language: openFile.language,
          purpose: openFile.purpose,
          withoutSecrets: withSecrets.has(openFile.path),
        },
  };
}
