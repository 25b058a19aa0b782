import { absoluteUrl } from "~/seo/site-origin";
import type { Thing } from "./thing";

type Interval = "month" | "year";

export type PlanOffer = {
  name: string;
  description: string;
  /** In US dollars, as in `109.99`. */
  price: string;
  interval: Interval;
};

/** UN/CEFACT's codes for the time that a price is for. */
const unitCodes = { month: "MON", year: "ANN" } as const satisfies Record<Interval, string>;

/** What is sold on a page, with what it costs. */
export function product({
  name,
  description,
  path,
  image,
  tax,
  offers,
}: {
  name: string;
  description: string;
  path: string;
  image: string;
  /** Whether the prices include tax; "off" where none is charged. */
  tax: "off" | "included" | "added";
  offers: readonly PlanOffer[];
}) {
  return {
    "@type": "Product",
    name,
    description,
    image: absoluteUrl(image),
    brand: { "@type": "Brand", name },
    offers: offers.map((offer) => ({
      "@type": "Offer",
      name: offer.name,
      description: offer.description,
      url: absoluteUrl(path),
      price: offer.price,
      priceCurrency: "USD",
      availability: "https://schema.org/InStock",
      priceSpecification: {
        "@type": "UnitPriceSpecification",
        price: offer.price,
        priceCurrency: "USD",
        valueAddedTaxIncluded: tax === "off" ? undefined : tax === "included",
        referenceQuantity: {
          "@type": "QuantitativeValue",
          value: 1,
          unitCode: unitCodes[offer.interval],
        },
      },
    })),
  } satisfies Thing;
}
