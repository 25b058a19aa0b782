import { data } from "react-router";
import * as z from "zod/mini";
import { type ChangeScope, refused } from "../audit-change.server";
import { makeTokenOfNone, revokeTokensOfNone } from "./enrolment-tokens.server";

export type ConnectIntent = "connect" | "revoke";

/** As machines call themselves: it stands in messages and in files. */
const serverName = z.string().check(z.trim(), z.regex(/^[A-Za-z0-9][A-Za-z0-9.-]{0,62}$/));

const nameRefused = "Use letters, digits, dots and hyphens, at most 63 of them.";

/** Answers the forms of the page that connects a machine as it is. What was typed is in every refusal. */
export async function answerConnectForm({
  form,
  ...scope
}: ChangeScope & { form: URLSearchParams }) {
  const typed = form.get("name") ?? "";
  switch (form.get("intent")) {
    case "connect": {
      const name = serverName.safeParse(typed).data;
      if (!name) return data({ typed, error: nameRefused }, { status: 400 });
      const made = await makeTokenOfNone(scope, name);
      if (!made.ok) return data({ typed, message: made.message }, { status: made.status });
      return data({ made: { token: made.token, ends: made.ends, name } });
    }
    case "revoke": {
      const revoked = await revokeTokensOfNone(scope);
      if (revoked.ok) return data({ areTokensRevoked: true as const });
      return data({ message: revoked.message }, { status: revoked.status });
    }
    default: {
      const { message, status } = refused(400, "This form is not known here. Load the page again.");
      return data({ message }, { status });
    }
  }
}
