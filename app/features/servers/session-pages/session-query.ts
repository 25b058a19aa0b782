import * as z from "zod/mini";
import type { SessionQuery } from "../room-sessions/history-pages.server";

const dayMs = 86_400_000;
const cursor = /^(\d{10,14})\.(\d{1,12})$/;

/** What somebody asked for, as they typed it. What cannot be is left out. */
export function typedQuery(search: URLSearchParams) {
  const day = search.get("day") ?? "";
  const name = (search.get("name") ?? "").trim().slice(0, 100);
  const isDay = z.iso.date().safeParse(day).success;
  return { day: isDay ? day : "", name, before: search.get("before") ?? "" };
}

export type TypedQuery = ReturnType<typeof typedQuery>;

/** A hash is typed as pages show it, or whole, and a name as it is: namePrefixes says which it may be. */
export function sessionQuery({ day, name, before }: TypedQuery): SessionQuery {
  const [, started, id] = cursor.exec(before) ?? [];
  return {
    ...(day ? { day: Date.parse(day) / dayMs } : {}),
    ...(name ? { name } : {}),
    ...(started && id ? { before: { started: Number(started), id: Number(id) } } : {}),
  };
}

export function searchWith({ day, name }: TypedQuery, before?: string): string {
  const search = new URLSearchParams(
    Object.entries({ day, name, before: before ?? "" }).filter(([, value]) => value),
  );
  return search.size > 0 ? `?${search}` : "";
}
