import type { Rule } from './rule.js'

/** The part of a lab whose defence a weak mode switches off. */
export type WeakSite = 'authorization-server' | 'resource-server' | 'demo-client'

/** A defence that can be switched off on purpose, so that people see what it is for. */
interface Mode {
  /** Lower case with hyphens; people type it: `serve --weak NAME`. */
  readonly name: string
  readonly at: WeakSite
  /** The section that demands the defence, such as `RFC 9700 §4.1.3`. */
  readonly rule: Rule
  /** The behaviour without the defence; completes `WEAK on purpose: …`. */
  readonly sentence: string
  /** The gain of an attacker, in one clause. */
  readonly opens: string
}

/** Every weak mode, in the order of the sites, and at each site in the order of a flow. */
export const WEAK_MODES = [
  {
    name: 'open-registration',
    at: 'authorization-server',
    rule: 'RFC 7591 §5',
    sentence: 'lets clients register any address, and shows them like those that somebody checked',
    opens: 'a client of the attacker with the name of a real one gets the consent of the victim (look-alike)',
  },
  {
    name: 'fetch-anything',
    at: 'authorization-server',
    rule: 'draft-ietf-oauth-client-id-metadata-document-02 §8.6',
    sentence: 'fetches the document of a client from any address, and quotes the answer in its error',
    opens: 'a stranger reads servers that only the lab reaches, by a redirect or a name (SSRF)',
  },
  {
    name: 'redirect-prefix',
    at: 'authorization-server',
    rule: 'RFC 9700 §4.1.3',
    sentence: 'accepts any redirect address that begins like a registered one',
    opens: 'an open redirector behind a registered address carries codes to the attacker',
  },
  {
    name: 'redirect-any',
    at: 'authorization-server',
    rule: 'RFC 6749 §3.1.2.3',
    sentence: 'accepts any redirect address',
    opens: 'a link with the attacker’s address brings the victim’s code to the attacker',
  },
  {
    name: 'code-reuse',
    at: 'authorization-server',
    rule: 'RFC 6749 §4.1.2',
    sentence: 'redeems a code as often as it is sent',
    opens: 'a code that leaked by a log or a Referer is good beside the client’s own use of it',
  },
  {
    name: 'code-not-bound',
    at: 'authorization-server',
    rule: 'RFC 6749 §4.1.3',
    sentence: 'redeems a code for any client, not only for the one that it was issued to',
    opens: 'the attacker redeems a stolen code with the credentials of a client of their own',
  },
  {
    name: 'id-jag-not-bound',
    at: 'authorization-server',
    rule: 'MCP Enterprise-Managed Authorization §5',
    sentence: 'takes a grant of an identity provider (ID-JAG) from any client, not only from the one in it',
    opens: 'a grant from the log of one client gives every other client a token about the person',
  },
  {
    name: 'pkce-ignored',
    at: 'authorization-server',
    rule: 'RFC 7636 §4.6',
    sentence: 'ignores PKCE',
    opens:
      'a stolen code can be redeemed, or injected into another session of the client, without its code_verifier',
  },
  {
    name: 'plain-downgrade',
    at: 'authorization-server',
    rule: 'RFC 7636 §7.2',
    sentence: 'lets any request lower PKCE to plain',
    opens: 'the challenge in the address bar is then the code_verifier itself',
  },
  {
    name: 'no-iss',
    at: 'authorization-server',
    rule: 'RFC 9207 §2',
    sentence: 'does not name itself in authorization responses',
    opens: 'a client of two servers can be made to send a code of one to the other (mix-up)',
  },
  {
    name: 'any-resource',
    at: 'authorization-server',
    rule: 'RFC 8707 §2',
    sentence: 'makes every token good at all resources, whichever the request names',
    opens: 'an MCP server that gets a token for itself uses it at another one as the victim',
  },
  {
    name: 'no-rotation',
    at: 'authorization-server',
    rule: 'RFC 9700 §4.14.2',
    sentence: 'answers a refresh token with the same one again',
    opens: 'a stolen refresh token works until it ends, and nobody notices',
  },
  {
    name: 'device-no-warning',
    at: 'authorization-server',
    rule: 'RFC 8628 §5.4',
    sentence: 'shows a plain login where a device asks',
    opens: 'a link of the attacker makes the victim let the attacker’s device in (device phishing)',
  },
  {
    name: 'consent-skipped',
    at: 'authorization-server',
    rule: 'RFC 6749 §10.2',
    sentence: 'asks nobody who is logged in before a client gets access',
    opens: 'any registered client gets tokens of everybody who opens its link',
  },
  {
    name: 'framable',
    at: 'authorization-server',
    rule: 'RFC 9700 §4.16',
    sentence: 'lets other sites show its pages in a frame',
    opens: 'a page of the attacker lies over the consent page and has the victim click Allow (clickjacking)',
  },
  {
    name: 'referrer',
    at: 'authorization-server',
    rule: 'RFC 9700 §4.2.4',
    sentence: 'sends the whole address of its pages to other sites',
    opens: 'state, user codes and ID tokens in the addresses of pages reach a site that a picture comes from',
  },
  {
    name: 'saml-wrapping',
    at: 'authorization-server',
    rule: 'SAML 2.0 Core §5.4.2',
    sentence: 'reads another part of an assertion than the signature is about',
    opens: 'anyone with one signed assertion writes the name of any user around it',
  },
  {
    name: 'no-mask',
    at: 'authorization-server',
    rule: 'RFC 9110 §17.6',
    sentence: 'compresses its pages, which hold an unmasked secret beside text of the request',
    opens: 'an observer of the connection learns the csrf value by the lengths of pages (BREACH)',
  },
  {
    name: 'alg-none',
    at: 'resource-server',
    rule: 'RFC 8725 §3.2',
    sentence: 'accepts tokens that nobody signed (alg none)',
    opens: 'anyone writes an access token with any subject',
  },
  {
    name: 'hs-rs',
    at: 'resource-server',
    rule: 'RFC 8725 §3.1',
    sentence: 'takes its public key for an HMAC secret when a token says HS256',
    opens: 'anyone signs tokens with the key that the issuer publishes (algorithm confusion)',
  },
  {
    name: 'any-audience',
    at: 'resource-server',
    rule: 'RFC 9700 §2.3',
    sentence: 'accepts tokens that were issued for another server',
    opens: 'another resource server, to which the victim sent a token, uses that token here',
  },
  {
    name: 'id-token-as-access-token',
    at: 'resource-server',
    rule: 'RFC 8725 §3.12',
    sentence: 'takes an ID token for an access token, with every scope',
    opens: 'a client that the victim only logs in to uses the ID token here as the victim',
  },
  {
    name: 'kid-path',
    at: 'resource-server',
    rule: 'RFC 8725 §3.10',
    sentence: 'reads the key of a token from the file that its kid names',
    opens: 'anyone signs tokens with a file whose content everybody knows',
  },
  {
    name: 'no-expiry',
    at: 'resource-server',
    rule: 'RFC 7519 §4.1.4',
    sentence: 'accepts tokens that have expired',
    opens: 'a token from an old log or backup works for ever',
  },
  {
    name: 'bearer-for-dpop',
    at: 'resource-server',
    rule: 'RFC 9449 §7.2',
    sentence: 'accepts a token that is bound to a key without a proof of the key',
    opens: 'a stolen token works although it was bound to a key (DPoP)',
  },
  {
    name: 'no-state',
    at: 'demo-client',
    rule: 'RFC 9700 §4.7',
    sentence: 'sends no state, and neither PKCE nor nonce, each of which would stop the same attack',
    opens: 'a link with the attacker’s code logs the victim in as the attacker (login CSRF)',
  },
  {
    name: 'no-nonce',
    at: 'demo-client',
    rule: 'RFC 9700 §4.5.3.2',
    sentence: 'sends no nonce, and no PKCE, which would stop the same attack',
    opens: 'a stolen code, put into a login of the attacker, opens the notes of the victim (code injection)',
  },
  {
    name: 'token-in-url',
    at: 'demo-client',
    rule: 'RFC 9700 §4.3.2',
    sentence: 'keeps people logged in by an access token in the address',
    opens: 'anyone who sees a history, a log or a copied link has the session of the victim',
  },
  {
    name: 'email-is-identity',
    at: 'demo-client',
    rule: 'OpenID Connect Core §5.7',
    sentence: 'knows people by their e-mail address',
    opens: 'another account with the same address, here or at another server, opens the notes of the victim',
  },
  {
    name: 'implicit-login',
    at: 'demo-client',
    rule: 'RFC 6749 §10.16',
    sentence: 'logs in the person whom an access token is about (implicit grant)',
    opens: 'a token that the victim gave to the attacker’s own client is a login here (token substitution)',
  },
  {
    name: 'open-redirect',
    at: 'demo-client',
    rule: 'RFC 9700 §4.11.1',
    sentence: 'leads to any address after a login',
    opens: 'its good name helps phishing, and codes that come here by a wrong redirect address travel on',
  },
  {
    name: 'mix-up',
    at: 'demo-client',
    rule: 'RFC 9207 §2.4',
    sentence: 'takes the answer of one authorization server for that of another',
    opens: 'a code of the honest server goes to the token endpoint of the attacker',
  },
] as const satisfies readonly Mode[]

