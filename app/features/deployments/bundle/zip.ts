import { strToU8, type Zippable, zipSync } from "fflate";
import type { BundleFile } from "./bundle-types.ts";

/** The first moment that a zip can name: the same files always make the same bytes. */
const timeless = new Date(1980, 0, 1);

/** All files in one zip, in one folder, with their modes for those who unpack it on a Unix. */
export function zipOf(files: readonly BundleFile[], folder = "livekit"): Uint8Array {
  const entries: Zippable = {};
  for (const { path, content, installed } of files) {
    const executable = installed?.mode === "0755" || path.endsWith(".sh");
    const mode = installed?.mode === "0600" ? 0o600 : executable ? 0o755 : 0o644;
    entries[`${folder}/${path}`] = [
      strToU8(content),
      { os: 3, attrs: (0o100000 | mode) << 16, mtime: timeless, level: 9 },
    ];
  }
  return zipSync(entries);
}
