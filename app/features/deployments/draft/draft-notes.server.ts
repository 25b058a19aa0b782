import type { DeploymentField } from "~/content/deployment-fields";
import { proLimits } from "../bundle/options/pro-limits.ts";

const notTaken: ReadonlyMap<string, string> = new Map([
  ...proLimits.map(({ field, listed }) => [field, listed] as const),
  ["turnConfig", "the TURN domain (step Network)"],
  ["firewallPreset", "your networks for the firewall (step Network)"],
  ["recordingStorage", "the bucket for recordings (step Media)"],
  ["backupFrequency", "the key for backups (step Upkeep)"],
]);

/** The query of the page that follows once a draft was made a deployment: what of it was not taken over. */
export function draftNotesSearch(
  leftOut: readonly string[],
  open: readonly DeploymentField[],
): URLSearchParams {
  const search = new URLSearchParams({ made: "" });
  if (leftOut.length > 0) search.set("left-out", leftOut.join());
  if (open.length > 0) search.set("open", open.join());
  return search;
}

/** What of a draft was not taken over. The address, which anybody can write, can only name known choices. */
export function draftNotes(search: URLSearchParams): string[] {
  const words = (key: string) => {
    const named = (search.get(key) ?? "").split(",").flatMap((each) => notTaken.get(each) ?? []);
    return named.length > 0 ? new Intl.ListFormat("en").format(named) : undefined;
  };
  const locked = words("left-out");
  const open = words("open");
  return [
    ...(locked ? [`Your choices are filled in, without ${locked}: that is part of Pro.`] : []),
    ...(open ? [`Your choices are filled in. Still to say: ${open}.`] : []),
  ];
}
