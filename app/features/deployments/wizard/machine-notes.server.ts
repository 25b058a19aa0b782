import type { AppContext } from "~/http/app-context";
import { fetchAsset } from "~/http/assets.server";
import { describeError, log } from "~/platform/log/log.server";
import type { AllMachineNotes } from "./machine-notes";
import machineNotesAddress from "./machine-notes.json?url&no-inline";

/** From a file of its own. Without it pages show sizes without machines. */
export async function machineNotes(app: AppContext): Promise<AllMachineNotes | undefined> {
  try {
    return await (await fetchAsset(machineNotesAddress, app)).json<AllMachineNotes>();
  } catch (error) {
    log.error("The notes about machines were not read", describeError(error));
  }
}
