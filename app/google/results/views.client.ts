import type { TabView, ToolViews } from "./view";

const views: Readonly<Record<string, ToolViews>> = {};

/** What a tab shows of its own. */
export function viewOf(tool: string, tab: string): TabView {
  return views[tool]?.[tab] ?? {};
}
