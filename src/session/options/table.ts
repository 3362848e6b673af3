import { parseInstant } from '../../lab/clock.js'
import { UsageError } from '../../protocol/errors.js'
import { RESPONSE_MODES } from '../../protocol/oauth/authorization-request.js'
import { tokenTypeNames } from '../../protocol/oauth/scope.js'
import { option, repeated, scopes, type Typed } from './option.js'

const OTHER = { group: 'Another server:' } as const
const NOT_CLIENT = { ...OTHER, conflicts: ['client'] } as const
const NETWORK = { group: 'The way to the server:' } as const

/** The option for header fields of requests to the server. A command with another `-H` is without it. */
const header = option('-H, --header <name: value>', 'add a header field for this server alone; repeat it', {
  ...NETWORK,
  parse: repeated,
})

const connection = [
  option('--insecure', 'check no certificate, with a warning in each run', NETWORK),
  option('--resolve <host:port:address>', 'connect to this address, as with curl; repeat it', {
    ...NETWORK,
    parse: repeated,
  }),
]

/** The options that change how requests reach the server. */
export const network = [header, ...connection]

/** The options that say how a client authenticates, what it binds its tokens to, and how it asks. */
export const clientMeans = [
  option('--auth <method>', 'how the client authenticates (default: as registered)', {
    // OpenID Connect Core §9, RFC 8705 §2.
    choices: [
      'client_secret_basic',
      'client_secret_post',
      'client_secret_jwt',
      'private_key_jwt',
      'tls_client_auth',
      'self_signed_tls_client_auth',
      'none',
    ],
  }),
  option('--client-key <file>', 'private key for private_key_jwt and encrypted answers: PKCS#8 PEM or JWK'),
  option('--cert <file>', 'client certificate for mutual TLS, PEM (RFC 8705)'),
  option('--cert-key <file>', 'its private key, PEM'),
  option('--dpop', 'bind tokens to a key made for this run (RFC 9449)'),
  option('--par', 'push the authorization request beforehand (RFC 9126)'),
  option('--request-object <kind>', 'send the authorization request as a JWT (RFC 9101)', {
    choices: ['signed', 'unsigned', 'encrypted'],
  }),
]

export const labClient = option('--client <name>', 'client of the lab file', { fallback: 'demo' })

const server = [
  labClient,
  option('--issuer <url>', 'any authorization server, by its discovery document', NOT_CLIENT),
  option('--at <name>', 'a server of the lab file, by its name under servers', {
    ...OTHER,
    conflicts: ['client', 'issuer', 'metadata', 'authorizationEndpoint', 'tokenEndpoint', 'jwks'],
  }),
  option('--metadata <file>', 'its metadata as JSON, where it publishes none', NOT_CLIENT),
  option('--authorization-endpoint <url>', 'its address, where it publishes none', NOT_CLIENT),
  option('--token-endpoint <url>', 'its address, where it publishes none', NOT_CLIENT),
  option('--jwks <url|file>', 'its keys, in place of published ones', NOT_CLIENT),
  option('--client-id <id>', 'client that is registered there', OTHER),
  option('--client-secret-file <file>', 'its secret [OAUTH_LAB_CLIENT_SECRET]', OTHER),
  option('--client-secret-stdin', 'its secret is the first line of stdin', OTHER),
]

const requests = [
  option('--profile <name>', 'what the client insists on: FAPI 2.0, as its clauses for clients say', {
    choices: ['fapi2'],
  }),
  option('--param <[token:]name=value>', 'one more parameter of the request; repeat it', { parse: repeated }),
]

/** The options that say which server a run talks to, as which client, and how. */
export const target = [...server, ...clientMeans, ...network, ...requests]

/** The same for a command whose `-H` is about something else. */
const targetWithoutHeader = [...server, ...clientMeans, ...connection, ...requests]

