import { cp, mkdtempDisposable, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { runCommand } from "../../support/commands/run-command.ts";
import type { ObservedBuild } from "../../support/run/observed-build.ts";

let build: ObservedBuild;

/** A build of a copy of the project: the one in `build/` is in use. */
beforeAll(async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "livekit-deploy-observed-"));
  const sources = [
    "app",
    "workers",
    "scripts",
    "public",
    "package.json",
    "tsconfig.json",
    "wrangler.toml",
  ];
  for (const path of [...sources, "vite.config.ts", "react-router.config.ts"]) {
    await cp(path, join(folder.path, path), { recursive: true });
  }
  await symlink(resolve("node_modules"), join(folder.path, "node_modules"));
  const { code, output, complaint } = await runCommand("test/support/run/observed-build.ts", [], {
    cwd: folder.path,
  });
  expect(code, complaint).toBe(0);
  build = JSON.parse(output);
});

test("each file of a library reaches the bundler as its maintainers published it", () => {
  const bundled = (environment: string, path: string) =>
    build.files.some(
      (each) => each.environment === environment && each.file.includes(`/node_modules/${path}`),
    );
  for (const library of ["react/", "react-dom/", "react-router/"]) {
    expect(bundled("client", library), library).toBe(true);
    expect(bundled("ssr", library), library).toBe(true);
  }
  for (const library of ["stripe/", "@supabase/auth-js/", "@supabase/ssr/", "zod/"]) {
    expect(bundled("ssr", library), library).toBe(true);
  }
  expect(bundled("servers", "fflate/")).toBe(true);
  expect(build.files.filter(({ isAsPublished }) => !isAsPublished)).toEqual([]);
});

test("an import of a library finds that library, but for Supabase's clients that nothing uses", () => {
  const unused = ["@supabase/functions-js", "@supabase/realtime-js", "@supabase/storage-js"];
  expect(build.redirected.map(({ source }) => source).toSorted()).toEqual(unused);
  for (const { target } of build.redirected) {
    expect(target).toMatch(/\/unused-supabase-clients\.ts$/);
  }
});

test("nothing that libraries look for is a constant, but the name of the environment", () => {
  const defined = Object.values(build.defined).flat();
  expect(
    defined.filter((name) => !/^(?:global(?:This)?\.)?process\.env\.NODE_ENV$/.test(name)),
  ).toEqual([]);
});

test("npm run dev has no plugins that the build does not have, but the framework's", () => {
  const framework =
    /^(?:vite:|builtin:|native:|react-router|@tailwindcss\/vite:|vite-plugin-cloudflare)/;
  expect(build.onlyInDevelopment.length).toBeGreaterThan(0);
  expect(build.onlyInDevelopment.filter((name) => !framework.test(name))).toEqual([]);
});
