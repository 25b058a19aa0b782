import { spawnSync } from "node:child_process";
import { createHash, createSign, randomUUID, X509Certificate } from "node:crypto";
import { inflateRawSync } from "node:zlib";
import { element, type Xml } from "./canonical-xml.ts";

const saml = "urn:oasis:names:tc:SAML:2.0";
const dsig = "http://www.w3.org/2000/09/xmldsig#";
const exclusive = "http://www.w3.org/2001/10/xml-exc-c14n#";
const persistent = `${saml}:nameid-format:persistent`;

/** What a request of the auth server asks, as it stands in the address to which the site leads. */
type SignInRequest = { id: string; acs: string; audience: string; relay: string };

/** What an assertion says. A hostile or careless provider says other things than an honest one. */
export interface Assertion {
  email: string;
  /** Who it is at the provider, whatever their address. */
  subject?: string;
  audience?: string;
  recipient?: string;
  /** The request that it answers. */
  answers?: string;
  /** From now, in seconds. */
  endsIn?: number;
  /** How it is signed: by default with the key of the provider's metadata. */
  signed?: "by its provider" | "by another key" | "not at all";
  /** Changes what was signed. */
  tamper?: (xml: string) => string;
}

/**
 * A company's identity provider by SAML 2.0, as far as the auth server asks one: metadata, and an answer by HTTP POST with a
 * signed assertion. It is read as docs.oasis-open.org/security/saml/v2.0 writes it, and signs by XML Signature with node's
 * own RSA; whether that is right the auth server says, which takes no other.
 */
export class IdentityProvider {
  readonly entity: string;
  readonly #key: string;
  readonly #certificate: string;

  constructor(host: string) {
    this.entity = `https://${host}/metadata`;
    const { key, certificate } = signingKey(host);
    this.#key = key;
    this.#certificate = certificate;
  }

  /** What it publishes, with the certificate of its key. */
  metadata(): string {
    const place = new URL("/sso", this.entity).href;
    return element(
      "md:EntityDescriptor",
      { "xmlns:md": `${saml}:metadata`, entityID: this.entity },
      element(
        "md:IDPSSODescriptor",
        { WantAuthnRequestsSigned: "true", protocolSupportEnumeration: `${saml}:protocol` },
        element("md:KeyDescriptor", { use: "signing" }, keyInfo(this.#certificate, true)),
        element("md:NameIDFormat", {}, persistent),
        element("md:SingleSignOnService", {
          Binding: `${saml}:bindings:HTTP-Redirect`,
          Location: place,
        }),
      ),
    ).text;
  }

  /** The fields of the form that brings the browser back to the auth server. */
  answer(request: SignInRequest, says: Assertion): { SAMLResponse: string; RelayState: string } {
    const { recipient = request.acs, answers = request.id, signed, tamper } = says;
    const unsigned = this.#assertion(request, says);
    const assertion =
      signed === "not at all"
        ? unsigned({ text: "" })
        : this.#sign(
            unsigned,
            signed === "by another key" ? signingKey("elsewhere").key : this.#key,
          );
    const response = element(
      "samlp:Response",
      {
        "xmlns:samlp": `${saml}:protocol`,
        Destination: recipient,
        ID: newId(),
        InResponseTo: answers,
        IssueInstant: instant(0),
        Version: "2.0",
      },
      element("saml:Issuer", { "xmlns:saml": `${saml}:assertion` }, this.entity),
      element("samlp:Status", {}, element("samlp:StatusCode", { Value: `${saml}:status:Success` })),
      assertion,
    ).text;
    return {
      SAMLResponse: Buffer.from(tamper ? tamper(response) : response).toString("base64"),
      RelayState: request.relay,
    };
  }

  /** An assertion, which waits for its signature: that stands behind the issuer, and does not count in what is signed. */
  #assertion(request: SignInRequest, says: Assertion): (signature: Xml) => Xml {
    const { email, subject = email, recipient = request.acs, answers = request.id } = says;
    const { audience = request.audience, endsIn = 300 } = says;
    const id = newId();
    // It is written twice, and is the same both times.
    const [now, begins, ends] = [instant(0), instant(-60), instant(endsIn)];
    const sessionEnds = instant(8 * 3_600);
    const confirmation = { InResponseTo: answers, NotOnOrAfter: ends, Recipient: recipient };
    const named = (name: string, ...children: (Xml | string)[]) => element(name, {}, ...children);
    return (signature) =>
      element(
        "saml:Assertion",
        { "xmlns:saml": `${saml}:assertion`, ID: id, IssueInstant: now, Version: "2.0" },
        named("saml:Issuer", this.entity),
        signature,
        named(
          "saml:Subject",
          element("saml:NameID", { Format: persistent }, subject),
          element(
            "saml:SubjectConfirmation",
            { Method: `${saml}:cm:bearer` },
            element("saml:SubjectConfirmationData", confirmation),
          ),
        ),
        element(
          "saml:Conditions",
          { NotBefore: begins, NotOnOrAfter: ends },
          named("saml:AudienceRestriction", named("saml:Audience", audience)),
        ),
        element(
          "saml:AuthnStatement",
          { AuthnInstant: now, SessionIndex: id, SessionNotOnOrAfter: sessionEnds },
          named(
            "saml:AuthnContext",
            named("saml:AuthnContextClassRef", `${saml}:ac:classes:PasswordProtectedTransport`),
          ),
        ),
        named(
          "saml:AttributeStatement",
          element("saml:Attribute", { Name: "email" }, named("saml:AttributeValue", email)),
        ),
      );
  }