/** The name of a weak mode. */
export type WeakName = (typeof WEAK_MODES)[number]['name']

/** A weak mode of the table. */
export type WeakMode = Mode & { readonly name: WeakName }

/** The names of the weak modes of one site. */
export type WeakNameAt<Site extends WeakSite> = Extract<
  (typeof WEAK_MODES)[number],
  { readonly at: Site }
>['name']

/** The names of all weak modes, in the order of the table. */
export const WEAK_NAMES: readonly WeakName[] = WEAK_MODES.map(({ name }) => name)

/** Beside the names of modes: the lab is weak, and its pages, events and records do not say how (a capstone of `learn`). */
export const HIDDEN = 'hidden'

/** The name of a weak mode as a lab shows it. */
export type ShownWeak = WeakName | typeof HIDDEN

/** Returns the names that a lab shows: all of them, or `hidden` alone. */
export function shownWeak(names: readonly ShownWeak[]): readonly ShownWeak[] {
  return names.includes(HIDDEN) ? [HIDDEN] : names
}

/** Returns the weak modes with these names, in the order of the table. */
export function weakModes(names: readonly ShownWeak[]): readonly WeakMode[] {
  return WEAK_MODES.filter(({ name }) => names.includes(name))
}

/** Returns the names that belong to a site, in the order of the table. */
export function weakNamesAt<Site extends WeakSite>(
  site: Site,
  names: readonly ShownWeak[],
): readonly WeakNameAt<Site>[] {
  return weakModes(names)
    .filter(({ at }) => at === site)
    .map(({ name }) => name as WeakNameAt<Site>)
}

/** Returns the sentence that every page and screen of a weak lab shows; undefined without weak modes. */
export function weakNotice(names: readonly ShownWeak[]): string | undefined {
  if (names.includes(HIDDEN)) return 'WEAK on purpose: defences are missing, and which ones is hidden'
  const sentences = weakModes(names).map(({ sentence }) => sentence)
  return sentences.length === 0 ? undefined : `WEAK on purpose: ${sentences.join('; ')}`
}
