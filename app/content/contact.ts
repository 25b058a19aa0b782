/** What a message can be about. `/contact?topic=…` preselects one. */
export const contactTopics = [
  { value: "sales", label: "Sales" },
  { value: "support", label: "Support" },
  { value: "other", label: "Other" },
] as const;

/** Characters a person may write; the database checks the same. */
export const contactLimits = {
  name: 100,
  email: 254,
  message: { minLength: 10, maxLength: 5_000 },
} as const;

export const contactWords = {
  title: "Contact",
  intro:
    "Ask about plans, a deployment or anything else. A person reads every message and answers by e-mail.",
  whatHappens: [
    {
      title: "We keep it, then read it",
      text: "Your message is stored the moment you send it, so that it is not lost if mail is slow.",
    },
    {
      title: "We answer by e-mail",
      text: "To the address you give. Pro customers come first. An Enterprise agreement has somebody on duty around the clock.",
    },
    {
      title: "We use it for nothing else",
      text: "No newsletter, no list. Leave out passwords, API keys and private keys: we never need them.",
    },
  ],
} as const;
