/** Where passkeys are made and used: the site's origin, and the name that they are bound to. */
export type RelyingParty = { origin: string; id: string };

export const relyingParty = (siteUrl: string): RelyingParty => {
  const { origin, hostname } = new URL(siteUrl);
  return { origin, id: hostname };
};
