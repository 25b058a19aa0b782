import { calendarViews } from "./calendar.client";
import { docsViews } from "./docs.client";
import { MergeView } from "./merge.client";
import { RespondView } from "./respond.client";
import { SentListView } from "./sent-list.client";
import { tasksViews } from "./tasks.client";
import type { TabView, ToolViews } from "./view";

const gmailViews: ToolViews = {
  list: { Result: SentListView },
  respond: { Whole: RespondView },
  merge: { Whole: MergeView },
};

const views: Readonly<Record<string, ToolViews>> = {
  gmail: gmailViews,
  calendar: calendarViews,
  tasks: tasksViews,
  docs: docsViews,
};

/** The views of a tab; {} for a tab that has none. */
export function viewOf(tool: string, tab: string): TabView {
  return views[tool]?.[tab] ?? {};
}
