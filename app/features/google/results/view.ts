import type { ComponentType } from "react";
import type { ToolTab } from "~/content/google-tools";
import type { FormValues } from "../questions/saved-draft.client";
import type { OperationResult } from "../tools/operation";

/** The props that a view of one tab gets from `TabForm`. */
export type ViewProps = {
  /** How the newest call of the tab's own form ended; undefined before it and while it is on its way. */
  outcome: OperationResult | undefined;
  /** The `result` of `outcome`; a refusal can have one too. */
  result: unknown;
  /** The form values that `outcome` belongs to: the form may hold others by now. */
  calledWith: FormValues;
  /**
   * Calls the tab's operation with the form values and these, and shows the outcome as the form's own button
   * does: in the red or the green box. Every call also has `timeZone`, the browser's IANA name.
   */
  call(formValues: FormValues): void;
  /** Where the operation is posted to, for views that make calls of their own and show their outcomes. */
  address: string;
  /** To be called where an outcome asks for consent: the screen then shows how to connect again. */
  onConsent(): void;
  /** Whether a call of the tab's own form is on its way. */
  busy: boolean;
  /** Whether Google is connected with every scope of the tool; otherwise the screen shows how to connect. */
  isConnected: boolean;
  tab: ToolTab;
  /** The id of the customer whose connection this is. Drafts and merges are kept in the browser under it. */
  owner: string;
  /** The address of the connected Google account; "" without one. */
  email: string;
};

export type TabView = {
  /** Between the fields and the button, inside the form. */
  Fields?: ComponentType<ViewProps>;
  /** Below the form. */
  Result?: ComponentType<ViewProps>;
  /** Replaces form and button, for a tab that is more than one form. */
  Whole?: ComponentType<ViewProps>;
};

/** The views of one tool, by the id of its tab. A tab without a view has its form and the green box. */
export type ToolViews = Readonly<Record<string, TabView>>;
