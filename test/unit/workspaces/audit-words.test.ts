import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import words from "../../../app/content/workspace-pages.json" with { type: "json" };
import { auditActions } from "../../../app/features/billing/audit-intent.server.ts";
import {
  alertActions,
  rolloutActions,
  serverActions,
} from "../../../app/features/servers/audit-change.server.ts";
import {
  failedAction,
  webhookActions,
} from "../../../app/features/webhooks/site/note-change.server.ts";
import { eventGroups } from "../../../app/features/webhooks/webhook.ts";

test("each act that is noted has words on the page of the audit log, and no other", () => {
  const noted = globSync("supabase/migrations/*.sql")
    .flatMap((file) => readFileSync(file, "utf8").split("note_audit(").slice(1))
    .map((call) => /^[^;]*?'([a-z]+[.][a-z-]+)'/.exec(call)?.[1] ?? "");
  const acts = new Set([
    ...noted.filter(Boolean),
    ...auditActions,
    ...serverActions,
    ...alertActions,
    ...rolloutActions,
    ...webhookActions,
    failedAction,
  ]);
  expect(acts.size).toBeGreaterThan(25);
  expect([...acts].sort()).toEqual(Object.keys(words.audit.actions).sort());
});

test("each act belongs to one group of events that a webhook may be limited to, and each group has acts", () => {
  const subjects = Object.keys(words.audit.actions).map((action) => action.split(".")[0]);
  const grouped: string[] = Object.values(eventGroups).flat();
  expect(new Set(grouped).size).toBe(grouped.length);
  expect([...new Set(subjects)].sort()).toEqual(grouped.toSorted());
});
