import { useState } from "react";
import { MergeForm } from "./merge-form.client";
import { MergeRun } from "./merge-run.client";
import { clearMerge, readMerge, startMerge } from "./saved-merge.client";
import type { ViewProps } from "./view";

/** The form of a new merge, or the started merge until it is cleared. */
export function MergeView(props: ViewProps) {
  const { owner, email } = props;
  const [started, setStarted] = useState(() => readMerge(owner));
  const [begins, setBegins] = useState(false);
  if (!started) {
    return (
      <MergeForm
        {...props}
        onStart={async (template, table) => {
          const progress = { id: crypto.randomUUID(), startedAt: Date.now(), rowStates: {} };
          const merge = { template, table, email, progress };
          const problem = await startMerge(owner, merge);
          if (problem) return problem;
          setBegins(true);
          setStarted(merge);
          return undefined;
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
      onClear={async () => {
        const problem = await clearMerge(owner, started.progress.id);
        if (problem) return problem;
        setBegins(false);
        setStarted(readMerge(owner));
        return undefined;
      }}
    />
  );
}
