import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { TestProject } from "vitest/node";
import { startNodeProgram } from "../../../scripts/lib/child.ts";
import { buildSite, isBuildCurrent } from "../../../scripts/lib/site-build.ts";
import { step } from "../../../scripts/lib/terminal.mjs";
import { makeImages } from "./machine/images.ts";
import { findMediaRequirements, type MediaRequirements } from "./requirements.ts";
import { makeAuthority } from "./world/authority.ts";
import { outcomeOf } from "./world/commands.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** What every file of the proof of media builds its machine from. */
    media: MediaRequirements & {
      authority: string;
      keyFile: string;
      certificateFile: string;
      images: string;
      client: string;
    };
  }
}

/** Once for all files: the built Workers, and what machines are made of. */
export default async function setup(project: TestProject) {
  if (!isBuildCurrent()) await buildSite(startNodeProgram);
  return provideMachines(project);
}

/** The authority of the run, the images, and the client. */
export async function provideMachines(
  project: TestProject,
  requirements = findMediaRequirements(),
) {
  const folder = mkdtempSync(join(tmpdir(), "real-media-"));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    for (const sentence of requirements.notPinned) console.log(sentence);
    const client = await step("Building the client", () =>
      buildProgram(join(import.meta.dirname, "client"), "client"),
    );
    const authority = makeAuthority(folder);
    const images = join(folder, "images");
    await step("Images of the services", async () =>
      makeImages(images, requirements, authority.authority),
    );
    project.provide("media", { ...requirements, ...authority, images, client });
  } catch (error) {
    remove();
    throw error;
  }
  return remove;
}

/** Go builds only what changed since it was last asked. */
export async function buildProgram(source: string, name: string): Promise<string> {
  const folder = resolve("node_modules/.cache/livekit-deploy/media");
  mkdirSync(folder, { recursive: true });
  const program = join(folder, name);
  const { status, output } = await outcomeOf(["go", "build", "-C", source, "-o", program, "."], {
    environment: { CGO_ENABLED: "0" },
  });
  if (status !== 0) throw new Error(`go build: ${output}`);
  return program;
}
