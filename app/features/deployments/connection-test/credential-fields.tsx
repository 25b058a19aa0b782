import { TextAreaField, TextField } from "~/ui/primitives/fields";
import { makeTestToken, testTokenProblem } from "./test-token.client";

export type TypedCredentials = { key: string; secret: string; token: string };

export const noCredentials: TypedCredentials = { key: "", secret: "", token: "" };

/** Which fields are wrong. Empty where a token is pasted, or can be made of key and secret. */
export function credentialProblems(typed: TypedCredentials): Partial<TypedCredentials> {
  const token = typed.token.trim();
  if (token) {
    const problem = testTokenProblem(token, Date.now());
    return problem ? { token: problem } : {};
  }
  return {
    ...(typed.key.trim() ? {} : { key: "Type the API key, or paste a token below." }),
    ...(typed.secret.trim() ? {} : { secret: "Type the API secret, or paste a token below." }),
  };
}

/** The pasted token, or one that is made of key and secret in this browser. */
export async function tokenOf(
  { key, secret, token }: TypedCredentials,
  validSeconds: number,
): Promise<string> {
  return token.trim() || makeTestToken({ key: key.trim(), secret: secret.trim() }, validSeconds);
}

/**
 * Key and secret, or a token that the server made. The fields have no names, so that no browser can put them into a
 * request or an address, whatever becomes of the script.
 */
export function CredentialFields({
  typed,
  problems,
  change,
}: {
  typed: TypedCredentials;
  problems: Partial<TypedCredentials>;
  change: (typed: TypedCredentials) => void;
}) {
  return (
    <div className="grid max-w-prose gap-6">
      <TextField
        label="API key"
        autoComplete="off"
        spellCheck={false}
        value={typed.key}
        error={problems.key}
        onChange={({ target }) => change({ ...typed, key: target.value })}
      />
      <TextField
        label="API secret"
        type="password"
        autoComplete="off"
        value={typed.secret}
        error={problems.secret}
        onChange={({ target }) => change({ ...typed, secret: target.value })}
        hint="Both stay in this page. The token that is made of them here joins one hidden room of the test, and can send and receive nothing."
      />
      <TextAreaField
        label="Or a token, in place of both"
        rows={3}
        autoComplete="off"
        spellCheck={false}
        value={typed.token}
        error={problems.token}
        onChange={({ target }) => change({ ...typed, token: target.value })}
        hint={
          <span>
            What the server prints for this: <code>sudo livekit-deploy test-token</code>
          </span>
        }
      />
    </div>
  );
}
