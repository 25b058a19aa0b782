import { CopyButton } from "~/ui/primitives/copy-button";
import type { TaskWords } from "./task-words";

/** What is to do about a running server, step by step, each command copied with one press. */
export function TaskList({ tasks }: { tasks: readonly TaskWords[] }) {
  return (
    <ol className="grid gap-5">
      {tasks.map(({ task, title, detail, command }, at) => (
        <li key={task} className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4">
          <span aria-hidden="true" className="font-mono text-sm leading-6 text-signal">
            {at + 1}
          </span>
          <div>
            <p className="font-strong">{title}</p>
            <p className="mt-1 max-w-prose text-sm wrap-anywhere text-ink-soft">{detail}</p>
            {command ? (
              <p className="mt-2 flex items-center gap-2 rounded-md bg-well pl-3">
                <code className="min-w-0 grow py-2 text-sm wrap-anywhere">{command}</code>
                <CopyButton text={command} label={`Copy ${command}`} />
              </p>
            ) : null}
          </div>
        </li>
      ))}
    </ol>
  );
}
