import { expect, test } from "vitest";
import { type ProofSection, proofSections } from "~/features/marketing/proof/figures.ts";
import { verifiedRuns } from "~/features/marketing/proof/run.ts";
import texts from "../../../app/content/proof.json" with { type: "json" };
import record from "../../../app/content/runs.json" with { type: "json" };
import { siteUrl } from "../../support/site/own-site.ts";
import { textOfHtml } from "../../support/site/page-text.ts";

/** Everything with a digit that a section may show. */
const shownOf = ({ figures, run }: ProofSection): string[] => [
  ...figures.flatMap(({ value, range }) => [range, value]),
  ...Object.values(run.versions),
  ...[run.startedAt.slice(0, 10), run.commit, run.machine],
];

test("the page shows every figure of every recorded run, and no digit that is in none of them", async () => {
  const { runs } = await verifiedRuns(record);
  const html = await (await fetch(`${siteUrl}/proof`)).text();
  let left = textOfHtml(/<main[\s\S]*<\/main>/.exec(html)?.[0] ?? "").replaceAll("&#x27;", "'");
  for (const shown of proofSections(texts, runs).flatMap(shownOf)) {
    expect(left).toContain(shown);
    left = left.replace(shown, "");
  }
  const others = left.replaceAll("port 443", "").replaceAll(/in \d+ (s|minutes), on/g, "");
  expect(others.match(/.{0,30}\d.{0,30}/)?.[0]).toBeUndefined();
});
