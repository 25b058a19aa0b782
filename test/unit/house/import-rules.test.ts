import { globSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { expect, test } from "vitest";
import { importsOf } from "../../support/run/imports.ts";

const rooms = "{app,workers,fakes,scripts,test}";
const imports = importsOf(`${rooms}/**/*.{ts,tsx,mjs}`);

/** The imports by files below `from` of files below any of `to`, as sentences. */
function importing(from: string, ...to: string[]): string[] {
  return imports
    .filter(
      ({ file, source }) => file.startsWith(from) && to.some((room) => source.startsWith(room)),
    )
    .map(({ file, source }) => `${file} imports ${source}`);
}

test("what ships imports nothing that must not ship", () => {
  for (const shipped of ["app/", "workers/"]) {
    expect(importing(shipped, "fakes/", "scripts/", "test/")).toEqual([]);
  }
});

/** From the bottom to the top: a room imports from the rooms before it, and from itself. */
const layers = [
  "app/content/",
  "app/platform/",
  "app/http/",
  "app/seo/",
  "app/ui/",
  "app/features/",
  "app/routes/",
];

test.each(layers.map((layer, index) => [layer, layers.slice(index + 1)] as const))(
  "%s imports from no room above it",
  (layer, above) => {
    expect(importing(layer, ...above)).toEqual([]);
  },
);

test("words stand alone: content imports content", () => {
  const others = imports.filter(
    ({ file, source }) => file.startsWith("app/content/") && !source.startsWith("app/content/"),
  );
  expect(others.map(({ source }) => source)).toEqual([]);
});

/** The last of the packages stands in an example of the bundle's README. */
test("the files of a deployment are made of nothing but their options", () => {
  const bundle = "app/features/deployments/bundle/";
  const others = imports.filter(
    ({ file, source }) =>
      file.startsWith(bundle) &&
      !source.startsWith(bundle) &&
      !/^(fflate|@noble\/hashes\/\w+\.js|zod\/mini|livekit-server-sdk)$/.test(source),
  );
  expect(others.map(({ file, source }) => `${file} imports ${source}`)).toEqual([]);
});

/** Types are gone from what ships. Of the site's platform the Worker takes the log alone, which has no configuration. */
test("the servers Worker reaches no database and no secret of the site", () => {
  const values = importsOf("{app,workers}/**/*.{ts,tsx}", { withTypes: false });
  const byFile = Map.groupBy(values, ({ file }) => file);
  const importers = new Map([["workers/servers/worker.ts", ""]]);
  for (const [file] of importers) {
    for (const { source } of byFile.get(file) ?? []) {
      if (!importers.has(source)) importers.set(source, file);
    }
  }
  const reached = [...importers].map(([source, file]) => ({ source, file }));
  expect(reached.map(({ source }) => source)).toContain("app/platform/log/log.server.ts");
  const rooms =
    /^(workers\/servers|app\/features\/(servers|mail|deployments|api|webhooks)|app\/(http|content)|app\/platform\/log)\//;
  const ours = reached.filter(({ source }) => /^(app|workers)\//.test(source));
  const beyond = ours.filter(
    ({ source }) => !rooms.test(source) && !/^app\/ui\/(dates|time-zones)\.ts$/.test(source),
  );
  expect(beyond).toEqual([]);
  const providers = /^(stripe|@supabase\/.*)$/;
  expect(reached.filter(({ source }) => providers.test(source))).toEqual([]);
  const configuration = readFileSync("app/platform/env/configuration.server.ts", "utf8");
  const secrets = new Set(configuration.match(/\b[A-Z_]+_(SECRETS?|SECRET_KEY|API_KEY)\b/g));
  expect(secrets).toContain("SUPABASE_SECRET_KEY");
  const naming = ours.flatMap(({ source }) => {
    const text = readFileSync(source, "utf8");
    return [...secrets].filter((name) => text.includes(name)).map((name) => [source, name]);
  });
  expect(naming).toEqual([]);
});

test("no file imports itself by way of others", () => {
  expect(circles(imports.map(({ file, source }) => [file, source]))).toEqual([]);
});

test("no folder imports itself by way of the folders beside it", () => {
  const parents = new Set(imports.flatMap(({ file }) => ancestors(file)));
  const found = [...parents].flatMap((parent) => {
    const child = (path: string) =>
      path.startsWith(parent) && path.slice(parent.length).includes("/")
        ? parent + path.slice(parent.length).split("/")[0]
        : undefined;
    return circles(
      imports.flatMap(({ file, source }) => {
        const [from, to] = [child(file), child(source)];
        return from && to && from !== to ? [[from, to] as const] : [];
      }),
    );
  });
  expect(found).toEqual([]);
});

test("no folder has so many files that somebody must search it", () => {
  const files = globSync(`${rooms}/**/*.{ts,tsx}`);
  const counts = Map.groupBy(files, (file) => dirname(file));
  const crowded = [...counts]
    .filter(([, { length }]) => length > 24)
    .map(([folder, { length }]) => `${folder}: ${length}`);
  expect(crowded).toEqual([]);
});

/** "" and each folder above a file, with a slash at its end. */
function ancestors(file: string): string[] {
  const parts = file.split("/").slice(0, -1);
  return ["", ...parts.map((_, index) => `${parts.slice(0, index + 1).join("/")}/`)];
}

/** The circles among these pairs, each as the names on its way. */
function circles(pairs: readonly (readonly [from: string, to: string])[]): string[] {
  const next = Map.groupBy(pairs, ([from]) => from);
  const done = new Set<string>();
  const found: string[] = [];
  const visit = (name: string, way: string[]): void => {
    const seen = way.indexOf(name);
    if (seen >= 0) found.push([...way.slice(seen), name].join(" > "));
    if (seen >= 0 || done.has(name)) return;
    for (const [, to] of next.get(name) ?? []) visit(to, [...way, name]);
    done.add(name);
  };
  for (const name of next.keys()) visit(name, []);
  return found;
}