export const passwordStdin = option('--password-stdin', 'read the password from the first line of stdin')
const scope = option('--scope <scope>', 'scope tokens; repeat it, or use spaces or commas', {
  parse: scopes,
})
const redirectUri = option(
  '--redirect-uri <uri>',
  'address for the response (default: a free port of 127.0.0.1)',
)
const noPkce = option('--no-pkce', 'send no code_challenge')
const browser = option('--browser', 'log in with your own browser', { fallback: false })
export const noOpen = option('--no-open', 'print the address for the browser without opening it')
const otp = option(
  '--otp <code>',
  'one-time code for the second factor (default: computed from the lab file)',
)

/** Reads `--seed`. @throws UsageError */
function wholeSeed(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new UsageError(`--seed ${JSON.stringify(text)} is not a whole number`, ['It looks like --seed 7'])
}

/** An option for the number that all random values come from. */
export const seedOption = (meaning: string) => option('--seed <number>', meaning, { parse: wholeSeed })

/** The options that make the transcript of a lab repeat. */
export const repeat = [
  seedOption('INSECURE: the same codes, tokens and values in every run; with --now the clock stands still'),
  option('--now <time>', 'time of the lab’s clock at the start: an ISO date, or seconds since 1970', {
    parse: parseInstant,
  }),
]

/** The forms a run can be written in. */
export const EXPORT_FORMATS = ['har', 'curl', 'mermaid', 'markdown', 'html'] as const

/** The option that writes a run in another form. */
export const exportOption = option(
  '--export <format>',
  'write the run in another form, its steps to stderr',
  {
    choices: EXPORT_FORMATS,
  },
)

/** The options that say who drives the browser of a flow, and how the flow is shown. */
const shownFlow = [
  browser,
  noOpen,
  option('--headless', 'fill in the login form without a browser (default)', { conflicts: ['browser'] }),
  option('--plain', 'print one line for each step, to the end'),
  option('--screen-reader', 'print sentences; Enter sends the next step, r repeats, d reads details'),
  exportOption,
  option(
    '-o, --output <file>',
    'write the result into a file; token prints the bare access token (a file of that name: ./token)',
  ),
]

/** The options of every flow. */
export const everyFlow = [
  ...target,
  ...repeat,
  option('--user <name[:password]>', 'resource owner of the lab file (default: the first one)'),
  passwordStdin,
  scope,
  redirectUri,
  option(
    '--response-mode <mode>',
    'how the browser brings the answer; with jwt it is a signed JWT (default: as the grant has it)',
    { choices: RESPONSE_MODES },
  ),
  noPkce,
  option('--paste', 'paste the address at which your browser ends, for any redirect_uri', {
    conflicts: ['headless'],
  }),
  option('--callback-cert <file>', 'certificate of an https redirect_uri, PEM (default: the lab’s own)'),
  option('--callback-key <file>', 'its private key, PEM'),
  option('--resource <url>', 'protected resource to ask with the token (default: the one of the lab)'),
  option('--tamper <move>', 'make a wrong move and see it refused (oauth-lab tamper list)'),
  ...shownFlow,
]

const acrValues = option(
  '--acr-values <values>',
  'authentication context classes to ask for, the preferred one first',
)

/** The options of an issuer of assertions that is registered with the server. */
export const assertionIssuer = [
  option('--issuer-key <file>', 'private key of a registered assertion issuer (default: the one of the lab)'),
  option('--assertion-issuer <name>', 'its name (default: the registered one)'),
] as const

