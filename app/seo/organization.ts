import { absoluteUrl } from "~/seo/site-origin";
import type { Thing } from "./thing";

/** Who is behind the site. */
export function organization({
  name,
  description,
  contactPath,
}: {
  name: string;
  description: string;
  contactPath: string;
}) {
  return {
    "@type": "Organization",
    name,
    description,
    url: absoluteUrl("/"),
    logo: absoluteUrl("/icon-512.png"),
    contactPoint: {
      "@type": "ContactPoint",
      contactType: "customer support",
      url: absoluteUrl(contactPath),
      availableLanguage: "en",
    },
  } satisfies Thing;
}
