import { brand } from "~/content/chrome";
import { escapeMarkup } from "~/http/encodings";

/** The texts of a mail. It has one button, and may have a second link. */
export type MailWords = {
  subject: string;
  paragraphs: string[];
  button: { label: string; address: string };
  second?: { label: string; address: string };
  /** Why the reader gets this mail. */
  footer: string;
};

/** The style of supabase/templates. test/unit/billing/plan-change/plan-mails.test.ts compares the two. */
export const mailStyle = `
      :root { color-scheme: light dark; }
      .paper { background: #f9faf7; }
      .card { background: #ffffff; border: 1px solid #d5dbd6; }
      .ink { color: #17211b; }
      .soft { color: #4c5a52; }
      .code { background: #f1f4f0; border: 1px solid #d5dbd6; color: #17211b; }
      .button { background: #0d6b3c; color: #ffffff; }
      @media (prefers-color-scheme: dark) {
        .paper { background: #0b1410; }
        .card { background: #16211b; border-color: #2a3a31; }
        .ink { color: #ecf2ee; }
        .soft { color: #a9b8af; }
        .code { background: #0f1914; border-color: #2a3a31; color: #ecf2ee; }
        .button { background: #4ee58e; color: #06210f; }
      }
    `;

/** A mail as HTML and as plain text. It loads nothing, so nobody can track who opened it. */
export function layOut({ subject, paragraphs, button, second, footer }: MailWords): {
  html: string;
  text: string;
} {
  const text = [
    subject,
    ...paragraphs,
    ...[button, second].flatMap((link) => (link ? `${link.label}: ${link.address}` : [])),
    footer,
    brand,
  ];
  const html = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta name="supported-color-schemes" content="light dark">
    <title>${escapeMarkup(subject)}</title>
    <style>${mailStyle}</style>
  </head>
  <body class="paper" style="margin: 0; padding: 0;">
    <table role="presentation" width="100%" cellpadding="0" cellspacing="0" class="paper">
      <tr>
        <td align="center" style="padding: 32px 16px">
          <table role="presentation" width="100%" cellpadding="0" cellspacing="0" class="card" style="max-width: 480px; border-radius: 10px">
            <tr>
              <td style="padding: 32px 32px 28px; font-family: 'Host Grotesk', 'Helvetica Neue', Arial, sans-serif; font-size: 16px; line-height: 1.6">
                <p class="ink" style="margin: 0 0 24px; font-weight: 600">${brand}</p>
                <h1 class="ink" style="margin: 0 0 12px; font-size: 24px; line-height: 1.25; letter-spacing: -0.02em">${escapeMarkup(subject)}</h1>
${paragraphs.map((each) => `                <p class="soft" style="margin: 0 0 24px;">${escapeMarkup(each)}</p>`).join("\n")}
                <p style="margin: 0 0 24px">
                  <a class="button" href="${escapeMarkup(button.address)}" style="display: inline-block; padding: 12px 24px; border-radius: 8px; font-weight: 600; text-decoration: none">${escapeMarkup(button.label)}</a>
                </p>${
                  second
                    ? `
                <p style="margin: 0 0 24px"><a class="ink" href="${escapeMarkup(second.address)}">${escapeMarkup(second.label)}</a></p>`
                    : ""
                }
                <p class="soft" style="margin: 0; font-size: 14px">${escapeMarkup(footer)}</p>
              </td>
            </tr>
          </table>
        </td>
      </tr>
    </table>
  </body>
</html>
`;
  return { html, text: `${text.join("\n\n")}\n` };
}
