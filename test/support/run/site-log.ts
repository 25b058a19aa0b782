import { globSync, readFileSync, writeFileSync } from "node:fs";

const folder = "node_modules/.cache/livekit-deploy";

/** What a site logged, and when, in Unix milliseconds. */
type Entry = { at: number; site: number; line: string };

/** Begins the log of the site at these ports. The function that it returns keeps a warning or an error. */
export function openSiteLog(site: number): (line: string) => void {
  const path = `${folder}/site-${site}.jsonl`;
  writeFileSync(path, "");
  return (line) => {
    if (line.includes('"level":"info"')) return;
    const entry: Entry = { at: Date.now(), site, line };
    writeFileSync(path, `${JSON.stringify(entry)}\n`, { flag: "a" });
  };
}

/** What all sites logged between two times, a line each, to read beside a failed test. */
export function siteLogsBetween(from: number, to: number): string[] {
  return globSync(`${folder}/site-*.jsonl`)
    .flatMap((file) => readFileSync(file, "utf8").split("\n"))
    .filter((line) => line !== "")
    .map((line): Entry => JSON.parse(line))
    .filter(({ at }) => at >= from && at <= to)
    .toSorted((a, b) => a.at - b.at)
    .map(({ at, site, line }) => `${new Date(at).toISOString()} ${site} ${line}`);
}
