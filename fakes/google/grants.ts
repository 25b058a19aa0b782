export interface IssuedToken {
  email: string;
  scopes: readonly string[];
  /** Milliseconds since 1970. */
  expiresAt: number;
}

const usualLifetimeSeconds = 3600;

/** The scopes that people have granted, and the tokens that were issued for them. */
export class Grants {
  readonly #allowed = new Map<string, Set<string>>();
  readonly #accessTokens = new Map<string, IssuedToken>();
  readonly #refreshTokens = new Map<string, { email: string; scopes: readonly string[] }>();
  #withheld: readonly string[] = [];
  #lifetimeSeconds = usualLifetimeSeconds;

  /** What this person has allowed so far. */
  allowedBy(email: string): readonly string[] {
    return [...(this.#allowed.get(email) ?? [])];
  }

  /**
   * The scopes of a consent: what is asked for less what the person unticks, and with
   * `include_granted_scopes` everything that was allowed before.
   */
  consent(email: string, requested: readonly string[], includeGranted: boolean): string[] {
    const before = this.#allowed.get(email) ?? new Set<string>();
    const given = requested.filter((scope) => !this.#withheld.includes(scope));
    this.#allowed.set(email, new Set([...before, ...given]));
    return includeGranted ? [...new Set([...given, ...before])] : given;
  }

  /** Records a token; returns for how many seconds it is valid. */
  issue(token: string, grant: { email: string; scopes: readonly string[] }, refresh?: string) {
    this.#accessTokens.set(token, {
      ...grant,
      expiresAt: Date.now() + this.#lifetimeSeconds * 1000,
    });
    if (refresh) this.#refreshTokens.set(refresh, grant);
    return this.#lifetimeSeconds;
  }

  /** The grant of a refresh token. */
  refreshable(refreshToken: string) {
    return this.#refreshTokens.get(refreshToken);
  }

  /** The token behind an Authorization header, unless it is unknown, revoked or too old. */
  read(token: string | null | undefined): IssuedToken | undefined {
    const issued = this.#accessTokens.get(token ?? "");
    return issued && issued.expiresAt > Date.now() ? issued : undefined;
  }

  /** Takes back everything that the person of this token allowed; false for an unknown token. */
  revoke(token: string): boolean {
    const email = (this.#accessTokens.get(token) ?? this.#refreshTokens.get(token))?.email;
    if (!email) return false;
    this.#allowed.delete(email);
    for (const tokens of [this.#accessTokens, this.#refreshTokens]) {
      for (const [each, grant] of tokens) if (grant.email === email) tokens.delete(each);
    }
    return true;
  }

  /** What the person unticks in every consent from now on. */
  withhold(scopes: readonly string[]): void {
    this.#withheld = scopes;
  }

  /** How long tokens live that are issued from now on. */
  setLifetime(seconds: number): void {
    this.#lifetimeSeconds = seconds;
  }

  /** Makes every issued token expire now. */
  expireAll(): void {
    for (const issued of this.#accessTokens.values()) issued.expiresAt = 0;
  }

  reset(): void {
    this.#allowed.clear();
    this.#accessTokens.clear();
    this.#refreshTokens.clear();
    this.#withheld = [];
    this.#lifetimeSeconds = usualLifetimeSeconds;
  }
}
