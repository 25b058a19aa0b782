import type { BundleFile } from "../bundle-types.ts";

/** A file of /opt/livekit that everybody on the machine may read. */
export function inOptLivekit(name: string): NonNullable<BundleFile["installed"]> {
  return { path: `/opt/livekit/${name}`, mode: "0644", owner: "root:root" };
}
