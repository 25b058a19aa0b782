export const supportWords = {
  title: "Support",
  intro:
    "Three ways to an answer. Whichever you take, tell us what you see, not only what you think.",
  email: {
    title: "Email Support",
    text: "For anything that needs a look at your setup.",
    expect: [
      "A person answers, in writing.",
      "Pro customers come first. Support around the clock is part of an Enterprise agreement.",
      "Outside such an agreement we promise no time in which we answer.",
      "Attach what you like, except passwords and keys.",
    ],
    button: "Email us",
  },
  chat: {
    title: "Live Chat",
    text: "For a quick question while you are at it.",
    expect: {
      staffed: [
        "Opens in a new tab.",
        "If nobody is there, leave your address and we answer by e-mail.",
      ],
      unstaffed: [
        "No chat is staffed at the moment.",
        "Start chat leads to the contact form instead.",
        "We answer it by e-mail.",
      ],
    },
    button: "Start chat",
  },
  documentation: {
    title: "Documentation",
    text: "For most things, and at any hour.",
    expect: [
      "Set-up from domain to first call.",
      "Ports, certificates, TURN and firewall.",
      "Updates, backups and what to check when something fails.",
    ],
    button: "View docs",
  },
  include: {
    title: "What helps us help you",
    items: [
      "The domain of your server and the cloud it runs on",
      "The versions in your Docker Compose file",
      "What you did, what you expected and what happened, with the time",
      "The last lines of the log of the part that fails",
    ],
    never: "Never send API secrets, private keys or passwords. We do not need them, in any case.",
  },
  security: {
    title: "Found a security problem?",
    text: "Mail it to us before you publish it, with the steps to see it. We answer, fix it and name you if you like. Look only at data of your own, and leave the service running for others. There is no bounty.",
  },
} as const;
