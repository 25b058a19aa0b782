import { archiveHash, archiveOf } from "../../archive.ts";
import type { BundleFile, Connection } from "../../bundle-types.ts";
import type { DeploymentOptions } from "../../options/options.ts";
import type { ScriptTexts } from "../../script-texts.ts";
import { writtenFiles } from "../cloud-init.ts";
import { assembled } from "../script-parts.ts";

/**
 * User data of a kilobyte: it fetches the archive of the installed files from the console, which makes it anew, and takes
 * only the one with its hash.
 */
export function shortUserData(
  options: DeploymentOptions,
  installed: readonly BundleFile[],
  texts: ScriptTexts,
  connection?: Connection,
): BundleFile[] {
  if (!connection?.token || !connection.version || options.secrets === "browser") return [];
  const source = assembled(
    texts["user-data.py"],
    {},
    {
      TOKEN: connection.token,
      SHA256: archiveHash(archiveOf(writtenFiles(options, installed))),
      URL: connection.url,
    },
  );
  return [
    {
      path: "user-data.py",
      content: minified(source),
      language: "python",
      purpose:
        "User data of a kilobyte, which fetches these files from the console. It ends 72 hours after the download.",
    },
  ];
}

/**
 * The script without comments, empty lines, and spaces that Python does not need. It does not look at where a string begins:
 * user-data.py has none with a comma, "=" or "==" and a space beside it.
 */
function minified(source: string): string {
  return source
    .split("\n")
    .filter((line, at) => at < 2 || !/^\s*(#.*)?$/.test(line))
    .map((line) => line.replace(/^ +/, (spaces) => " ".repeat(spaces.length / 4)))
    .join("\n")
    .replace(/, /g, ",")
    .replace(/ (=|==) /g, "$1")
    .concat("\n");
}
