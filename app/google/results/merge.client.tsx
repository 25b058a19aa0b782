import { useState } from "react";
import { clearMerge, keepMerge, readMerge } from "./kept-merge.client";
import { MergeForm } from "./merge-form.client";
import { MergeRun } from "./merge-run.client";
import type { ViewProps } from "./view";

/** A merge as it is written, or the one that was started and is not cleared yet. */
export function MergeView(props: ViewProps) {
  const { owner } = props;
  const [started, setStarted] = useState(() => readMerge(owner));
  const [begins, setBegins] = useState(false);
  if (!started) {
    return (
      <MergeForm
        {...props}
        onStart={(template, table) => {
          const progress = { id: crypto.randomUUID(), startedAt: Date.now(), standings: {} };
          const merge = { template, table, progress };
          keepMerge(owner, merge);
          setBegins(true);
          setStarted(merge);
        }}
      />
    );
  }
  return (
    <MergeRun
      key={started.progress.id}
      {...props}
      merge={started}
      begins={begins}
      onClear={() => {
        clearMerge(owner);
        setStarted(undefined);
      }}
    />
  );
}
