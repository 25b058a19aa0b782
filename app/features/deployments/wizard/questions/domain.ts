import { choice, type Question } from "./question";

/** Under which names the server answers, and who is told about its certificate. */
export const domainQuestions: Question[] = [
  {
    kind: "text",
    field: "domain",
    label: "Domain",
    placeholder: "livekit.example.com",
    hint: "A name of yours that is not in use yet. Letters beyond a to z become punycode.",
  },
  {
    kind: "text",
    field: "email",
    label: "Email",
    type: "email",
    hint: "The certificate authority writes here when a certificate cannot be renewed.",
  },
  {
    kind: "lines",
    field: "extraDomains",
    label: "Further domains",
    hint: "Up to five more names for the same server, one on each line.",
    placeholder: "rooms.example.com",
  },
  {
    kind: "advanced",
    label: "A proxy that already uses port 443",
    questions: [
      {
        kind: "choice",
        field: "proxy",
        label: "Port 443",
        choices: [
          choice("none", "Free", "Caddy answers on 443 and 80 itself."),
          choice(
            "existing",
            "In use by my proxy",
            "Caddy listens on this machine only; the README shows what your proxy passes on.",
          ),
        ],
      },
    ],
  },
];
