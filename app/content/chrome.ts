export const brand = "LiveKit Deploy";

export const navigation = [
  { to: "/docs", label: "Documentation" },
  { to: "/services", label: "Services" },
  { to: "/pricing", label: "Pricing" },
  { to: "/spotlight", label: "Spotlight" },
  { to: "/faq", label: "FAQ" },
  { to: "/support", label: "Support" },
] as const;

export const footerGroups = [
  {
    title: "Solutions",
    links: [
      { to: "/cloud-architecture", label: "Cloud architecture" },
      { to: "/services", label: "Services" },
      { to: "/audit", label: "Audit a configuration" },
      { to: "/google-services", label: "Google services" },
      { to: "/openai-config", label: "Model configuration" },
    ],
  },
  {
    title: "Support",
    links: [
      { to: "/docs", label: "Documentation" },
      { to: "/docs/api", label: "API reference" },
      { to: "/docs/getting-started", label: "Getting started" },
      { to: "/docs/best-practices", label: "Best practices" },
    ],
  },
  {
    title: "Company",
    links: [
      { to: "/about", label: "About" },
      { to: "/blog", label: "Blog" },
      { to: "/careers", label: "Careers" },
      { to: "/contact", label: "Contact" },
    ],
  },
  {
    title: "Legal",
    links: [
      { to: "/privacy", label: "Privacy" },
      { to: "/terms", label: "Terms" },
      { to: "/cookies", label: "Cookies" },
      { to: "/license", label: "License" },
    ],
  },
] as const;

/** Whose product this is not. LiveKit is a trademark of LiveKit, Inc. */
export const notAffiliated = "Not affiliated with LiveKit, Inc.";

/** Where the community of LiveKit itself is: none of these is ours. */
export const communityLinks = [
  { href: "https://github.com/livekit", label: "GitHub" },
  { href: "https://x.com/livekit", label: "X" },
  { href: "https://livekit.io/join-slack", label: "Slack" },
] as const;
