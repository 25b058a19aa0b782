import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { step } from "../../../scripts/lib/terminal.mjs";
import { buildProgram, provideMachines } from "../media/setup.ts";
import { findClusterRequirements } from "./requirements.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The program of the people in calls. */
    callers: string;
  }
}

/** Once for all files: what machines are made of, as for the proof of media, and the people in calls. */
export default async function setup(project: TestProject) {
  const callers = await step("Building the callers", () =>
    buildProgram(join(import.meta.dirname, "callers/program"), "callers"),
  );
  project.provide("callers", callers);
  return provideMachines(project, findClusterRequirements());
}
