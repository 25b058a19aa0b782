import architecture from "~/content/architecture.json?url&no-inline";
import faq from "~/content/faq.json?url&no-inline";
import home from "~/content/home.json?url&no-inline";
import { pageTexts } from "~/http/page-texts.server";

export type Architecture = typeof import("~/content/architecture.json");
export type Home = typeof import("~/content/home.json");
export type Faq = typeof import("~/content/faq.json");

export const architectureTexts = pageTexts<Architecture>(architecture, "This page");
export const homeTexts = pageTexts<Home>(home, "This page");
export const faqTexts = pageTexts<Faq>(faq, "The answers");
