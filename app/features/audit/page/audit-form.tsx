import type { ReactNode } from "react";
import { Button } from "~/ui/primitives/button";
import { Card } from "~/ui/primitives/card";
import { TextAreaField, TextField } from "~/ui/primitives/fields";
import { TextLink } from "~/ui/primitives/text-link";

/**
 * Where files are given, and where the script shows what it found. No field has a name and there is no form: nothing
 * that stands in them could be sent, even if the script were missing.
 */
export function AuditForm({ moveIn }: { moveIn: ReactNode }) {
  return (
    <div data-audit className="group">
      <Card variant="strong" className="max-w-[44rem] not-scripted:hidden">
        <div className="grid gap-6">
          <TextField
            label="Files of one server"
            hint="Choose all of them, or drop them here: many faults are between two files. At most 20, of 100 kB each."
            type="file"
            multiple
            data-audit-files
          />
          <TextAreaField
            label="Or paste one"
            rows={8}
            spellCheck={false}
            autoComplete="off"
            data-audit-text
          />
          <div className="flex flex-wrap gap-3">
            <Button data-audit-paste>Audit what I pasted</Button>
            <Button variant="secondary" data-audit-clear>
              Remove all
            </Button>
          </div>
        </div>
        <p role="alert" className="mt-6 hidden text-failure group-data-failed:block">
          The audit could not be loaded. You may be offline. If not, load the page again: the site
          may have changed since.
        </p>
      </Card>
      <p className="max-w-prose scripted:hidden">
        Without script this page cannot read files. The{" "}
        <TextLink to="/docs/audit" className="text-ink">
          command line
        </TextLink>{" "}
        can.
      </p>
      <p role="status" className="mt-10 text-lg font-strong" data-audit-summary />
      <ul className="mt-3 grid grid-cols-1 gap-1 text-sm text-ink-soft" data-audit-list />
      <p className="hidden" data-audit-move-in>
        {moveIn}
      </p>
      <ul className="mt-6 grid max-w-[44rem] grid-cols-1 gap-6" data-audit-findings />
    </div>
  );
}
