import { defaultPortBase } from "../../fakes/dev-vars.ts";

/**
 * Where local data is kept between runs. Other fake ports have another folder, because a
 * database directory can serve one process only, and ports can too.
 */
export function localFolder(portBase: number): string {
  return portBase === defaultPortBase ? ".local" : `.local/ports-${portBase}`;
}