  #sign(unsigned: (signature: Xml) => Xml, key: string): Xml {
    const { text } = unsigned({ text: "" });
    const [, id = ""] = / ID="([^"]+)"/.exec(text) ?? [];
    const by = (name: string, Algorithm: string) => element(name, { Algorithm });
    const info = (attributes: Record<string, string>) =>
      element(
        "ds:SignedInfo",
        attributes,
        by("ds:CanonicalizationMethod", exclusive),
        by("ds:SignatureMethod", "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"),
        element(
          "ds:Reference",
          { URI: `#${id}` },
          element(
            "ds:Transforms",
            {},
            by("ds:Transform", `${dsig}enveloped-signature`),
            by("ds:Transform", exclusive),
          ),
          by("ds:DigestMethod", "http://www.w3.org/2001/04/xmlenc#sha256"),
          element("ds:DigestValue", {}, createHash("sha256").update(text).digest("base64")),
        ),
      );
    // Signed by itself, it declares the namespace that it has from its parent in the document.
    const signedInfo = info({ "xmlns:ds": dsig }).text;
    const value = createSign("sha256").update(signedInfo).sign(key, "base64");
    return unsigned(
      element(
        "ds:Signature",
        { "xmlns:ds": dsig },
        info({}),
        element("ds:SignatureValue", {}, value),
        keyInfo(this.#certificate, false),
      ),
    );
  }
}

/** Reads the address to which the site leads: the auth server's request, deflated, and its relay state. */
export function readRequest(address: string): SignInRequest {
  const query = new URL(address).searchParams;
  const packed = Buffer.from(query.get("SAMLRequest") ?? "", "base64");
  const xml = inflateRawSync(packed).toString();
  const found = (pattern: RegExp) => {
    const [, value] = pattern.exec(xml) ?? [];
    if (!value) throw new Error(`No ${pattern} in ${xml}`);
    return value;
  };
  return {
    id: found(/ ID="([^"]+)"/),
    acs: found(/ AssertionConsumerServiceURL="([^"]+)"/),
    audience: found(/Issuer[^>]*>([^<]+)</),
    relay: query.get("RelayState") ?? "",
  };
}

const newId = () => `_${randomUUID()}`;

const instant = (seconds: number) => new Date(Date.now() + seconds * 1_000).toISOString();

function keyInfo(certificate: string, declares: boolean): Xml {
  return element(
    "ds:KeyInfo",
    declares ? { "xmlns:ds": dsig } : {},
    element("ds:X509Data", {}, element("ds:X509Certificate", {}, certificate)),
  );
}

/** A key of RSA, in PEM, and a certificate of it, in base64: node makes none. */
function signingKey(name: string): { key: string; certificate: string } {
  const { status, stdout, stderr } = spawnSync(
    "openssl",
    [
      ...["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", `/CN=${name}`],
      ...["-keyout", "-", "-out", "-"],
    ],
    { encoding: "utf8" },
  );
  const part = (what: string) =>
    new RegExp(`-----BEGIN ${what}-----[\\s\\S]+?-----END ${what}-----`).exec(stdout)?.[0];
  const [key, certificate] = [part("PRIVATE KEY"), part("CERTIFICATE")];
  if (status !== 0 || !key || !certificate) throw new Error(`openssl: ${stderr}`);
  return { key, certificate: new X509Certificate(certificate).raw.toString("base64") };
}
