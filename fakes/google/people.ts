import { createHash } from "node:crypto";

export interface GooglePerson {
  email: string;
  name: string;
  emailVerified: boolean;
}

/** The accounts that the consent page offers. */
export const googlePeople: readonly GooglePerson[] = [
  { email: "customer.one@example.com", name: "Customer One", emailVerified: true },
  { email: "customer.two@example.com", name: "Customer Two", emailVerified: true },
  { email: "unverified@example.com", name: "Unverified Address", emailVerified: false },
];

/** Google's id of an account. It stays the same between runs, as the kept local data expects. */
export function googleSubject(email: string): string {
  const hash = createHash("sha256").update(email).digest();
  return `1${(hash.readBigUInt64BE() % 10n ** 20n).toString().padStart(20, "0")}`;
}
