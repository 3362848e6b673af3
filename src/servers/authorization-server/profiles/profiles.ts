import { FAPI2_ALGORITHMS, type SigningAlgorithm } from '../../../protocol/oauth/algorithms.js'
import {
  type Client,
  FAPI2_METHODS,
  type SecurityProfile,
  type ServerProfile,
  stricterProfile,
  type TokenEndpointAuthMethod,
} from '../../../protocol/oauth/client.js'
import type { Citation, Rule } from '../../../protocol/rules/rule.js'
import type { ResponseType } from '../parameters/response-type.js'
import type { Difference } from '../stages/stages.js'

/** FAPI 2.0 Security Profile, Final (February 2025). */
const FAPI2: Profile = {
  title: 'FAPI 2.0 Security Profile',
  demands: {
    confidential: {
      rule: 'FAPI 2.0 Security Profile §5.3.2.1-3',
      point: 'clients',
      here: 'confidential ones alone',
      otherwise: 'public ones too',
      why: 'anyone can use the name of a public client',
    },
    auth_method: {
      rule: 'FAPI 2.0 Security Profile §5.3.2.1-6',
      point: 'client authentication',
      here: 'private_key_jwt, tls_client_auth or self_signed_tls_client_auth',
      otherwise: 'secrets too',
      why: 'a secret is sent to the server, so it can leak on the way and there',
    },
    bound: {
      rule: 'FAPI 2.0 Security Profile §5.3.2.1-4',
      point: 'access tokens',
      here: 'bound to a DPoP key or to the certificate of the client',
      otherwise: 'bound where the client asks for it',
      why: 'a stolen token is of no use without the key',
    },
    audience: {
      rule: 'FAPI 2.0 Security Profile §5.3.2.1-8',
      point: 'aud of client assertions',
      here: 'the issuer alone, as a string',
      otherwise: 'the issuer or an endpoint, also in a list',
      why: 'an assertion for one server must not be good at another one',
    },
    algorithm: {
      rule: 'FAPI 2.0 Security Profile §5.4.1-1',
      point: 'signatures',
      here: 'PS256, ES256, EdDSA or Ed25519',
      otherwise: 'RS256 and others too',
      why: 'the padding of RS256 has a history of attacks, and shared secrets are known to two',
    },
    grant: {
      rule: 'FAPI 2.0 Security Profile §5.3.2.1-2',
      point: 'password grant',
      here: 'refused',
      otherwise: 'available to registered clients',
      why: 'the client sees the password',
    },
    response_type: {
      rule: 'FAPI 2.0 Security Profile §5.3.2.2-1',
      point: 'response_type',
      here: 'code',
      otherwise: 'also those with tokens through the browser',
      why: 'what comes through the browser can leak there',
    },
    pushed: {
      rule: 'FAPI 2.0 Security Profile §5.3.2.2-3',
      point: 'authorization requests',
      here: 'pushed (PAR), with client authentication',
      otherwise: 'through the browser too',
      why: 'nobody on the way reads or changes a pushed request',
    },
    pkce: {
      rule: 'FAPI 2.0 Security Profile §5.3.2.2-5',
      point: 'PKCE',
      here: 'S256 for every client',
      otherwise: 'demanded of public clients',
      why: 'an injected code does not fit the verifier',
    },
    redirect_uri_sent: {
      rule: 'FAPI 2.0 Security Profile §5.3.2.2-6',
      point: 'redirect_uri',
      here: 'in every pushed request',
      otherwise: 'may be left out where one is registered',
      why: 'client and server agree on the address',
    },
    redirect_uri: {
      rule: 'FAPI 2.0 Security Profile §5.3.2.2-8',
      point: 'scheme of redirect_uri',
      here: 'no http, but for loopback addresses of native applications',
      otherwise: 'http on this computer for every client',
      why: 'a code must not travel unencrypted',
    },
    rotation: {
      rule: 'FAPI 2.0 Security Profile §5.3.2.1-9',
      point: 'refresh tokens',
      here: 'not rotated',
      otherwise: 'rotated at each use',
      why: 'a lost answer would lock the client out, and the token is bound to its client anyway',
    },
    code_lifetime: {
      rule: 'FAPI 2.0 Security Profile §5.3.2.1-11',
      point: 'lifetime of codes',
      here: '60 seconds at most',
      otherwise: 'as the lab file says',
      why: 'a stolen code is soon worth nothing',
    },
    redirect_status: {
      rule: 'FAPI 2.0 Security Profile §5.3.2.2-11',
      point: 'status of redirects to clients',
      here: '303',
      otherwise: '302',
      why: 'no browser repeats a form with a password at the client',
    },
  },
  sets: client => ({
    require_pkce: true,
    code_challenge_methods: ['S256'],
    require_pushed_authorization_requests: true,
    refresh_token_rotation: 'off',
    strict_assertion_audience: true,
    dpop_bound_access_tokens: client.tls_client_certificate_bound_access_tokens !== true,
    access_token_signing_alg: client.access_token_signing_alg ?? 'PS256',
    id_token_signed_response_alg: client.id_token_signed_response_alg ?? 'PS256',
    introspection_signed_response_alg: client.introspection_signed_response_alg ?? 'PS256',
    authorization_signed_response_alg: client.authorization_signed_response_alg ?? 'PS256',
  }),
  refusedGrants: ['password', 'implicit'],
  responseTypes: ['code'],
  challengeMethods: ['S256'],
  authMethods: FAPI2_METHODS,
  algorithms: FAPI2_ALGORITHMS,
  maxCodeLifetime: 60_000,
}

