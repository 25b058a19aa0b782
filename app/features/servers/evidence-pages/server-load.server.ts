import { figuresOver } from "../explanation/figures-over";
import { isTooBusy } from "../explanation/quality-causes";
import type { ServerPage } from "../pages/server-view";
import { badOf, type EvidenceHour, hourMs } from "../room-sessions/evidence-hours";

/** Says of each hour with bad calls whether the server had too much to do, as far as its figures reach back. */
export function withServerLoad(
  hours: readonly EvidenceHour[],
  server: Pick<ServerPage, "series" | "capacity">,
): EvidenceHour[] {
  return hours.map((hour) => {
    if (badOf(hour) === 0) return hour;
    const isBusy = isTooBusy(figuresOver(server, { from: hour.at, until: hour.at + hourMs - 1 }));
    return isBusy === undefined ? hour : { ...hour, isBusy };
  });
}
