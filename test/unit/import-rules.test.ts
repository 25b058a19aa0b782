import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, test } from "vitest";

type Import = { file: string; source: string };

/** What the modules of a folder import: own files by their path, packages by their name. */
function importsOf(folder: string): Import[] {
  return globSync(`${folder}/**/*.{ts,tsx}`).flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/(?:from|import) "([^"]+)"/g)].map(
      ([, source = ""]) => ({ file, source: resolved(source, file) }),
    ),
  );
}

function resolved(source: string, file: string): string {
  if (source.startsWith("~/")) return source.replace("~/", "app/");
  return source.startsWith(".") ? normalize(join(dirname(file), source)) : source;
}

const words = ({ file, source }: Import) => `${file} imports ${source}`;

test("what ships imports nothing that must not ship", () => {
  const foreign = [...importsOf("app"), ...importsOf("workers")].filter(({ source }) =>
    /^(local|test|deploy|bench|pictures)\//.test(source),
  );
  expect(foreign.map(words)).toEqual([]);
});

test("a capability does not know the routes that use it", () => {
  const upwards = importsOf("app").filter(
    ({ file, source }) => source.startsWith("app/routes/") && !file.startsWith("app/routes/"),
  );
  expect(upwards.map(words)).toEqual([]);
});

test("words stand alone: content imports content, and its compiler the request it answers", () => {
  const others = importsOf("app/content").filter(
    ({ source }) => source.startsWith("app/") && !source.startsWith("app/content/"),
  );
  expect(others.map(words)).toEqual([
    "app/content/markdown/pages.server.ts imports app/request/request-context",
  ]);
});

test("the files of a deployment are made of nothing but their options", () => {
  const others = importsOf("app/deployments/bundle").filter(
    ({ source }) => !/^(app\/deployments\/bundle\/|fflate$|zod\/mini$)/.test(source),
  );
  expect(others.map(words)).toEqual([]);
});