/** OAuth 2.1 (draft-ietf-oauth-v2-1). */
const OAUTH21: Profile = {
  title: 'OAuth 2.1',
  demands: {
    grant: {
      rule: 'draft-ietf-oauth-v2-1 §1.8',
      point: 'grants',
      here: 'neither password nor implicit',
      otherwise: 'both, for registered clients',
      why: 'the client sees the password, and tokens in addresses leak',
    },
    response_type: {
      rule: 'draft-ietf-oauth-v2-1 §10.1',
      point: 'response_type',
      here: 'none with an access token',
      otherwise: 'token, and the hybrids with it',
      why: 'an access token in an address leaks, and can be replaced',
    },
    pkce: {
      rule: 'draft-ietf-oauth-v2-1 §4.1.1',
      point: 'PKCE',
      here: 'for every client',
      otherwise: 'demanded of public clients',
      why: 'an injected code does not fit the verifier',
    },
    redirect_uri: {
      rule: 'draft-ietf-oauth-v2-1 §2.3.1',
      point: 'redirect_uri',
      here: 'compared exactly; only loopback literals match with any port',
      otherwise: 'localhost matches with any port too, for public and native clients',
      why: 'a computer may resolve localhost to another address',
    },
  },
  sets: () => ({ require_pkce: true }),
  refusedGrants: ['password', 'implicit'],
  responseTypes: ['code', 'id_token', 'code id_token', 'none'],
}

const PROFILES: Readonly<Record<SecurityProfile, Profile>> = { oauth21: OAUTH21, fapi2: FAPI2 }

/** Returns the security profile of a whole server; undefined for a server without one. */
export function serverProfile(name: ServerProfile): Profile | undefined {
  const own = stricterProfile(undefined, name)
  return own && PROFILES[own]
}

/** Returns the profile of a client. */
export function profileOf({ profile }: Pick<Client, 'profile'>): Profile | undefined {
  return profile && PROFILES[profile]
}

/** Returns a client with the switches of its profile and of its server's, the stricter one of both. */
export function underProfile(client: Client, server: ServerProfile): Client {
  const name = stricterProfile(client.profile, server)
  if (name === undefined) return client
  return { ...client, profile: name, ...PROFILES[name].sets(client) }
}

/**
 * Returns the clause of a demand where the profile of the client makes it.
 * @param usual the rule without a profile
 */
export function clauseOf(client: Pick<Client, 'profile'>, demand: Demand, usual: Citation): Citation {
  return profileOf(client)?.demands[demand]?.rule ?? usual
}

/** A demand of a profile. A check that finds it broken names its clause. */
type Demand =
  | 'confidential'
  | 'auth_method'
  | 'bound'
  | 'audience'
  | 'algorithm'
  | 'grant'
  | 'response_type'
  | 'pushed'
  | 'pkce'
  | 'redirect_uri_sent'
  | 'redirect_uri'
  | 'rotation'
  | 'code_lifetime'
  | 'redirect_status'

interface DemandFacts {
  readonly rule: Rule
  readonly point: string
  /** The behaviour under the profile. */
  readonly here: string
  /** The behaviour of the profile standard. */
  readonly otherwise: string
  readonly why: string
}

/** A profile: the values of the switches, and the clause of each demand. */
export interface Profile {
  readonly title: string
  readonly demands: { readonly [D in Demand]?: DemandFacts }
  /** The members that every client has, whatever its registration says. */
  readonly sets: (client: Client) => Partial<Client>
  readonly refusedGrants: readonly string[]
  readonly responseTypes: readonly ResponseType[]
  /** The PKCE methods. Absent: those of the client. */
  readonly challengeMethods?: readonly ['S256']
  /** The methods by which clients authenticate. Absent: all. */
  readonly authMethods?: readonly TokenEndpointAuthMethod[]
  /** The algorithms of signatures by clients and by the server. Absent: all. */
  readonly algorithms?: readonly SigningAlgorithm[]
  /** Milliseconds. Absent: as in the settings. */
  readonly maxCodeLifetime?: number
}

/** Returns how a server with a profile differs from the profile standard, each with its clause. */
export function profileDifferences({ demands }: Profile): readonly Difference[] {
  return Object.values(demands).map(({ point, here, otherwise, why, rule }) => ({
    point,
    here,
    otherwise,
    why: `${why} (${rule})`,
  }))
}
