import type { Severity } from '../../protocol/rules/finding.js'

/** Findings of one kind. The severity is the usual one; `when` is Markdown. */
interface FindingKind {
  readonly names: readonly string[]
  readonly severity: Severity
  readonly when: string
}

/** The findings about OAuth and OpenID Connect. A finding has a row here, or it does not compile; `npm run docs` writes the rows into docs/explain.md. */
export const OAUTH_FINDINGS = [
  {
    names: ['state-missing', 'state-differs'],
    severity: 'fault',
    when: 'the callback has no state, or another one than was sent',
  },
  { names: ['state-unused'], severity: 'weakness', when: 'no state, no PKCE and no nonce' },
  {
    names: ['iss-missing', 'iss-differs'],
    severity: 'fault',
    when: 'RFC 9207: missing although the metadata announce it, or foreign: without metadata, of another site',
  },
  {
    names: ['redirect-uri-differs', 'redirect-uri-missing'],
    severity: 'fault',
    when: 'the token request has another redirect_uri, or none (a remark where the server accepted that)',
  },
  {
    names: ['callback-elsewhere', 'redirect-uri-unsafe'],
    severity: 'fault',
    when: 'the answer arrived at another address; plain http, fragments',
  },
  {
    names: ['pkce-missing'],
    severity: 'fault',
    when: 'a public client without code_challenge (a weakness for other clients without nonce)',
  },
  { names: ['pkce-plain'], severity: 'weakness', when: 'the challenge is the verifier' },
  {
    names: ['verifier-missing', 'verifier-differs', 'verifier-form', 'verifier-without-challenge'],
    severity: 'fault',
    when: 'the code_verifier of the token request: missing, of another challenge or of another login of the recording, in a wrong form',
  },
  {
    names: ['nonce-missing', 'nonce-differs'],
    severity: 'fault',
    when: 'the nonce of the ID token: missing, another one, or that of another login of the recording',
  },
  {
    names: ['client-differs', 'two-credentials'],
    severity: 'fault',
    when: 'another client redeems the code, refresh token, device_code or request_uri; two ways to authenticate at once',
  },
  {
    names: ['secret-in-url', 'secret-in-page'],
    severity: 'fault',
    when: 'a client_secret in a URL, or sent by a page; a password, code or refresh token in the URL of a token request',
  },
  { names: ['client-missing'], severity: 'fault', when: 'Basic credentials without a client_id' },
  {
    names: ['code-reused', 'code-differs'],
    severity: 'fault',
    when: 'a code sent twice; another code than arrived',
  },
  { names: ['code-late'], severity: 'weakness', when: 'redeemed after more than ten minutes' },
  {
    names: ['token-cacheable', 'token-content-type'],
    severity: 'weakness',
    when: 'headers of answers with tokens',
  },
  {
    names: ['token-in-url', 'token-in-query', 'token-in-referer', 'code-in-referer'],
    severity: 'fault',
    when: 'tokens and codes where others read them',
  },
  {
    names: ['implicit-token', 'password-grant'],
    severity: 'weakness',
    when: 'grants that are no longer used',
  },
  {
    names: ['milliseconds', 'expired-on-arrival', 'expired-token-sent'],
    severity: 'fault',
    when: 'times of tokens',
  },
  { names: ['issued-in-future'], severity: 'weakness', when: 'the clocks of both sides differ' },
  {
    names: [
      'audience-differs',
      'azp-differs',
      'issuer-differs',
      'at-hash-differs',
      'c-hash-differs',
      'alg-none',
      'key-unknown',
      'id-token-missing',
    ],
    severity: 'fault',
    when: 'the ID token',
  },
  {
    names: ['signature-differs'],
    severity: 'fault',
    when: 'the signature of the ID token does not fit the key of its `kid`, where the published keys stand in the recording',
  },
  { names: ['state-reused'], severity: 'fault', when: 'two logins have one state' },
  {
    names: ['nonce-reused', 'challenge-reused'],
    severity: 'weakness',
    when: 'two logins have one nonce or one code_challenge',
  },
  {
    names: ['token-elsewhere'],
    severity: 'fault',
    when: 'an API refused a token that names another host as its audience',
  },
  {
    names: ['code-elsewhere'],
    severity: 'fault',
    when: 'a code or refresh token was sent to another server, tenant or realm than issued it',
  },
  {
    names: ['id-token-sent'],
    severity: 'fault',
    when: 'an API refused an ID token that was sent in place of the access token',
  },
  {
    names: ['post-logout-name'],
    severity: 'fault',
    when: 'a logout names `redirect_uri` in place of `post_logout_redirect_uri`',
  },
  { names: ['sub-differs'], severity: 'fault', when: 'userinfo is about another user' },
  {
    names: ['refresh-token-reused', 'device-code-reused', 'request-uri-reused', 'request-uri-late'],
    severity: 'fault',
    when: 'a refresh token that was replaced before, a device_code after its tokens, a request_uri after its answer or its time',
  },
  {
    names: ['polls-too-fast'],
    severity: 'weakness',
    when: 'a device polled too fast, and the server answered slow_down',
  },
  {
    names: ['parameter-repeated', 'plain-http'],
    severity: 'fault',
    when: 'a parameter twice; a server without TLS',
  },
  {
    names: [
      'authorization-error',
      'request-shown-error',
      'request-refused',
      'token-refused',
      'server-error',
      'no-answer',
    ],
    severity: 'fault',
    when: 'what a server answered, by its error code, with the next move. A remark where a later request succeeded',
  },
  {
    names: ['login-failed'],
    severity: 'fault',
    when: 'the server refused the person: a wrong password, a locked account, with its words',
  },
  {
    names: ['no-tokens'],
    severity: 'fault',
    when: 'the token endpoint answered with a page, a redirect or an answer without tokens',
  },
  {
    names: ['tls-failed'],
    severity: 'fault',
    when: 'the client does not trust the certificate of the server, with the line for `NODE_EXTRA_CA_CERTS`',
  },
  {
    names: ['frame-refused'],
    severity: 'fault',
    when: 'the server showed a page in a frame that no frame may show, as in a silent renewal without a session',
  },
  {
    names: ['cors-missing'],
    severity: 'fault',
    when: 'the browser kept an answer from the page, because no `Access-Control-Allow-Origin` allows its origin; a script that sends the authorization request',
  },
  {
    names: ['cors-header', 'cors-preflight'],
    severity: 'fault',
    when: 'the preflight allows no such header or method, or another origin, or was itself refused; also without the request in the recording',
  },
  {
    names: ['cors-credentials'],
    severity: 'fault',
    when: 'the request was sent with cookies, and `*`, or an answer without `Access-Control-Allow-Credentials`, does not go with them',
  },
  {
    names: ['cookie-lost'],
    severity: 'fault',
    when: 'a cookie of the application did not come back: `Secure` and http, another host or Domain, path, prefix, `SameSite` with form_post or in a frame, 4 kB; where the client refused its callback or began again',
  },
  {
    names: ['token-not-sent'],
    severity: 'fault',
    when: 'a page got tokens, and called an API of its site without one: 401',
  },
  {
    names: ['cookie-replaced'],
    severity: 'fault',
    when: 'another login, as of a second tab, set the cookie again before the callback came',
  },
  {
    names: ['callback-refused'],
    severity: 'fault',
    when: 'the callback, or the page after it, was answered with 4xx, 5xx or a page about a failure, with its words',
  },
  {
    names: ['login-loop'],
    severity: 'fault',
    when: 'a login was begun three times, or twice by redirects, and never ended',
  },
  {
    names: ['json-as-form', 'form-as-json', 'multipart'],
    severity: 'fault',
    when: 'the token request holds JSON under the content type of a form, or the other way round; or it is multipart',
  },
  { names: ['expires-in-unit'], severity: 'weakness', when: 'a lifetime that is no number of seconds' },
  {
    names: ['token-form'],
    severity: 'fault',
    when: 'what an API refused is no token: encoded, in quotes, of another kind',
  },
  {
    names: ['secret-form'],
    severity: 'fault',
    when: 'a blank, line end or quote stands around a client_secret that was refused',
  },
  {
    names: ['code-unredeemed'],
    severity: 'remark',
    when: 'a lab issued a code, and no token request came before its events ended',
  },
] as const satisfies readonly FindingKind[]

