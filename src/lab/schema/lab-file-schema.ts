import { z } from 'zod'
import { isUrl } from '../../protocol/http/address.js'
import {
  CLIENT_ASSERTION_ALGORITHMS,
  CONTENT_ENCRYPTIONS,
  KEY_ENCRYPTIONS,
  REQUEST_OBJECT_ALGORITHMS,
} from '../../protocol/oauth/algorithms.js'
import type { DetailSchema } from '../../protocol/oauth/authorization-details.js'
import { SERVER_PROFILES } from '../../protocol/oauth/client.js'
import { parseScope } from '../../protocol/oauth/scope.js'
import { parseTotpSecret } from '../../protocol/oauth/totp.js'
import { WEAK_NAMES } from '../../protocol/rules/weak-modes.js'
import { RESPONSE_TYPES } from '../../servers/authorization-server/parameters/response-type.js'
import { MCP_PATH } from '../../servers/resource-server/mcp/tools.js'
import {
  authenticationMembers,
  clientBackchannel,
  clientLogout,
  clientPresentation,
  clientSwitches,
  loginDemands,
  responseAlgorithms,
  serverSwitches,
  subjectMembers,
} from './client-members.js'
import { cluster } from './cluster-schema.js'
import { GRANT_TYPES } from './grant-types.js'
import {
  CLIENT_AUTHENTICATION,
  duration,
  flag,
  list,
  oneOf,
  optionalText,
  scopeValue,
  text,
} from './members.js'
import { clientIdDocuments, registration } from './registration-schema.js'
import { namedServers } from './servers-schema.js'

const requiredMembers = z.array(text).optional()

/** A few keywords of JSON Schema. */
const member: z.ZodType<DetailSchema> = z.strictObject({
  type: z.enum(['string', 'number', 'integer', 'boolean', 'array', 'object']),
  description: text.optional(),
  enum: z
    .array(z.union([z.string(), z.number(), z.boolean()]))
    .min(1)
    .optional(),
  maxLength: z.number().int().min(0).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  get items(): z.ZodOptional<z.ZodType<DetailSchema>> {
    return member.optional()
  },
  get properties(): z.ZodOptional<z.ZodRecord<z.ZodString, z.ZodType<DetailSchema>>> {
    return z.record(z.string().min(1), member).optional()
  },
  required: requiredMembers,
})

/** The types of authorization details by name (RFC 9396 §2). */
const detailTypes = z
  .record(
    text,
    z.strictObject({
      description: optionalText('The access as people read it, such as Start a payment'),
      properties: z
        .record(text, member)
        .optional()
        .describe('Members beside the common ones, by keywords of JSON Schema; others are refused'),
      required: requiredMembers.describe('Members that must be there'),
    }),
  )
  .describe('Types of authorization details (RFC 9396), added to the built-in one')

// Wire names and no transformations, so one schema checks, documents (`config schema`) and types the lab file. Unknown
// fields are refused: a misspelt one would be ignored silently.

