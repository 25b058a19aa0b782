import { weekdayOf } from "~/ui/dates";
import { Button } from "~/ui/primitives/button";
import { TextLink } from "~/ui/primitives/text-link";
import type { OneTask, TaskChoice, TaskPage, TaskView } from "../tools/tasks.server";
import { MorePages } from "./more-pages.client";
import type { ToolViews, ViewProps } from "./view";

function TaskList({ result, ...view }: ViewProps) {
  if (!result) return null;
  return (
    <MorePages first={result as TaskPage} {...view}>
      {(pages) => {
        const tasks = pages.flatMap((page) => page.tasks);
        return tasks.length > 0 ? (
          <ul aria-label="Tasks">
            {tasks.map((task) => (
              <li key={task.id} className="border-t border-line py-2">
                <Facts task={task} />
              </li>
            ))}
          </ul>
        ) : (
          <p>There are no tasks to show.</p>
        );
      }}
    </MorePages>
  );
}

function Completion({ result, call, busy }: ViewProps) {
  if (!result) return null;
  const { choose, task } = result as Partial<TaskChoice & OneTask>;
  if (task) return <Facts task={task} />;
  return choose && choose.length > 0 ? (
    <ul aria-label="Open tasks">
      {choose.map((each) => (
        <li
          key={each.id}
          className="flex flex-wrap items-center justify-between gap-4 border-t border-line py-2"
        >
          <div id={`task-${each.id}`} className="min-w-0">
            <Facts task={each} />
          </div>
          <Button
            variant="secondary"
            disabled={busy}
            aria-describedby={`task-${each.id}`}
            onClick={() => call({ task: each.id })}
          >
            Complete
          </Button>
        </li>
      ))}
    </ul>
  ) : null;
}

function Facts({ task: { title, notes, due, completed, href } }: { task: TaskView }) {
  const facts = [due && `due ${weekdayOf(due)}`, completed && "completed"].filter(Boolean);
  return (
    <div className="min-w-0">
      {href ? (
        <TextLink to={href} target="_blank" rel="noreferrer">
          {title || "No title"}
        </TextLink>
      ) : (
        <span>{title || "No title"}</span>
      )}
      {facts.length > 0 ? <span className="text-ink-soft"> ({facts.join(", ")})</span> : null}
      {notes ? <p className="text-sm whitespace-pre-wrap text-ink-soft">{notes}</p> : null}
    </div>
  );
}

/** The views of the tabs of Task Management. */
export const tasksViews: ToolViews = {
  complete: { Result: Completion },
  list: { Result: TaskList },
};
