import * as z from "zod/mini";
import type { DeploymentOptions } from "~/features/deployments/bundle/options/options";
import type { FileChange } from "~/features/deployments/record/changes";
import type {
  DeploymentVersion,
  VersionLine,
} from "~/features/deployments/record/deployments.server";
import { cursorOf, placeIn } from "../cursor";
import type { Problem } from "../problem";
import { missing } from "./deployments";
import {
  cursorField,
  described,
  invalidCursor,
  iso,
  named,
  type Outcome,
  operation,
  pageOf,
  time,
  uuid,
} from "./operation";

const line = {
  version: z.int(),
  saved_at: time,
  saved_by: described(
    "The address of a member, or the name of a token; null for versions from before it was recorded.",
    z.nullable(z.string()),
  ),
  note: z.string(),
  restored_from: z.nullable(z.int()),
};
const versionLine = named("VersionLine", "A saved version, without its choices.", z.object(line));
const version = named(
  "Version",
  "A saved version of a deployment.",
  z.object({ ...line, options: z.nullable(z.record(z.string(), z.unknown())) }),
);

const bundleFile = named(
  "BundleFile",
  "A file of a deployment's bundle. None has a secret: those are made on the machine.",
  z.object({
    name: z.string(),
    purpose: z.string(),
    installed: described(
      "Where the machine has it; null for files that stay with you.",
      z.nullable(z.object({ path: z.string(), mode: z.string(), owner: z.string() })),
    ),
    content: z.string(),
  }),
);

export const changedFile = named(
  "ChangedFile",
  "What differs in a file.",
  z.object({
    name: z.string(),
    change: z.enum(["added", "removed", "changed"]),
    added: z.int(),
    removed: z.int(),
    diff: described("As `diff -u` writes it, without the names.", z.string()),
  }),
);

const difference = named(
  "Difference",
  "What differs between the files of two versions.",
  z.object({
    from: z.int(),
    to: z.int(),
    changes_machine: described("Whether a machine installs other files than before.", z.boolean()),
    files: z.array(changedFile),
  }),
);

const number = z.pipe(z.string().check(z.regex(/^[1-9]\d{0,8}$/)), z.transform(Number));

function lineView({ version, savedAt, savedBy, note, restoredFrom }: VersionLine) {
  return {
    ...{ version, saved_at: iso(savedAt), saved_by: savedBy ?? null, note },
    restored_from: restoredFrom ?? null,
  };
}

/** The choices of a version; what they are not any more is a problem. */
function optionsOf({ stored, version }: DeploymentVersion): DeploymentOptions | Problem {
  if ("options" in stored) return stored.options;
  const detail = `The choices of version ${version} no longer make a server.`;
  return { problem: "not-found", detail };
}

export const changedFileView = (file: FileChange) => ({
  ...{ name: file.path, change: file.kind, added: file.added, removed: file.removed },
  diff: unified(file),
});

function unified({ hunks }: FileChange): string {
  const signs = { kept: " ", added: "+", removed: "-" } as const;
  return hunks
    .map(({ before, after, lines }) => {
      const old = lines.filter(({ kind }) => kind !== "added").length;
      const now = lines.filter(({ kind }) => kind !== "removed").length;
      const head = `@@ -${before},${old} +${after},${now} @@\n`;
      return head + lines.map(({ kind, text }) => `${signs[kind]}${text}\n`).join("");
    })
    .join("");
}

const base = {
  method: "GET",
  tag: "Deployments",
  scope: "deployments:read",
  status: 200,
  problems: [],
} as const;
const ofDeployment = { deployment: uuid };
const ofVersion = { deployment: uuid, version: number };

export const versionOperations = [
  operation({
    ...{ ...base, path: "/deployments/{deployment}/versions", id: "listVersions" },
    summary: "The versions of a deployment, newest first, 50 at a time",
    ...{ params: ofDeployment, query: { cursor: cursorField } },
    answer: pageOf("VersionPage", "versions", versionLine),
    async run({ params, query: { cursor }, sources: { records } }): Promise<Outcome> {
      const newest = cursor === undefined ? undefined : placeIn(cursor, z.int().check(z.gte(1)));
      if (cursor !== undefined && newest === undefined) return invalidCursor;
      const found = await records.versions(params.deployment, newest);
      if (found.state !== "found") return missing(found, "deployment");
      const items = found.value.slice(0, 50);
      const next = found.value[50]?.version;
      return {
        value: {
          items: items.map(lineView),
          next_cursor: next === undefined ? null : cursorOf(next),
        },
      };
    },
  }),
  operation({
    ...{ ...base, path: "/deployments/{deployment}/versions/{version}", id: "getVersion" },
    summary: "One version with its choices",
    ...{ params: ofVersion, query: {}, answer: version },
    async run({ params, sources: { records } }): Promise<Outcome> {
      const found = await records.version(params.deployment, params.version);
      if (found.state !== "found") return missing(found, "version");
      const { stored } = found.value;
      const options = "options" in stored ? stored.options : null;
      return { value: { ...lineView(found.value), options } };
    },
  }),
  operation({
    ...{ ...base, path: "/deployments/{deployment}/versions/{version}/diff", id: "getDifference" },
    summary: "What differs in the files from an older version to this one",
    params: ofVersion,
    query: { from: z.optional(described("By default the version before.", number)) },
    answer: difference,
    async run({ params, query, sources: { records, bundles } }): Promise<Outcome> {
      const { deployment, version: to } = params;
      const from = query.from ?? Math.max(1, to - 1);
      const [older, newer] = await Promise.all([
        records.version(deployment, from),
        records.version(deployment, to),
      ]);
      if (older.state !== "found") return missing(older, "version");
      if (newer.state !== "found") return missing(newer, "version");
      const [before, after] = [optionsOf(older.value), optionsOf(newer.value)];
      if ("problem" in before) return before;
      if ("problem" in after) return after;
      const { files, isInstalledChanged } = bundles.compare(before, after);
      return {
        value: {
          ...{ from, to, changes_machine: isInstalledChanged },
          files: files.map(changedFileView),
        },
      };
    },
  }),
  operation({
    ...{ ...base, path: "/deployments/{deployment}/versions/{version}/files", id: "listFiles" },
    summary: "The files that a version makes, without secrets",
    ...{ params: ofVersion, query: {} },
    answer: named("FileList", "All files of a bundle.", z.object({ items: z.array(bundleFile) })),
    async run({ params, call, sources: { records, bundles } }): Promise<Outcome> {
      const { deployment, version: number } = params;
      const found = await records.version(deployment, number);
      if (found.state !== "found") return missing(found, "version");
      const options = optionsOf(found.value);
      if ("problem" in options) return options;
      const url = call.serversUrl;
      const connection = url === undefined ? undefined : { url, version: { deployment, number } };
      const { files } = bundles.make(options, undefined, connection);
      return {
        value: {
          items: files.map(({ path, purpose, installed, content }) => ({
            ...{ name: path, purpose, installed: installed ?? null, content },
          })),
        },
      };
    },
  }),
];