const demoClient = z.strictObject({
  issuers: z
    .array(
      z.strictObject({
        name: z
          .string()
          .regex(/^(?!lab$)[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?$/, {
            error: 'a name has lower-case letters, digits and -, and is not lab',
          })
          .describe('Part of the redirect address: /callback/NAME'),
        issuer: z.string().refine(value => /^https:\/\/[^/?#]+[^?#]*$/.test(value) && isUrl(value), {
          error: 'an issuer is an https address without query and fragment (RFC 8414 §2)',
        }),
        client_id: text,
        client_secret: optionalText('Left out: a public client'),
      }),
    )
    .optional()
    .describe('Authorization servers to log in with, beside this lab'),
})

const required = flag(
  'Refuses authorization requests without a signed request object (RFC 9101 §10.5); default false',
)
const strict = flag(
  'Request objects need aud, exp and nbf, live 60 minutes at most, and count once; default false',
)

/** The members of a client about its request objects. */
const clientRequestObjects = {
  request_object_signing_alg: oneOf(
    REQUEST_OBJECT_ALGORITHMS,
    'The only algorithm of request objects; default: any that the keys or the secret allow',
  ),
  request_object_encryption_alg: oneOf(KEY_ENCRYPTIONS, 'The server publishes a key of use enc for it'),
  request_object_encryption_enc: oneOf(CONTENT_ENCRYPTIONS, 'Default A128CBC-HS256'),
  require_signed_request_object: required,
  strict_request_objects: strict,
  request_uris: list(z.string(), 'Addresses of request objects; https, and of a host in request_uri_hosts'),
} as const

const labRequestObjects = {
  require_signed_request_object: required,
  strict_request_objects: strict,
  request_uri_hosts: z
    .array(
      z.string().regex(/^(\[[0-9a-f:]+\]|[a-z0-9.-]+)(:\d{1,5})?$/, {
        error: 'write a host in lower case, with its port where it is not 443, such as localhost:9443',
      }),
    )
    .optional()
    .describe('Hosts that the server fetches request objects of clients from; default none'),
} as const

const rate = z.string().regex(/^(off|[1-9]\d{0,6}\/[1-9]\d{0,8}[smhd])$/, {
  error: 'write a rate as 10/1m (ten a minute), or off',
})
const scopeToken = z.string().refine(value => parseScope(value)?.length === 1 && !value.includes(' '), {
  error: 'a scope is one word of printable ASCII without space, quote and backslash (RFC 6749 §3.3)',
})
// VSCHAR (RFC 6749 Appendix A.1, A.2).
const visible = z
  .string()
  .regex(/^[\x20-\x7e]+$/, { error: 'use printable ASCII characters (RFC 6749 Appendix A)' })
const jwks = z.strictObject({
  keys: z.array(z.looseObject({ kty: z.enum(['RSA', 'EC', 'OKP']) })),
})

const client = z.strictObject({
  client_id: visible.describe('Unique on this server'),
  client_name: text.optional(),
  ...clientPresentation,
  application_type: oneOf(
    ['web', 'native'],
    'native: installed by people, so it is asked about each time; default web',
  ),
  client_secret: visible.optional().describe('Makes the client confidential'),
  redirect_uris: list(
    z.string(),
    'Absolute, no fragment; http only on this computer. 127.0.0.1 and [::1] match any port; localhost does for public and native clients',
  ),
  post_logout_redirect_uris: z.array(z.string()).optional(),
  ...clientLogout,
  ...clientBackchannel,
  enabled: flag('Default true'),
  allowed_scopes: list(scopeToken, 'Default: every scope of the server'),
  authorization_details_types: list(
    text,
    'Types of authorization details that it may ask for; default: every type of the server',
  ),
  grant_types: list(z.enum(GRANT_TYPES), 'Default: authorization_code'),
  response_types: list(
    z.enum(RESPONSE_TYPES),
    'Default: code, and those with a token but without a code, as far as the grant types allow',
  ),
  require_pkce: flag('Default true for public clients, else false'),
  code_challenge_methods: z
    .array(z.enum(['S256', 'plain']))
    .min(1)
    .optional()
    .describe('Default: S256'),
  token_endpoint_auth_method: oneOf(
    CLIENT_AUTHENTICATION,
    'Default: the secret in the header or in the body',
  ),
  token_endpoint_auth_signing_alg: oneOf(
    CLIENT_ASSERTION_ALGORITHMS,
    'The only algorithm of its assertions; default: any that its keys or its secret allow',
  ),
  jwks: jwks.optional().describe('Public keys of the client: for its assertions, and for encryption to it'),
  jwks_uri: optionalText('Address of the keys in place of jwks; https, fetched when a key is needed'),
  tls_client_auth_subject_dn: optionalText(
    'The subject of the client’s certificate (RFC 4514); needs tls_client_auth',
  ),
  tls_client_auth_san_dns: optionalText('Or a host name in it'),
  tls_client_auth_san_uri: optionalText('Or a URI in it'),
  tls_client_auth_san_ip: optionalText('Or an IP address in it'),
  tls_client_auth_san_email: optionalText('Or a mailbox in it'),
  tls_client_certificate_bound_access_tokens: flag(
    'Binds access tokens to the certificate of the token request (RFC 8705 §3.4); default false',
  ),
  ...responseAlgorithms,
  ...clientSwitches,
  ...clientRequestObjects,
  token_profile: oneOf(['jwt', 'rfc9068'], 'rfc9068: access tokens of the type at+jwt; default jwt'),
  default_resource: flag(
    'Without resource, access tokens name the resource server of the lab in aud (RFC 9068 §3), and not the client; default false',
  ),
  id_token_claims: flag('Puts the claims of the scopes into id_tokens too; default false'),
  ...authenticationMembers,
  ...subjectMembers,
  consent: oneOf(
    ['ask', 'kept', 'granted'],
    'granted: a logged-in person is not asked to allow this client; kept: a native client is allowed once a session, not each time; default ask',
  ),
})

const user = z.strictObject({
  username: text,
  password: text.optional(),
  password_hash: z
    .string()
    .regex(/^scrypt\$\d+\$\d+\$\d+\$[A-Za-z0-9+/_-]+={0,2}\$[A-Za-z0-9+/_-]+={0,2}$/, {
      error: 'write a password hash as scrypt$N$r$p$salt$hash, salt and hash in base64',
    })
    .optional()
    .describe('scrypt$N$r$p$salt$hash, salt and hash in base64, instead of the password'),
  totp_secret: z
    .string()
    .refine(value => parseTotpSecret(value) !== undefined, {
      error: 'write a TOTP secret in base32: at least 16 of A-Z and 2-7, better 26 or more (RFC 4226 §4)',
    })
    .optional()
    .describe('Secret of the user’s authenticator app (RFC 6238), in base32; the second factor'),
  claims: z.record(z.string(), z.unknown()).optional().describe('OpenID Connect claims'),
  claim_types: z
    .record(z.string(), z.enum(['aggregated', 'distributed']))
    .optional()
    .describe('Claims that come from a claims provider (OpenID Connect Core §5.6.2): the lab signs them'),
})

const assertionIssuer = z.strictObject({
  issuer: text,
  certificate_file: optionalText('PEM certificate that signs SAML assertions'),
  jwks_file: optionalText('JWK Set that signs JWT assertions'),
  clientless: flag('Accepts its JWTs without client authentication (RFC 7521 §4.1); default false'),
})

const httpMethod = z.string().regex(/^[A-Z]+$/, { error: 'write methods in capitals, such as GET' })
const resource = z.strictObject({
  audiences: list(text, 'Default: every client, and the resource server itself'),
  introspection: flag('Asks the authorization server about every token (RFC 7662); default false'),
  routes: z
    .array(
      z.strictObject({
        path: z
          .string()
          .regex(/^\//, { error: 'a path begins with /' })
          .refine(path => path !== MCP_PATH, { error: `${MCP_PATH} is the MCP server; name another path` }),
        methods: z.array(httpMethod).min(1).optional(),
        scope: scopeValue.optional(),
        authorization_details: optionalText(
          'Type of authorization details that the token must have (RFC 9396)',
        ),
        ...loginDemands,
      }),
    )
    .optional(),
})

const dnsRecord = z.strictObject({
  id: z
    .string()
    .regex(/^[0-9a-f]{32}$/, { error: 'a record id is 32 hexadecimal digits' })
    .optional(),
  type: z.string().regex(/^[A-Z0-9]+$/, { error: 'write types in capitals, such as CNAME' }),
  name: text,
  content: z.string(),
  ttl: z.number().int().min(1).optional().describe('Seconds; 1 stands for automatic'),
  proxied: z.boolean().optional(),
  priority: z.number().int().min(0).optional().describe('MX and URI'),
  comment: z.string().optional(),
  tags: z.array(text).optional(),
})

const dns = z.strictObject({
  key: text.optional(),
  email: text.optional(),
  token: text.optional(),
  tokens: z
    .array(z.strictObject({ name: text.describe('Its owner, whom events name as `by`'), token: text }))
    .optional()
    .describe('Further tokens for the same zones, each with a budget of its own'),
  rate_limit: rate.optional().describe('A rate such as 1200/5m, or off'),
  hostile: flag('Adds a security event written to harm programs that print it unescaped'),
  zones: z
    .array(
      z.strictObject({
        id: z.string().regex(/^[0-9a-f]{32}$/, { error: 'a zone id is 32 hexadecimal digits' }),
        name: text,
        records: z.array(dnsRecord.describe('A DNS record, by the names of the API')).optional(),
      }),
    )
    .optional(),
})

const resourceIdentifier = z.string().regex(/^[!"$-~]+$/, {
  error: 'a resource is a URI without a fragment (RFC 8707 §2), or the name of an audience',
})

/** `npm run build` makes the published type from it (scripts/lab-file-types.js). */
export const labFileSchema = z.strictObject({
  stage: oneOf(
    ['login-only', 'shared-secret', 'key-pair', 'published-keys'],
    'How far the authorization server is built; default published-keys',
  ),
  profile: oneOf(SERVER_PROFILES, 'oauth21 and fapi2 set the switches of every client; default standard'),
  response_type_errors: z.enum(['page', 'redirect']).optional(),
  account_chooser: oneOf(
    ['off', 'unhinted', 'always'],
    'Offers the users on the login page, for a click without a password; unhinted: not to a request with login_hint. For this computer alone. Default: unhinted for the built-in users, off for others',
  ),
  weak: list(z.enum(WEAK_NAMES), 'Defences to switch off on purpose (weak list); for this computer alone'),
  signing_secret: z
    .string()
    .refine(value => Buffer.byteLength(value) >= 32, {
      error: 'a signing secret has at least 32 bytes (RFC 7518 §3.2)',
    })
    .optional()
    .describe('Signs tokens in the stage shared-secret'),
  signing_key_file: optionalText('PKCS#8 PEM, relative to this file'),
  lifetimes: z
    .strictObject({
      code: duration.optional(),
      access_token: duration.optional(),
      refresh_token: duration.optional(),
      login: duration.optional(),
    })
    .optional()
    .describe('Durations such as 90s, 15m, 1h or 7d'),
  rate_limit: z
    .strictObject({
      login: rate.optional().describe('Wrong passwords on pages'),
      password_grant: rate.optional().describe('Wrong passwords at the token endpoint'),
      client_secret: rate.optional().describe('Wrong client secrets'),
      registration: rate.optional().describe('Registrations and updates of clients'),
    })
    .optional()
    .describe('Limits of failed attempts: rates such as 10/1m, or off'),
  dpop_nonce: oneOf(
    ['off', 'required'],
    'required: DPoP proofs need a nonce of the server (RFC 9449 §8); default off',
  ),
  ...serverSwitches,
  ...labRequestObjects,
  ...registration,
  ...clientIdDocuments,
  compression: flag('Compresses answers over TLS as their clients ask; default false'),
  scopes: z
    .record(scopeToken, z.string())
    .optional()
    .describe('Scope to its description, such as Read your notes, added to the built-in ones'),
  scope_claims: z
    .record(scopeToken, z.array(text))
    .optional()
    .describe('Scope to the claims that it gives out, in place of those of OpenID Connect'),
  default_scope: scopeValue.optional().describe('Granted when a request names none'),
  authorization_details_types: detailTypes.optional(),
  clients: z
    .array(client.describe('A client of the authorization server, by the names of RFC 7591'))
    .optional(),
  users: z.array(user.describe('A person who can log in')).optional(),
  assertion_issuers: list(assertionIssuer, 'The issuers whose assertions are grants'),
  resource: resource.optional().describe('The resource server'),
  resources: z
    .union([z.literal('any'), z.array(resourceIdentifier)])
    .optional()
    .describe(
      'Resources and audiences that tokens are issued for, beside those of the lab; any: every resource',
    ),
  cluster: cluster.optional().describe('The Kubernetes API server of the lab'),
  dns: dns.optional().describe('The DNS and security-event API of the lab'),
  demo_client: demoClient.optional(),
  servers: namedServers.optional().describe('Other servers, for --at NAME'),
})

export type { ServerEntry } from './servers-schema.js'
/** A lab file that passed the schema. */
export type LabFile = z.infer<typeof labFileSchema>
export type ClientEntry = z.infer<typeof client>
export type UserEntry = z.infer<typeof user>
export type ClusterEntry = z.infer<typeof cluster>
export type DnsEntry = z.infer<typeof dns>
export type DnsRecordEntry = z.infer<typeof dnsRecord>
