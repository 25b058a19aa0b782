import { globSync } from "node:fs";
import { expect, test, vi } from "vitest";
import { scriptNames } from "../../../app/features/deployments/bundle/script-texts.ts";
import type { AppContext } from "../../../app/http/app-context.ts";
import { scriptTexts } from "../../support/deployments/bundle.ts";

test("every script in the folder is named, and every name has its script", () => {
  const folder = "app/features/deployments/bundle/scripts/";
  const found = globSync(`${folder}**/*.{sh,py}`).map((path) => path.slice(folder.length));
  expect([...scriptNames].sort()).toEqual(found.sort());
});

test("the Worker reads the scripts once, and again only where reading failed", async () => {
  vi.resetModules();
  const { readScriptTexts, scriptTextsOrThrow } = await import(
    "../../../app/features/deployments/download/script-texts.server.ts"
  );
  using logged = vi.spyOn(console, "error").mockReturnValue();
  const asked: string[] = [];
  const answering = (answer: () => Response) => {
    const fetch = async ({ pathname }: URL) => {
      asked.push(pathname);
      return answer();
    };
    return { bindings: { ASSETS: { fetch } } } as unknown as AppContext;
  };
  const missing = answering(() => new Response(null, { status: 404 }));
  const there = answering(() => Response.json(scriptTexts));

  expect(await readScriptTexts(missing)).toBeUndefined();
  await expect(scriptTextsOrThrow(missing)).rejects.toMatchObject({
    data: expect.stringContaining("cannot be read right now"),
    init: { status: 503 },
  });
  expect(logged.mock.calls.flat().join()).toContain("The scripts of bundles were not read");
  expect(await readScriptTexts(there)).toEqual(scriptTexts);
  expect(await scriptTextsOrThrow(missing)).toEqual(scriptTexts);
  expect(asked).toEqual(
    Array(3).fill(expect.stringMatching(/^\/assets\/bundle-scripts-\w+\.json$/)),
  );
});
