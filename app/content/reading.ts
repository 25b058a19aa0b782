import { brand } from "./chrome.ts";

/** A page as a link in a navigation shows it. */
export type PageLink = { to: string; label: string };

/**
 * The documentation in reading order. A line here gives `docs/name.md`, which is at `/docs/name`, its place in the
 * navigation, in the overview and in the site map. The overview is `docs/overview.md`.
 */
export const docsGroups: readonly { title: string; pages: readonly PageLink[] }[] = [
  {
    title: "Start",
    pages: [
      { to: "/docs", label: "Overview" },
      { to: "/docs/getting-started", label: "Getting started" },
      { to: "/docs/guide", label: "Configuration guide" },
    ],
  },
  {
    title: "Connect an app",
    pages: [
      { to: "/docs/connect", label: "Connect a client" },
      { to: "/docs/connect-web", label: "Web" },
      { to: "/docs/connect-ios", label: "iOS" },
      { to: "/docs/connect-android", label: "Android" },
      { to: "/docs/connect-flutter", label: "Flutter" },
      { to: "/docs/connect-unity", label: "Unity" },
    ],
  },
  {
    title: "Your server side",
    pages: [
      { to: "/docs/tokens", label: "Tokens" },
      { to: "/docs/webhooks", label: "Webhooks" },
      { to: "/docs/agents", label: "Agents" },
    ],
  },
  {
    title: "Media",
    pages: [
      { to: "/docs/recording", label: "Recording" },
      { to: "/docs/ingest", label: "Ingest" },
      { to: "/docs/sip", label: "Telephone calls" },
    ],
  },
  {
    title: "Running it",
    pages: [
      { to: "/docs/sizing", label: "Sizing" },
      { to: "/docs/servers", label: "Connect a server" },
      { to: "/docs/alerts", label: "Alerts" },
      { to: "/docs/checks", label: "Checks from outside" },
      { to: "/docs/data-processing", label: "Data processing" },
      { to: "/docs/teams", label: "Teams" },
      { to: "/docs/workspace-webhooks", label: "Webhooks of a workspace" },
      { to: "/docs/best-practices", label: "Best practices" },
      { to: "/docs/troubleshooting", label: "Troubleshooting" },
      { to: "/docs/security", label: "Security" },
    ],
  },
  {
    title: "Tasks",
    pages: [
      { to: "/docs/audit", label: "What the audit looks for" },
      { to: "/docs/connect-existing", label: "Connect a LiveKit you have" },
      { to: "/docs/move-in", label: "Move in with a LiveKit you have" },
      { to: "/docs/rollouts", label: "Approve versions by passkey" },
      { to: "/docs/connection-test", label: "Test a network" },
      { to: "/docs/live-rooms", label: "Live rooms" },
      { to: "/docs/agent-insights", label: "Agent insights" },
      { to: "/docs/call-evidence", label: "Why a call failed" },
      { to: "/docs/explain-a-call", label: "Explain a call" },
      { to: "/docs/change-domain", label: "Change the domain" },
      { to: "/docs/larger-machine", label: "Move to a larger machine" },
      { to: "/docs/livekit-cloud", label: "From LiveKit Cloud" },
      { to: "/docs/uninstall", label: "Uninstall" },
    ],
  },
  {
    title: "Networks and scale",
    pages: [
      { to: "/docs/firewalls", label: "Firewalls by provider" },
      { to: "/docs/ipv6", label: "IPv6" },
      { to: "/docs/air-gapped", label: "Without the internet" },
      { to: "/docs/several-servers", label: "Several servers" },
      { to: "/docs/clusters", label: "Clusters" },
      { to: "/docs/kubernetes", label: "Kubernetes" },
      { to: "/docs/prometheus", label: "Prometheus and Grafana" },
    ],
  },
  {
    title: "Reference",
    pages: [
      { to: "/docs/api", label: "API reference" },
      { to: "/docs/command-line", label: "Command line and CI" },
      { to: "/docs/limits", label: "Limits" },
      { to: "/docs/changelog", label: "Changelog" },
    ],
  },
];

export const docsPages = docsGroups.flatMap(({ pages }) => pages);

/** The address of the page of a markdown file, by the file's folder and name: `docs/api`. */
export function addressOf(name: string): string {
  if (name === "docs/overview") return "/docs";
  return /^(docs|blog)\//.test(name) ? `/${name}` : name.slice(name.indexOf("/"));
}

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
