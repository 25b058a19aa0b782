/**
 * The pages that are no markdown, as search knows them: their title, what they are about, and words that people search
 * with. A test holds that every public page is found.
 */
export const sitePages = [
  {
    to: "/",
    title: "Home",
    about: "Type your domain, and see the files of your own LiveKit server.",
    keywords: "livekit deploy start generator try",
  },
  {
    to: "/pricing",
    title: "Pricing",
    about: "What Basic and Pro cost by the month and by the year, and what each has.",
    keywords: "price prices pricing plan plans subscription buy purchase checkout discount yearly",
  },
  {
    to: "/cloud-architecture",
    title: "Cloud Architecture",
    about: "How several LiveKit servers work as one: locations, failover, scaling.",
    keywords: "cluster mesh multi-region global uptime latency sla regions locations",
  },
  {
    to: "/services",
    title: "Services",
    about: "What can be configured: DNS, security, updates, monitoring, backups, support.",
    keywords: "service consulting offers",
  },
  {
    to: "/spotlight",
    title: "Spotlight",
    about: "What teams build with a LiveKit server of their own.",
    keywords: "customers stories examples case study use cases",
  },
  {
    to: "/faq",
    title: "Frequently asked questions",
    about: "Short answers to what people ask before they begin.",
    keywords: "faq questions",
  },
  {
    to: "/try",
    title: "Try the console",
    about: "A workspace of your own for a day, with servers that live, without an account.",
    keywords: "trial demo sandbox test free playground without account",
  },
  {
    to: "/proof",
    title: "Proof",
    about: "What we measured, when, and how to measure it yourself.",
    keywords: "benchmark benchmarks measured evidence tests reliability results",
  },
  {
    to: "/audit",
    title: "Audit a configuration",
    about: "What is wrong in the files of your LiveKit server, in your browser alone.",
    keywords: "audit lint validate check config livekit.yaml docker-compose caddy nginx free tool",
  },
  {
    to: "/support",
    title: "Support",
    about: "Reach us by e-mail or chat.",
    keywords: "help contact e-mail chat human slack community",
  },
  {
    to: "/contact",
    title: "Contact",
    about: "Write to us, or choose a time for a call.",
    keywords: "sales talk meeting appointment demo enterprise quote",
  },
  {
    to: "/google-services",
    title: "Google services",
    about: "Mail, calendar, tasks and documents for agents.",
    keywords: "gmail calendar tasks docs drive integration",
  },
  {
    to: "/openai-config",
    title: "Model configuration",
    about: "Voice, model and instructions of an agent.",
    keywords: "openai gpt model voice temperature prompt",
  },
  {
    to: "/blog",
    title: "Blog",
    about: "Articles about running a LiveKit server well.",
    keywords: "articles posts news rss",
  },
  {
    to: "/signup",
    title: "Sign up",
    about: "Make an account, with Google or by e-mail, and choose a plan.",
    keywords: "register account create sign-up early access",
  },
  {
    to: "/signin",
    title: "Sign in",
    about: "Sign in to the console.",
    keywords: "login log in password forgotten reset magic link sign-in",
  },
] as const;
