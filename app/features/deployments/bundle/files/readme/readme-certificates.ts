import { certificateDnsOf, getsCertificates, publicNames } from "../../options/derived-options.ts";
import type { DeploymentOptions } from "../../options/options.ts";

/** When a new machine has its certificates. */
export function certificatesCome(options: DeploymentOptions): string {
  if (getsCertificates(options))
    return " Certificates come once they are right and port 80 is reachable.";
  const byDns = certificateDnsOf(options);
  if (!byDns)
    return " The server has no certificate until you give it yours: see Certificates under Upkeep.";
  return byDns.credentials.length > 0
    ? "\n   Certificates come once the machine has the credentials of your DNS provider: see Certificates under Upkeep."
    : " Certificates come within minutes, once the machine's role may change the records of the zone.";
}

/** Where certificates come from, and what is to be done about them. */
export function certificateUpkeep(options: DeploymentOptions): string {
  const brought = "A restore brings the certificates of the backup along.";
  if (getsCertificates(options))
    return `- **Certificates**: Caddy gets and renews them from Let's Encrypt, or from ZeroSSL where that gives none. Let's Encrypt gives
  the same name five in a week and then none for days, so do not create the machine again to mend one. ${brought}
  A CAA record of your domain must allow both: \`letsencrypt.org\` and \`sectigo.com\`.
`;
  const names = publicNames(options)
    .map(({ name }) => `\`${name}\``)
    .join(", ");
  const byDns = certificateDnsOf(options);
  if (!byDns)
    return `- **Certificates** are yours. Copy two files in PEM to the machine, the certificate with all intermediate ones and its key
  without a passphrase, then: \`sudo livekit-deploy certificate FULLCHAIN.pem KEY.pem\`. It refuses a certificate that has
  ended, lacks one of the names (${names}) or does not belong to the key. Caddy
  then has it without cutting off a call, for TURN too. Run the same with each renewed certificate, such as in the hook
  of the program that renews it; the doctor says when one ends within two weeks. The machine keeps a copy. ${brought}
  After a change from automatic certificates those go on until then.
  Where an authority of your own signs it, the doctor and every client must trust that authority.
`;
  const { dns, credentials } = byDns;
  const { key, rights } = {
    cloudflare: { key: "an API token of Cloudflare", rights: "edit the zone's DNS" },
    digitalocean: {
      key: "an API token of Digital Ocean",
      rights: "read, create and delete domain records",
    },
    hetzner: {
      key: "an API token of the Hetzner project that has the zone",
      rights: "read and write",
    },
    route53: {
      key: "an access key of AWS",
      rights: "list zones, and list and change the records of this one",
    },
  }[dns];
  const given =
    credentials.length > 0
      ? `Give the machine ${key}, which may ${rights}:
  \`sudo livekit-deploy set dns-credentials\` asks for ${credentials.map((name) => `\`${name}\``).join(" and ")}, keeps it in \`/opt/livekit/dns.env\`,
  which only root can read, and gets the certificate. Other settings of lego for this provider may stand in the same file.`
      : `The machine's role must be able to ${rights}. \`sudo livekit-deploy certificate\` gets the certificate at once.`;
  return `- **Certificates** come from Let's Encrypt by a record that lego sets at your DNS provider, so port 80 stays shut. ${given}
  It is renewed twice a day where that is due (\`journalctl -u livekit-certificate\`), and Caddy has it without cutting off
  a call, for TURN too. Let's Encrypt gives the same names five in a week and then none for days, so do not create the
  machine again to mend one. ${brought}
  After a change from automatic certificates those go on until there is another.
`;
}
