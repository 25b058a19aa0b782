import { displayDomain } from "./display-domain.ts";

/** Mail providers. One of these typed as a domain was meant as a mail address, or as a domain of the user's own. */
const mailDomains =
  "gmail.com googlemail.com outlook.com hotmail.com live.com msn.com yahoo.com ymail.com aol.com icloud.com me.com mac.com proton.me protonmail.com gmx.com gmx.net gmx.de web.de mail.com mail.ru yandex.com yandex.ru zoho.com fastmail.com qq.com 163.com 126.com";

/** Why a domain cannot be the customer's own, or undefined where nothing is known against it. */
export function foreignDomain(domain: string): string | undefined {
  const labels = domain.toLowerCase().split(".");
  const owner = labels.slice(-2).join(".");
  if (!mailDomains.split(" ").includes(owner)) return;
  return `${owner} belongs to a mail provider, and only its owner gets certificates for it. Write a name of a domain of yours.`;
}

/** What is said of a domain that has addresses already. */
export function resolvesElsewhere(domain: string, found: readonly string[]): string {
  return `${displayDomain(domain)} already leads to ${found.join(" and ")}: somebody may be using it. Take another name, or change its DNS records when your server is there.`;
}
