import architecture from "~/content/architecture.json?url&no-inline";
import faq from "~/content/faq.json?url&no-inline";
import home from "~/content/home.json?url&no-inline";
import pricing from "~/content/pricing.json?url&no-inline";
import { type Service, type ServiceWords, services } from "~/content/services";
import serviceTexts from "~/content/services.json?url&no-inline";
import type { Stories } from "~/content/stories";
import stories from "~/content/stories.json?url&no-inline";
import support from "~/content/support.json?url&no-inline";
import type { AppContext } from "~/http/app-context";
import { pageTexts } from "~/http/assets.server";

export type Architecture = typeof import("~/content/architecture.json");
export type Home = typeof import("~/content/home.json");
export type Faq = typeof import("~/content/faq.json");
export type Pricing = typeof import("~/content/pricing.json");
type Support = typeof import("~/content/support.json");

export const architectureTexts = pageTexts<Architecture>(architecture, "This page");
export const homeTexts = pageTexts<Home>(home, "This page");
export const pricingTexts = pageTexts<Pricing>(pricing, "This page");
export const faqTexts = pageTexts<Faq>(faq, "The answers");
export const supportTexts = pageTexts<Support>(support, "This page");
export const storyTexts = pageTexts<Stories>(stories, "The stories");

const serviceWords = pageTexts<typeof import("~/content/services.json")>(serviceTexts, "This page");

/** The services in the order of the page, with their words. */
export async function describedServices(
  context: Pick<AppContext, "bindings">,
): Promise<readonly Service[]> {
  const words: ServiceWords = await serviceWords(context);
  return services.map((service) => ({ ...service, ...words[service.kind] }));
}
