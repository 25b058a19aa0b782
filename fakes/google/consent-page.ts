import { escapeHtml, fakePage } from "../html.ts";
import { googlePeople } from "./people.ts";

const passedOn = [
  "redirect_uri",
  "scope",
  "state",
  "nonce",
  "client_id",
  "include_granted_scopes",
] as const;
const passedOnForPkce = ["code_challenge", "code_challenge_method"] as const;

function hiddenFields(query: URLSearchParams): string {
  return [...passedOn, ...passedOnForPkce]
    .map((name) => {
      const value = escapeHtml(query.get(name) ?? "");
      return `<input type="hidden" name="${name}" value="${value}">`;
    })
    .join("");
}

function refusalUrl(query: URLSearchParams): string {
  const back = new URL(query.get("redirect_uri") ?? "");
  back.searchParams.set("error", "access_denied");
  const state = query.get("state");
  if (state) back.searchParams.set("state", state);
  return back.href;
}

/** The screen where a person picks a Google account, or refuses. */
export function consentPage(query: URLSearchParams): Response {
  const choices = googlePeople.map(
    (person) => `<li>
<form method="post" action="/o/oauth2/v2/auth/callback">
${hiddenFields(query)}
<input type="hidden" name="email" value="${escapeHtml(person.email)}">
<button type="submit"><strong>${escapeHtml(person.name)}</strong><br>${escapeHtml(person.email)}${
      person.emailVerified ? "" : " (address not verified)"
    }</button>
</form>
</li>`,
  );
  const scopes = (query.get("scope") ?? "").split(" ").filter(Boolean).map(escapeHtml);
  return fakePage({
    title: "Choose a Google account",
    body: `<p class="note">This is the local fake for Google: no real account is used.</p>
<p id="asked">LiveKit Deploy asks for:</p>
<ul aria-labelledby="asked">
${scopes.map((scope) => `<li><code>${scope}</code></li>`).join("\n")}
</ul>
<ul>
${choices.join("\n")}
</ul>
<p><a href="${escapeHtml(refusalUrl(query))}">Cancel</a></p>`,
  });
}
