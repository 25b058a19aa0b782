import type { GoogleTool } from "~/content/google-tools";
import address from "~/content/google-tools.json?url&no-inline";
import { pageTexts } from "~/http/assets.server";

/** The tools as /google-services shows them, in their order. */
export const toolTexts = pageTexts<readonly GoogleTool[]>(address, "This page");