/** The options that only some flows have. */
export const someFlows = {
  implicitType: [
    option('--response-type <types>', 'what the response holds (default: as the scope asks)', {
      // OpenID Connect Core §3.2.
      choices: ['token', 'id_token', 'id_token token'],
    }),
  ],
  responseType: [
    option('--response-type <types>', 'what the response holds (default: code id_token)', {
      // OpenID Connect Core §3.3.
      choices: ['code id_token', 'code token', 'code id_token token'],
    }),
  ],
  tokenType: [
    option('--token-type <type>', 'how to present the token: alone, or by a MAC over each request', {
      choices: ['bearer', 'mac'],
      fallback: 'bearer',
    }),
  ],
  token: [option('--token <token>', 'start with this access token; - reads it from stdin')],
  refreshToken: [option('--refresh-token <-|@file>', 'start with this refresh token, from stdin or a file')],
  exchanged: [
    option('--subject-token <-|@file>', 'exchange this token, from stdin or a file'),
    option('--subject-token-type <type>', `its type: a URI, or ${tokenTypeNames} (default: access_token)`),
    option('--actor-token <-|@file>', 'token of the party that acts for the subject'),
    option('--actor-token-type <type>', 'its type (default: access_token)'),
  ],
  details: [
    option(
      '--authorization-details <json|@file>',
      'what to ask for: a JSON list of objects with a type each (RFC 9396)',
    ),
  ],
  login: [
    acrValues,
    option('--max-age <seconds>', 'ask for a login that is no older than this'),
    option('--claims <json|file>', 'claims to ask for one by one (OpenID Connect Core §5.5)'),
    otp,
  ],
  logout: [
    option(
      '--post-logout-redirect-uri <uri>',
      'registered address to return to (default: the one of the client in the lab file)',
    ),
    option('--logout-method <method>', 'how the browser sends the logout request', {
      choices: ['get', 'post'],
      fallback: 'get',
    }),
    option('--no-hint', 'send no id_token_hint: the server has to ask first'),
    option('--logout-hint <hint>', 'who logs out, in a form that the server knows (logout_hint)'),
    option('--ui-locales <tags>', 'languages for the pages of the logout, the preferred one first'),
  ],
  backchannel: [
    option('--login-hint <name>', 'the person who is to log in (default: the one of --user)'),
    option('--id-token-hint <-|@file>', 'an earlier ID token that names the person instead'),
    option('--binding-message <text>', 'a short text that both devices show, for the person to compare'),
    option('--requested-expiry <seconds>', 'how long the request is to wait for the person'),
    acrValues,
    option('--mode <mode>', 'how the client learns of the decision (default: as it is registered)', {
      choices: ['poll', 'ping'],
    }),
    option('--notification-endpoint <url>', 'registered address of this computer for --mode ping'),
    option('--deny', 'the person says no', { conflicts: ['browser'] }),
    option('--ignore', 'nobody answers', { conflicts: ['browser'] }),
  ],
  audience: [option('--audience <audience>', 'the audience of the new token')],
  assertion: [
    option('--assertion <-|@file>', 'send this assertion, a JWT or SAML, from stdin or a file'),
    option('--saml', 'send a SAML 2.0 assertion instead of a JWT'),
    ...assertionIssuer,
  ],
}

/** An option that only some flows have. */
export type SomeFlow = (typeof someFlows)[keyof typeof someFlows][number]

/** The options of a run of a flow, as they were typed. */
export type FlowRunOptions = Typed<typeof everyFlow> & Partial<Typed<SomeFlow[]>>

const CLIENT = { group: 'Client:' } as const
const GRANT = { group: 'Grant:' } as const

