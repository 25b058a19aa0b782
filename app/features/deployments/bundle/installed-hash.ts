import type { Bundle } from "./bundle-types.ts";
import { contentHash } from "./content-hash.ts";

/** Equal for bundles that put the same files on a machine. It keeps its own secrets, so theirs do not count. */
export function installedHash({ files }: Bundle): string {
  return contentHash(
    JSON.stringify(
      files
        .filter(
          ({ path, installed }) =>
            installed && path !== "secrets.env" && path !== "enrolment-token",
        )
        .map(({ path, content }) => [path, content]),
    ),
  );
}
