import type { GoogleTool, ToolTab } from "~/content/google-tools";

export type OpenTool = { tool: GoogleTool; tab: ToolTab };

/** The tool and the tab that an address names: undefined for an unknown tool, its first tab for an unknown tab. */
export function toolAt(
  tools: readonly GoogleTool[],
  parameters: URLSearchParams,
): OpenTool | undefined {
  const tool = tools.find(({ id }) => id === parameters.get("tool"));
  if (!tool) return;
  const tab = tool.tabs.find(({ id }) => id === parameters.get("tab")) ?? tool.tabs[0];
  return { tool, tab };
}

/** The address of a tab of a tool, which `toolAt` reads. */
export const addressOf = ({ tool, tab }: OpenTool) =>
  `/google-services?tool=${tool.id}&tab=${tab.id}`;
