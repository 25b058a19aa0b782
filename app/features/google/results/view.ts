import type { ComponentType } from "react";
import type { ToolTab } from "~/content/google-tools";
import type { Outcome } from "../tools/operation";

/** What the view of one tab gets from the frame around it. */
export type ViewProps = {
  /** `result` of the last outcome of this tab, a refusal's too; undefined before and without one. */
  result: unknown;
  /** What `result` was asked with: the form may say something else by now. */
  asked: Readonly<Record<string, string>>;
  /**
   * Posts to this tab's operation in addition to what the form holds, and shows the outcome as the
   * form's own button does: red box, success with link, consent where Google asks for it. Every
   * request also carries `timeZone`, the browser's IANA name.
   */
  run(fields: Readonly<Record<string, string>>): Promise<Outcome>;
  /** The same without showing anything: for what a view reports by itself, piece by piece. */
  ask(fields: Readonly<Record<string, string>>): Promise<Outcome>;
  busy: boolean;
  /** Whether Google can be asked; where not, the frame shows how to connect. */
  isConnected: boolean;
  tab: ToolTab;
  /** Names whose connection this is; what a browser keeps is kept under it. */
  owner: string;
  /** The address of the connected Google account; "" without one. */
  email: string;
};

export type TabView = {
  /** Between the fields and the button, inside the form. */
  Fields?: ComponentType<ViewProps>;
  /** Below the form. */
  Result?: ComponentType<ViewProps>;
  /** Instead of form and button, where a tab is more than one form. */
  Whole?: ComponentType<ViewProps>;
};

/** The views of one tool, by the id of its tab. A tab without one has its form and the green box. */
export type ToolViews = Readonly<Record<string, TabView>>;
