import address from "~/content/account-page.json?url&no-inline";
import { pageTexts } from "~/http/assets.server";

export type AccountWords = typeof import("~/content/account-page.json");

export const accountWords = pageTexts<AccountWords>(address, "Your account");
