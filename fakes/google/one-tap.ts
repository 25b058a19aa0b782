import { escapeHtml } from "../html.ts";
import { signIdToken } from "./id-token.ts";
import { googlePeople, googleSubject } from "./people.ts";

type Options = {
  client_id: string;
  nonce?: string;
  callback?: (answer: { credential: string; select_by: string; clientId: string }) => void;
  prompt_parent_id?: string;
};

/**
 * The fake's `gsi/client`: the part of Google Identity Services' interface that our page uses, without FedCM, as in
 * browsers that do not have it. https://developers.google.com/identity/gsi/web/reference/js-reference, read in November
 * 2026. The browser gets it as source text, so it must not use anything else of this module.
 */
export function installOneTap(origin: string): void {
  let options: Options | undefined;
  let frame: HTMLIFrameElement | undefined;
  const cancel = () => {
    frame?.remove();
    frame = undefined;
  };
  addEventListener("message", (event) => {
    if (event.origin !== origin || event.source !== frame?.contentWindow) return;
    const { credential } = event.data as { credential?: string };
    cancel();
    if (credential && options) {
      options.callback?.({ credential, select_by: "user_1tap", clientId: options.client_id });
    }
  });
  const id = {
    initialize(given: Options) {
      options = given;
    },
    prompt() {
      if (!options || frame) return;
      const { client_id, nonce = "", prompt_parent_id: parent = "" } = options;
      frame = document.createElement("iframe");
      frame.title = "Sign in with Google";
      frame.width = "390";
      frame.height = "240";
      frame.src = `${origin}/gsi/iframe/select?${new URLSearchParams({ client_id, nonce })}`;
      (document.getElementById(parent) ?? document.body).appendChild(frame);
    },
    cancel,
    disableAutoSelect: () => undefined,
  };
  Object.assign(window, { google: { accounts: { id } } });
}

/** The ID token that Google gives a page for this account. */
export function oneTapCredential(email: string, clientId: string, nonce: string): string {
  const person = googlePeople.find((each) => each.email === email);
  const now = Math.floor(Date.now() / 1_000);
  return signIdToken({
    iss: "https://accounts.google.com",
    azp: clientId,
    aud: clientId,
    sub: googleSubject(email),
    email,
    email_verified: person?.emailVerified ?? false,
    name: person?.name ?? "",
    nbf: now - 300,
    iat: now,
    exp: now + 3_600,
    ...(nonce ? { nonce } : {}),
  });
}

/** The frame in which somebody picks an account: each button sends the page its ID token. */
export function oneTapFrame(query: URLSearchParams): Response {
  const [clientId, nonce] = [query.get("client_id") ?? "", query.get("nonce") ?? ""];
  const choices = googlePeople.map(({ email, name }) => {
    const credential = oneTapCredential(email, clientId, nonce);
    return `<li><button data-credential="${credential}">${escapeHtml(name)}, ${escapeHtml(email)}</button></li>`;
  });
  const answer = `for (const button of document.querySelectorAll("button")) {
  button.onclick = () => parent.postMessage({ credential: button.dataset.credential }, "*");
}`;
  return new Response(
    `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>One Tap, the local fake</title>
<style>body { margin: 0; padding: 8px; background: #fff; color: #111; font: 14px/1.4 system-ui, sans-serif }
button { min-height: 32px; width: 100% } ul { list-style: none; padding: 0; display: grid; gap: 8px }</style>
</head>
<body><main><h1 style="font-size: 16px">Sign in with the local fake of Google</h1><ul>${choices.join("")}</ul></main>
<script>${answer}</script>
</body>
</html>
`,
    { headers: { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" } },
  );
}
