import { escapeHtml, fakePage } from "../html.ts";
import type { MailMessage } from "./inbox.ts";

/** All mail, newest first. The page looks again by itself. */
export function inboxPage(messages: MailMessage[]): Response {
  const items = messages.map(
    (message) => `<li>
<a href="/messages/${message.id}"><strong>${escapeHtml(message.subject)}</strong></a><br>
to ${escapeHtml(message.to.join(", "))}, <time>${escapeHtml(message.receivedAt)}</time>, by ${message.via}
</li>`,
  );
  return fakePage({
    title: "Local mail",
    refreshSeconds: 3,
    body: `<p class="note">Everything that the site and its auth server mail ends here: nothing is delivered.</p>
${items.length > 0 ? `<ul>${items.join("\n")}</ul>` : "<p>No mail yet.</p>"}`,
  });
}

/** One message: its text, and its HTML in a frame that may open links but run nothing. */
export function messagePage(message: MailMessage): Response {
  const replyTo =
    message.replyTo.length > 0 ? `<br>Reply to ${escapeHtml(message.replyTo.join(", "))}` : "";
  const html = message.html
    ? `<h2>HTML</h2>
<iframe title="HTML of this message" sandbox="allow-top-navigation-by-user-activation allow-popups" src="/messages/${message.id}/html"></iframe>`
    : "";
  return fakePage({
    title: message.subject,
    body: `<p><a href="/">All mail</a></p>
<p>From ${escapeHtml(message.from)}<br>To ${escapeHtml(message.to.join(", "))}${replyTo}</p>
${html}
<h2>Text</h2>
<pre>${linkUrls(message.text)}</pre>`,
  });
}

/** The HTML of a message alone. The policy keeps its scripts from running even outside the frame. */
export function messageHtml(message: MailMessage): Response {
  return new Response(`<base target="_top">${message.html}`, {
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy":
        "default-src 'none'; img-src data: https:; style-src 'unsafe-inline'; sandbox allow-top-navigation-by-user-activation allow-popups",
    },
  });
}

function linkUrls(text: string): string {
  return escapeHtml(text).replace(/https?:\/\/[^\s<>]+/g, (url) => `<a href="${url}">${url}</a>`);
}
