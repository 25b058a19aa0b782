import { brand } from "./chrome.ts";

/** Pages that belong together, in reading order. Their texts are the markdown files beside this. */
export const docsPages = [
  { to: "/docs", label: "Overview" },
  { to: "/docs/getting-started", label: "Getting started" },
  { to: "/docs/api", label: "API reference" },
  { to: "/docs/best-practices", label: "Best practices" },
] as const;

export const legalPages = [
  { to: "/privacy", label: "Privacy" },
  { to: "/terms", label: "Terms" },
  { to: "/cookies", label: "Cookies" },
  { to: "/license", label: "License" },
] as const;

export const companyPages = [
  { to: "/about", label: "About" },
  { to: "/blog", label: "Blog" },
  { to: "/careers", label: "Careers" },
  { to: "/contact", label: "Contact" },
] as const;

export const blog = {
  title: "Blog",
  description:
    "How to run your own LiveKit server well: ports and firewalls, TURN, sizing, upgrades. Written from the configuration up.",
  /** Every article is by the people who make this product. */
  author: brand,
  feed: "/blog/rss.xml",
} as const;
