import * as z from "zod/mini";
import { choiceOption, type OptionDocs, type Options } from "../option.ts";
import { domainField, emailField } from "../option-fields.ts";
import { choice } from "../question.ts";

/** Under which names the server answers, and who gets the mails about its certificate. */
export const domainOptions = {
  domain: {
    field: () => domainField,
    questions: [
      {
        kind: "text",
        field: "domain",
        label: "Domain",
        domain: true,
        placeholder: "livekit.example.com",
        hint: "A name of yours that is not in use yet. Letters beyond a to z become punycode.",
      },
    ],
  },
  email: {
    field: () => emailField,
    questions: [
      {
        kind: "text",
        field: "email",
        label: "Email",
        type: "email",
        hint: "Let's Encrypt and ZeroSSL, which issue the certificates, get this address.",
      },
    ],
  },
  extraDomains: {
    field: () =>
      z._default(
        z
          .array(domainField, "Write a list of domains.")
          .check(z.maxLength(5, "Write at most 5 more domains.")),
        [],
      ),
    questions: [
      {
        kind: "lines",
        field: "extraDomains",
        label: "Further domains",
        domain: true,
        hint: "Up to five more names for the same server, one on each line.",
        placeholder: "rooms.example.com",
      },
    ],
    pro: { field: "extraDomains", name: "Further domains", listed: "further domains" },
  },
  certificates: {
    fold: "Where certificates come from",
    ...choiceOption(
      {
        field: "certificates",
        label: "Certificates",
        choices: [
          choice("automatic", "Automatic", "From Let's Encrypt or ZeroSSL, over port 80."),
          choice("dns-cloudflare", "DNS at Cloudflare", "From Let's Encrypt; port 80 stays shut."),
          choice(
            "dns-digitalocean",
            "DNS at Digital Ocean",
            "From Let's Encrypt; port 80 stays shut.",
          ),
          choice("dns-hetzner", "DNS at Hetzner", "From Let's Encrypt; port 80 stays shut."),
          choice("dns-route53", "DNS at Route 53", "From Let's Encrypt; port 80 stays shut."),
          choice("files", "Your own", "You give the server its files, and newer ones in time."),
        ],
        hint: "Credentials for your DNS, and the files, are given to the server, never here.",
      },
      "automatic",
    ),
  },
  proxy: {
    fold: "A proxy that already uses port 443",
    ...choiceOption(
      {
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
      "none",
    ),
  },
} as const satisfies Options;

export const domainDocs: OptionDocs = {
  domain: "The server's own name. Unicode is turned into punycode.",
  email: "The account at the certificate authorities, Let's Encrypt and ZeroSSL.",
  extraDomains: "Further names that lead to the same server, up to 5.",
  certificates: {
    about: "automatic: Caddy gets them. dns: lego gets them by DNS. files: you bring them.",
    values: [
      ["automatic", "Caddy gets them from Let's Encrypt or ZeroSSL, over ports 80 and 443"],
      [
        "dns-cloudflare",
        "lego gets them from Let's Encrypt in a pinned container, by a record that it sets with `CF_DNS_API_TOKEN`; port 80 is closed",
      ],
      ["dns-digitalocean", "The same with `DO_AUTH_TOKEN`"],
      ["dns-hetzner", "The same with `HETZNER_API_TOKEN`, of the project that has the zone"],
      [
        "dns-route53",
        "The same with `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`, at AWS with the machine's role",
      ],
      [
        "files",
        "`livekit-deploy certificate FULLCHAIN.pem KEY.pem` takes yours; port 80 is closed",
      ],
    ],
  },
  proxy: {
    about: "existing: another proxy has port 443 and passes connections on by name.",
    values: [
      ["none", "Caddy listens on 443"],
      [
        "existing",
        "Caddy listens on 127.0.0.1:8443, and on 127.0.0.1:8081 while it gets a certificate; the README shows the proxy's side. The firewall closes every other port of the machine but 22: your own services need custom rules",
      ],
    ],
  },
};
