import * as z from "zod/mini";

const variables = z.object({ SERVER_KEY_SECRET: z.string().check(z.minLength(1)) });

/**
 * The secrets that sign machines' tokens and keys, each 32 bytes in base64: the first signs, all verify. Throws where
 * SERVER_KEY_SECRET is not set: docs/operations.md says how.
 */
export function keySecrets(env: object): readonly string[] {
  const { data } = variables.safeParse(env);
  if (data) return data.SERVER_KEY_SECRET.split(",").map((secret) => secret.trim());
  throw new Error("SERVER_KEY_SECRET of the servers Worker is not set");
}