/** The options of `flow mcp`. */
export const mcpFlow = [
  ...network,
  option('--register <way>', 'how the client introduces itself (default: the best way)', {
    ...CLIENT,
    choices: ['given', 'document', 'dynamic'],
  }),
  option('--client-id <id>', 'client that the authorization server knows', CLIENT),
  option('--client-secret-file <file>', 'its secret', CLIENT),
  option(
    '--issuer <url>',
    'the issuer it is registered at (default: the first that is named; it gets a secret only at the host of the server)',
    CLIENT,
  ),
  option('--client-document <url>', 'client ID metadata document, whose address is the client_id', CLIENT),
  option('--client-key <file>', 'private key for private_key_jwt: PKCS#8 PEM or JWK', CLIENT),
  option('--dpop', 'bind tokens to a key made for this run (RFC 9449)', CLIENT),
  option('--grant <grant>', 'how the client gets its token', {
    ...GRANT,
    choices: ['authorization_code', 'client_credentials', 'jwt-bearer', 'enterprise'],
    fallback: 'authorization_code',
  }),
  option('--assertion <jwt>', 'JWT of jwt-bearer, or ID token of enterprise; - reads it from stdin', GRANT),
  option('--idp <issuer>', 'identity provider of the organisation, for enterprise', GRANT),
  option('--idp-client-id <id>', 'client that the identity provider knows', GRANT),
  option('--idp-client-secret-file <file>', 'its secret', GRANT),
  option('--revision <date>', 'speak this revision alone', {
    choices: ['2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'],
  }),
  option('--scope <scope>', 'scope to ask for, in place of that of the server', { parse: scopes }),
  option('--offline', 'ask for offline_access, where the authorization server announces it'),
  option('--tamper <move>', 'make a wrong move and see it refused (oauth-lab tamper list --flow mcp)'),
  option('--call <tool>', 'call this tool at the end'),
  option('--arguments <json|@file>', 'its arguments, a JSON object'),
  option('--user <name[:password]>', 'resource owner (default: the first one of the lab)'),
  passwordStdin,
  redirectUri,
  ...shownFlow,
]

/** The options of `flow mcp`, as they were typed. */
export type McpRunOptions = Typed<typeof mcpFlow>

/** The options of `call`: a request to an API, and the token that it needs. */
export const call = [
  ...targetWithoutHeader,
  option('-X, --request <method>', 'the method (default: GET, with -d POST)'),
  option('-d, --data <text|@file|->', 'the body, sent as it is; repeated ones are joined by &', {
    parse: repeated,
  }),
  option('-H, --header <field>', "a header field, such as 'Accept: text/csv'; repeat it", {
    parse: repeated,
  }),
  option('-i, --include', 'print status and header fields before the body'),
  option('-L, --location', 'follow redirects within the origin; a token never goes to another one'),
  option('--grant <flow>', 'the flow that gets the token (default: the one that fits the client)', {
    choices: ['code', 'client-credentials', 'password', 'device'],
  }),
  option('--user <name[:password]>', 'resource owner of the lab file (default: the first one)'),
  passwordStdin,
  otp,
  scope,
  option('--resource <uri>', 'the resource that the token is for (RFC 8707)'),
  redirectUri,
  noPkce,
  browser,
  noOpen,
]

/** The options of `call`, as they were typed. */
export type CallOptions = Typed<typeof call>

const CLUSTER = { group: 'Which cluster (default: the one this runs in, else the lab):' } as const
const SERVICE = { group: 'Which service (default: the lab):' } as const

/** The options that name a Kubernetes cluster and the caller. */
export const cluster = [
  option(
    '--kubeconfig <file>',
    'use this kubeconfig; with --context alone, KUBECONFIG or ~/.kube/config',
    CLUSTER,
  ),
  option('--context <name>', 'this context of the kubeconfig', CLUSTER),
  option('--cluster <url>', 'at this address, with --bearer-file and --cacert', CLUSTER),
  option('--bearer-file <file>', 'a token of your own; - reads stdin', CLUSTER),
  option(
    '--show-http',
    'print each request with its answer, and the equal kubectl and curl lines, on stderr',
    CLUSTER,
  ),
]

/** The options that name the DNS and security-event API, and the credentials for it. */
export const account = [
  option('--api-url <url>', 'at this address, with its /client/v4 [CLOUDFLARE_BASE_URL]', SERVICE),
  option('--key-file <file>', 'file with the API key; - reads stdin [CLOUDFLARE_API_KEY]', SERVICE),
  option('--email <address>', 'email address of the key’s owner [CLOUDFLARE_EMAIL]', SERVICE),
  option(
    '--token-file <file>',
    'file with an API token instead; - reads stdin [CLOUDFLARE_API_TOKEN]',
    SERVICE,
  ),
]
