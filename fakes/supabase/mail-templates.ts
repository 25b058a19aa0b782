import { fileURLToPath } from "node:url";

function template(file: string): string {
  return fileURLToPath(new URL(`../../supabase/templates/${file}`, import.meta.url));
}

/** The notifications of a new phone number, and of a first one. They lead to the account and ask for nothing. */
export const notifications = {
  phone_changed: {
    subject: "Your phone number was changed",
    content_path: template("phone-changed.html"),
  },
  identity_linked: {
    subject: "A new way to sign in was added",
    content_path: template("identity-linked.html"),
  },
};

/**
 * The auth server's mails, as supabase/config.toml has them for a hosted project. Every link leads to the site's own
 * /auth/confirm, because only the site can set its HttpOnly session cookies.
 */
export const mailTemplates = {
  confirmation: {
    subject: "Confirm your e-mail address",
    content_path: template("confirmation.html"),
  },
  magic_link: { subject: "Your sign-in link", content_path: template("magic-link.html") },
  recovery: { subject: "Choose a new password", content_path: template("recovery.html") },
  email_change: {
    subject: "Confirm your new e-mail address",
    content_path: template("email-change.html"),
  },
};
