import type { Visitor } from "../site/visitor.ts";

/** What somebody without script sees of the sign-in form: the one view that is shown. */
export function visibleView(page: string) {
  const section = /<section[^>]*data-shown="true"[^>]*>(.*?)<\/section>/s.exec(page)?.[1] ?? "";
  const box = (role: string) =>
    text(new RegExp(`role="${role}"[^>]*>(.*?)</div>`, "s").exec(section)?.[1] ?? "");
  const typedInto = (name: string) =>
    new RegExp(`<input[^>]*name="${name}"[^>]*>`)
      .exec(section)?.[0]
      .match(/\bvalue="([^"]*)"/)?.[1] ?? "";
  return {
    title: text(/<h1[^>]*>(.*?)<\/h1>/s.exec(section)?.[1] ?? ""),
    alert: box("alert"),
    status: box("status"),
    email: typedInto("email"),
    phone: typedInto("phone"),
    password: typedInto("password"),
  };
}

function text(html: string): string {
  return html
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}

/** Posts the sign-in form and answers what it then shows, with status and headers. */
export async function postSignIn(
  visitor: Visitor,
  fields: Record<string, string>,
  address = "/signin",
) {
  const response = await visitor.post(address, fields);
  const page = await response.text();
  return { status: response.status, headers: response.headers, page, view: visibleView(page) };
}
