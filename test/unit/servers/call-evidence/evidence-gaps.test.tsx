import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { EvidenceGaps } from "../../../../app/features/servers/evidence-pages/evidence-gaps.tsx";
import { dayOfCounts } from "../../../../app/features/servers/room-sessions/evidence-sums.ts";
import { textOfHtml } from "../../../support/site/page-text.ts";

const textOf = (counts: Record<string, number>, hasNetworks = true) => {
  const days = [dayOfCounts(20_000, new Map(Object.entries(counts)))];
  return textOfHtml(
    renderToStaticMarkup(<EvidenceGaps days={days} hasNetworks={hasNetworks} />),
  ).trim();
};

test("the page of evidence says how many requests are in no figure, and is silent where all are", () => {
  expect(textOf({ "way udp": 3 })).toBe("");
  expect(textOf({ "way udp": 3, surplus: 1 })).toContain(
    "At least 1 request of an app was not taken",
  );
  expect(textOf({ "way udp": 3, surplus: 40 })).toContain(
    "At least 40 requests of apps were not taken",
  );
});

test("it says that networks cannot be told apart only where calls came, and none had a network", () => {
  expect(textOf({ "way udp": 3 }, false)).toContain("Networks cannot be told apart");
  expect(textOf({}, false)).toBe("");
});
