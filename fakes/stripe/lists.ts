import type Stripe from "stripe";
import { noSuch } from "./errors.ts";
import type { TimeRange } from "./parameters.ts";
import { refusalOf } from "./rules/rules.ts";

/** Which part of a list is asked for. */
export type Page = {
  limit?: number | undefined;
  starting_after?: string | undefined;
  ending_before?: string | undefined;
  created?: TimeRange | undefined;
};

/** One page of a list, newest first, as Stripe cuts it. */
export function pageOf<Item extends { id: string; created?: number }>(
  url: string,
  oldestFirst: Item[],
  page: Page,
): Stripe.ApiList<Item> {
  const items = oldestFirst.toReversed().filter((item) => isWithin(item.created, page.created));
  const limit = page.limit ?? 10;
  if (page.starting_after !== undefined && page.ending_before !== undefined)
    throw refusalOf("list-with-two-cursors");
  const positionOf = (id: string, param: string) => {
    const position = items.findIndex((item) => item.id === id);
    if (position === -1) throw noSuch("object", id, param);
    return position;
  };
  if (page.ending_before !== undefined) {
    const before = items.slice(0, positionOf(page.ending_before, "ending_before"));
    return wholeList(url, before.slice(-limit), before.length > limit);
  }
  const start =
    page.starting_after === undefined ? 0 : positionOf(page.starting_after, "starting_after") + 1;
  return wholeList(url, items.slice(start, start + limit), items.length > start + limit);
}

/** A list that is complete, or says that more follows. */
export function wholeList<Item>(url: string, data: Item[], hasMore = false): Stripe.ApiList<Item> {
  return { object: "list", data, has_more: hasMore, url };
}

function isWithin(created: number | undefined, range: TimeRange | undefined): boolean {
  if (range === undefined || created === undefined) return true;
  if (typeof range === "number") return created === range;
  return (
    (range.gt === undefined || created > range.gt) &&
    (range.gte === undefined || created >= range.gte) &&
    (range.lt === undefined || created < range.lt) &&
    (range.lte === undefined || created <= range.lte)
  );
}
