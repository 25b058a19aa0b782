import type { ReactNode } from "react";
import { LineDrawing } from "~/ui/primitives/line-drawing";

const drawings: Record<string, ReactNode> = {
  gmail: (
    <>
      <rect x="3.5" y="7" width="25" height="18" rx="2" />
      <path d="M4.5 9L16 18 27.5 9" />
    </>
  ),
  calendar: (
    <>
      <rect x="4.5" y="6" width="23" height="21" rx="2" />
      <path d="M4.5 12.5h23M11 3.5V8M21 3.5V8" />
      <path d="M10 17.5h4M18 17.5h4M10 22h4" />
    </>
  ),
  tasks: (
    <>
      <circle cx="8" cy="9" r="3.5" />
      <path d="M16 9h11.5M16 22.5h11.5" />
      <path d="M4 22.5l3 3 5-6" />
    </>
  ),
  docs: (
    <>
      <path d="M19 3.5H9a2 2 0 0 0-2 2v21a2 2 0 0 0 2 2h14a2 2 0 0 0 2-2v-17z" />
      <path d="M19 3.5v6h6M11.5 15h9M11.5 19h9M11.5 23h5" />
    </>
  ),
};

/** What each tool works with. */
export function ToolIcon({ tool }: { tool: string }) {
  return <LineDrawing>{drawings[tool]}</LineDrawing>;
}
