import { strToU8, type Zippable, zipSync } from "fflate";
import type { BundleFile } from "./bundle-types.ts";

/** The earliest time that a zip can hold. It is fixed, so that the same files always make the same bytes. */
const timeless = new Date(1980, 0, 1);

/** All files in one folder of a zip, with the modes that Unix sets when it unpacks them. */
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
