import address from "~/content/workspace-pages.json?url&no-inline";
import { pageTexts } from "~/http/page-texts.server";

export type WorkspaceWords = typeof import("~/content/workspace-pages.json");

export const workspaceWords = pageTexts<WorkspaceWords>(address, "This workspace");
