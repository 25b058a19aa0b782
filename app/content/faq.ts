export type FaqPair = {
  /** Its address on the page: `/faq#{id}`. */
  id: string;
  question: string;
  answer: string;
  /** What the answer lists, where it does. */
  points?: readonly string[];
  link?: { to: string; label: string };
};

export const faq: readonly FaqPair[] = [
  {
    id: "supported-clouds",
    question: "Which clouds are supported?",
    answer:
      "AWS, Azure, Google Cloud, Digital Ocean. The cloud-init file in your bundle boots a fresh virtual machine on any of them; nothing has to be installed on it first. Hetzner, OVHcloud, Vultr, Linode, Oracle Cloud and any other machine with Ubuntu 24.04 work as well.",
    link: { to: "/cloud-architecture", label: "See the architecture" },
  },
  {
    id: "ssl",
    question: "How is SSL handled?",
    answer:
      "Automatically. Caddy, the reverse proxy in front of LiveKit, gets your certificates from Let's Encrypt, a free certificate authority, and renews them in time. You point your domain at the machine; there is nothing to buy or upload.",
  },
  {
    id: "deployment-contents",
    question: "What does a deployment contain?",
    answer: "Everything that a production server needs, as files you can read:",
    points: [
      "Docker Compose, which runs LiveKit, Caddy and Redis",
      "Automatic SSL for each of your domains",
      "TURN, with TLS on port 443, for networks that block UDP",
      "Firewall rules for the UDP and TCP ports of WebRTC",
      "A systemd service, so that it starts with the machine",
      "Optional Ingress/Egress: RTMP and WHIP in, recordings and streams out",
    ],
    link: { to: "/docs", label: "Read the documentation" },
  },
  {
    id: "updates",
    question: "How do I update?",
    answer:
      "Everything runs from Docker images. Choose specific versions, or follow the 'latest' tag; then pull the images and restart the service. The wizard takes versions only, so 'latest' is for you to write into docker-compose.yaml. A specific version changes only when you say so, which is what we suggest for production.",
  },
  {
    id: "minimum-requirements",
    question: "What are the minimum requirements?",
    answer: "Three things:",
    points: [
      "A domain with DNS access",
      "VM access on your preferred cloud provider",
      "Basic knowledge of cloud infrastructure",
    ],
    link: { to: "/docs/getting-started", label: "Get started" },
  },
  {
    id: "technical-support",
    question: "Is technical support available?",
    answer:
      "Yes, technical support is available. Basic comes with email support, and Pro with priority support: Pro customers come first. An Enterprise agreement has support around the clock.",
    link: { to: "/support", label: "Contact support" },
  },
];
