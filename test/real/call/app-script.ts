import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "vite";

/** The script of a customer's app, in one file with LiveKit's client. */
export async function appScript(source: string): Promise<string> {
  const folder = mkdtempSync(join(process.cwd(), "node_modules/.app-script-"));
  try {
    const entry = join(folder, "app.js");
    writeFileSync(entry, source);
    const made = await build({
      ...{ configFile: false, logLevel: "error", publicDir: false },
      build: { write: false, lib: { entry, formats: ["es"] } },
    });
    const [first] = [made].flat();
    const [chunk] = first && "output" in first ? first.output : [];
    return chunk && "code" in chunk ? chunk.code : "";
  } finally {
    rmSync(folder, { recursive: true });
  }
}
