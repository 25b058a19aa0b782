import type { MoveIn } from "./move-in";

const key = "move-in-mappings";

/** In this tab alone, so that signing in or a page that is loaded anew loses nothing. It has no secret. */
export function remember(found: MoveIn | undefined): void {
  try {
    if (found) sessionStorage.setItem(key, JSON.stringify(found));
    else sessionStorage.removeItem(key);
  } catch {
    // Storage may be forbidden, or full.
  }
}

/** What this tab has found before. */
export function remembered(): MoveIn | undefined {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? "null") ?? undefined;
  } catch {
    return;
  }
}