/** The findings about SAML messages. */
export const SAML_FINDINGS = [
  { names: ['saml-status'], severity: 'fault', when: 'the identity provider refused, with its words' },
  {
    names: ['saml-destination', 'saml-recipient', 'saml-audience'],
    severity: 'fault',
    when: 'the response is for another address, the assertion for another bearer or service provider',
  },
  {
    names: ['saml-other-request', 'saml-relay-state'],
    severity: 'fault',
    when: 'another request is answered, or another RelayState came back than was sent',
  },
  {
    names: ['saml-expired', 'saml-not-yet-valid', 'saml-replayed'],
    severity: 'fault',
    when: 'by the clock of the recording; an assertion that came twice',
  },
  {
    names: ['saml-unsigned', 'saml-unsigned-assertion'],
    severity: 'fault',
    when: 'nothing is signed, or one of several assertions is not',
  },
  {
    names: [
      'saml-no-bearer',
      'saml-no-end',
      'saml-no-recipient',
      'saml-no-audience',
      'saml-version',
      'saml-not-utc',
      'saml-unreadable',
    ],
    severity: 'fault',
    when: 'what a login response has to have',
  },
  {
    names: [
      'saml-several-assertions',
      'saml-comment-in-value',
      'saml-sha1',
      'saml-bearer-not-before',
      'saml-no-authn',
    ],
    severity: 'weakness',
    when: 'what readers take in different ways, and what is out of date',
  },
  { names: ['saml-unsolicited'], severity: 'remark', when: 'a response without a request' },
  { names: ['saml-unsigned-logout'], severity: 'weakness', when: 'a message of a logout that nobody signed' },
  { names: ['saml-nobody'], severity: 'fault', when: 'a logout request that names no person' },
] as const satisfies readonly FindingKind[]

/** The name of a finding in a recording of the wire. */
export type FindingName = (typeof OAUTH_FINDINGS | typeof SAML_FINDINGS)[number]['names'][number]
