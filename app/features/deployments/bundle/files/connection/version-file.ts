import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import type { BundleFile, Connection } from "../../bundle-types.ts";
import { inOptLivekit } from "../installed.ts";

/** What the machine changes itself, or has from elsewhere. */
const machineFiles = ["secrets.env", "enrolment-token"];

/**
 * version.txt, from which the machine reports which version its files are of, and whether they are still as they were
 * made. Its first line is `DEPLOYMENT VERSION HASH`; the others are the files that the hash is of, in its order. What
 * other programs have settings in too, such as Docker's, is left out. The hash is that of `sha256sum` of these files.
 */
export function versionFile(
  installed: readonly BundleFile[],
  connection?: Connection,
): BundleFile[] {
  if (!connection?.version) return [];
  const { deployment, number } = connection.version;
  const files = installed.flatMap(({ path, content, installed: target }) =>
    target?.path.includes("livekit") && !machineFiles.includes(path)
      ? [{ path: target.path.slice(1), content }]
      : [],
  );
  const hash = sha256sum(
    files.map(({ path, content }) => `${sha256sum(content)}  ${path}\n`).join(""),
  );
  return [
    {
      path: "version.txt",
      content: [`${deployment} ${number} ${hash}`, ...files.map(({ path }) => path), ""].join("\n"),
      language: "conf",
      purpose: "Which version these files are, so that the console can say what a server runs.",
      withToken: true,
      installed: inOptLivekit("version.txt"),
    },
  ];
}

/** As `sha256sum` prints it. Workers and browsers themselves have it only as a promise, and `bundle()` is a plain function. */
const sha256sum = (text: string): string => bytesToHex(sha256(utf8ToBytes(text)));
