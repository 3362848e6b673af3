import type { Severity } from '../../../protocol/rules/finding.js'

/** A refusal of a lab that has a name of its own: the one that the judges of other recordings give the same mistake. */
interface KnownRefusal {
  /** The beginning of the type of the event. */
  readonly event: string
  /** The rule that the event names. Left out: every rule fits. */
  readonly rule?: string
  /** Matches the error and the description of the event, with a space between them. Left out: every text fits. */
  readonly says?: RegExp
  readonly name: string
  /** Left out: a fault. */
  readonly severity?: Severity
  /** The mistake. Left out: the error and the description of the event. */
  readonly text?: string
  readonly next?: string
}

/** The known refusals. The first that fits an event names it. */
export const KNOWN_REFUSALS: readonly KnownRefusal[] = [
  {
    event: 'token.refused',
    rule: 'RFC 6749 §4.1.3',
    says: /redirect_uri is not the one/,
    name: 'redirect-uri-differs',
    text: 'the token request used another redirect_uri than the authorization request',
    next: 'send the redirect_uri of the authorization request, to the letter',
  },
  {
    event: 'token.refused',
    rule: 'RFC 6749 §4.1.3',
    says: /redirect_uri is missing/,
    name: 'redirect-uri-missing',
    text: 'the token request has no redirect_uri, but the authorization request had one',
    next: 'repeat the redirect_uri of the authorization request',
  },
  {
    event: 'token.refused',
    rule: 'RFC 6749 §4.1.3',
    says: /issued to another client/,
    name: 'client-differs',
    text: 'the token request comes from another client than the authorization request',
    next: 'send the client_id that asked for the code',
  },
  {
    event: 'code.replayed',
    name: 'code-reused',
    text: 'the code was sent to the token endpoint twice; what it brought is revoked',
    next: 'redeem a code once: look for a page that loads twice, or a retry',
  },
  {
    event: 'token.refused',
    rule: 'RFC 6749 §4.1.2',
    name: 'code-reused',
    text: 'the code was sent to the token endpoint twice; what it brought is revoked',
    next: 'redeem a code once: look for a page that loads twice, or a retry',
  },
  {
    event: 'token.refused',
    rule: 'RFC 7636 §4.6',
    says: /is missing/,
    name: 'verifier-missing',
    text: 'the token request has no code_verifier, but the authorization request had a code_challenge',
    next: 'keep the code_verifier with the login until the callback arrives, and send it with the code',
  },
  {
    event: 'token.refused',
    rule: 'RFC 7636 §4.6',
    name: 'verifier-differs',
    text: 'the code_verifier of the token request does not belong to the code_challenge of the authorization request',
    next: 'send the verifier of the same login; the challenge is BASE64URL(SHA256(verifier)) without padding',
  },
  {
    event: 'token.refused',
    rule: 'RFC 7636 §4.1',
    name: 'verifier-form',
    next: 'make it of 32 random bytes in base64url',
  },
  {
    event: 'token.refused',
    rule: 'RFC 9700 §2.1.1',
    says: /code_verifier is sent/,
    name: 'verifier-without-challenge',
    text: 'the token request has a code_verifier, but the authorization request had no code_challenge',
    next: 'send code_challenge and code_challenge_method=S256 with the authorization request',
  },
  {
    event: 'token.refused',
    rule: 'RFC 6749 §2.3',
    name: 'two-credentials',
    text: 'the client authenticates twice, in the Authorization header and in the body',
    next: 'send one of the two',
  },
  {
    event: 'token.refused',
    rule: 'RFC 6749 §2.3.1',
    says: /client_(secret|assertion) is in the query/,
    name: 'secret-in-url',
    next: 'send it in the Authorization header or in the body, and replace the secret: it is known now',
  },
  {
    event: 'refresh_token.reused',
    name: 'refresh-token-reused',
    text: 'a refresh token was sent again that was replaced before; every token of this authorization is revoked',
    next: 'keep the newest refresh token, and let one request at a time refresh',
  },
  {
    event: 'token.refused',
    rule: 'RFC 9700 §4.14.2',
    name: 'refresh-token-reused',
    text: 'a refresh token was sent again that was replaced before; every token of this authorization is revoked',
    next: 'keep the newest refresh token, and let one request at a time refresh',
  },
  {
    event: 'token.refused',
    says: /^slow_down /,
    name: 'polls-too-fast',
    severity: 'weakness',
    next: 'wait interval seconds between polls, 5 more after slow_down',
  },
  {
    event: '',
    says: /^invalid_request the parameter \S+ is repeated$/,
    name: 'parameter-repeated',
    next: 'send it once',
  },
  {
    event: 'authorization.refused',
    says: /code_challenge_method must be/,
    name: 'pkce-plain',
    next: 'send code_challenge_method=S256, and the SHA-256 of the verifier',
  },
  {
    event: 'authorization.refused',
    says: /code_challenge is missing/,
    name: 'pkce-missing',
    next: 'make a code_verifier for each login, and send its S256 code_challenge',
  },
  {
    event: 'authorization.refused',
    says: / nonce is missing/,
    name: 'nonce-missing',
    next: 'send a random nonce',
  },
  {
    event: 'authorization.refused',
    says: /^\S+ redirect_uri is refused: (?!it is not one of the registered)/,
    name: 'redirect-uri-unsafe',
  },
  // Answers to a question without a page say only that a page is needed (OpenID Connect Core §3.1.2.6).
  {
    event: 'authorization.refused',
    says: /^\S+_required prompt is none/,
    name: 'authorization-error',
    severity: 'remark',
    next: 'leave prompt=none out where nobody is logged in',
  },
  {
    event: 'resource.refused',
    rule: 'RFC 7519 §4.1.4',
    name: 'expired-token-sent',
    next: 'refresh the token before it ends, or after a 401',
  },
  {
    event: 'userinfo.refused',
    rule: 'RFC 7519 §4.1.4',
    name: 'expired-token-sent',
    next: 'refresh the token before it ends, or after a 401',
  },
  {
    event: 'demo_client.login_refused',
    says: /^state_mismatch the answer has no state/,
    name: 'state-missing',
    text: 'the callback came back without state',
    next: 'look for what drops the parameter between the server and the client',
  },
  {
    event: 'demo_client.login_refused',
    says: /^state_mismatch /,
    name: 'state-differs',
    next: 'begin one login at a time in a session, and keep the state of each request apart',
  },
  {
    event: 'demo_client.login_refused',
    says: /^issuer_mismatch the server promises iss/,
    name: 'iss-missing',
    next: 'a client has to refuse this answer: look for what drops the parameter',
  },
  { event: 'demo_client.login_refused', says: /^issuer_mismatch /, name: 'iss-differs' },
  { event: 'demo_client.login_refused', says: /^invalid_token the nonce /, name: 'nonce-differs' },
]
