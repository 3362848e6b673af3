import { createHash, timingSafeEqual } from 'node:crypto'
import { header } from '../../../protocol/http/message.js'
import { type DecodedJwt, decodeJwt } from '../../../protocol/tokens/decode.js'
import type { VerificationKeys } from '../../../protocol/tokens/keys.js'
import { verifyJwt } from '../../../protocol/tokens/verify.js'
import { defined } from '../../../protocol/values.js'
import { quote, quoteList } from '../encoding/go-json.js'
import type { UserInfo } from '../shapes.js'
import type { ApiRequest } from './api-request.js'
import { InvalidToken, LEGACY_ISSUER, userOfSecretToken, userOfToken } from './service-account-token.js'
import { apiAudiencesOf, type ClusterPorts, type ClusterSettings, type OidcIssuer } from './settings.js'
import type { Store } from './store/store.js'
import { apiTime } from './store/store.js'

/** The user of a token and the wanted audiences that it is for, or the reason for refusing it. */
export type Verdict =
  | { readonly ok: true; readonly user: UserInfo; readonly audiences: readonly string[] }
  | { readonly ok: false; readonly error: string }

/** Finds out whose a token is. */
export interface Authenticator {
  /** @param audiences one of which the token has to be for; left out: those of the API server */
  token(token: string, audiences?: readonly string[]): Promise<Verdict>
  /** Returns the user that sent a request; `warning` is for the sender. */
  request(
    request: ApiRequest,
  ): Promise<
    | { readonly ok: true; readonly user: UserInfo; readonly warning?: string }
    | { readonly ok: false; readonly error: string }
  >
}

/** The refusal of a token that no authenticator knows. An authenticator that knows the issuer adds its reason. */
export const UNKNOWN_TOKEN = 'invalid bearer token'

const ANONYMOUS: UserInfo = { username: 'system:anonymous', groups: ['system:unauthenticated'] }

const AUTHENTICATED = 'system:authenticated'

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** The audiences both have, in the order of `wanted`. */
const intersection = (wanted: readonly string[], had: readonly string[]): string[] =>
  wanted.filter(each => had.includes(each))

function audiencesOf(aud: unknown): string[] {
  const all = Array.isArray(aud) ? aud : [aud]
  return all.filter(each => typeof each === 'string')
}

/** The authenticators of the real server: the token file, then tokens of service accounts, then ID tokens of trusted issuers. */
export function createAuthenticator(
  settings: ClusterSettings,
  ports: ClusterPorts,
  store: () => Store,
): Authenticator {
  const { keyring, now } = ports
  const apiAudiences = apiAudiencesOf(settings)
  const fixed = settings.tokens.map(each => ({ ...each, digest: digest(each.token) }))

  /** The audiences of the API server that are wanted, for tokens that name no audiences of a cluster. @throws InvalidToken */
  function ownAudiences(wanted: readonly string[]): string[] {
    const audiences = intersection(wanted, apiAudiences)
    if (audiences.length === 0) throw new InvalidToken()
    return audiences
  }

  function fixedUser(token: string): UserInfo | undefined {
    const sent = digest(token)
    // Compares with all of them, so that the time reveals nothing.
    const [found] = fixed.filter(each => timingSafeEqual(each.digest, sent))
    if (found === undefined) return undefined
    const { username, uid, groups } = found
    return defined({ username, uid, groups: [...groups, AUTHENTICATED] })
  }

  /** The user of a token of a service account, and the wanted audiences that it is for. @throws InvalidToken */
  async function accountUser(token: string, { header, claims }: DecodedJwt, wanted: readonly string[]) {
    const legacy = claims.iss === LEGACY_ISSUER
    if (!legacy && claims.iss !== settings.issuer) throw new InvalidToken()
    const { kid } = header
    const jwks = (await keyring()).published()
    if (typeof kid === 'string' && kid !== '' && !jwks.keys.some(each => each.kid === kid)) {
      throw new InvalidToken('invalid signature, no keys found')
    }
    if (!(await isSigned(token, { kind: 'jwks', jwks }, now()))) {
      throw new InvalidToken('square/go-jose: error in cryptographic primitive')
    }
    const named = audiencesOf(claims.aud)
    const had = named.length === 0 ? apiAudiences : named
    const audiences = intersection(wanted, had)
    if (audiences.length === 0) {
      const targets = `the target audiences ${quoteList(wanted)}`
      throw new InvalidToken(`token audiences ${quoteList(had)} is invalid for ${targets}`)
    }
    const user = legacy
      ? userOfSecretToken(claims, token, store())
      : userOfToken(claims, store(), now() / 1000)
    return { user, audiences }
  }

  async function found(token: string, wanted: readonly string[]) {
    const known = fixedUser(token)
    if (known !== undefined && intersection(wanted, apiAudiences).length > 0) {
      return { user: known, audiences: ownAudiences(wanted) }
    }
    const jwt = decodeJwt(token, () => new InvalidToken())
    const trusted = settings.oidc.filter(({ issuer }) => issuer === jwt.claims.iss)
    if (trusted.length === 0) return accountUser(token, jwt, wanted)
    const audiences = ownAudiences(wanted)
    return { user: await userOfIdToken(token, jwt, trusted, ports), audiences }
  }

  async function token(text: string, wanted: readonly string[] = apiAudiences): Promise<Verdict> {
    try {
      return { ok: true, ...(await found(text, wanted)) }
    } catch (error) {
      if (!(error instanceof InvalidToken)) throw error
      const { message } = error
      return { ok: false, error: message === '' ? UNKNOWN_TOKEN : `[${UNKNOWN_TOKEN}, ${message}]` }
    }
  }

  return {
    token,
    async request({ http }) {
      const [scheme = '', sent, more] = (header(http, 'authorization') ?? '').trim().split(' ')
      if (sent === undefined || scheme.toLowerCase() !== 'bearer' || sent === '') {
        if (!settings.anonymous) return { ok: false, error: 'no credentials, and anonymous requests are off' }
        const spaced = sent === '' && more !== undefined
        const warning =
          'the provided Authorization header contains extra space before the bearer token, and is ignored'
        return { ok: true, user: ANONYMOUS, ...(spaced && { warning }) }
      }
      return token(sent)
    },
  }
}

async function isSigned(token: string, keys: VerificationKeys, now: number): Promise<boolean> {
  const { checks } = await verifyJwt(token, keys, { now })
  return checks.find(({ name }) => name === 'signature')?.ok === true
}

// ID tokens of other issuers (kube-apiserver, `--oidc-issuer-url` and its options).

/** The only algorithm that the real server accepts without `--oidc-signing-algs`. */
const ALGORITHM = 'RS256'

/** Allowed difference of `nbf`, in seconds. */
const LEEWAY = 300

type Claims = DecodedJwt['claims']

/** The prefix of user names: by default the issuer, except before an e-mail address; `-` stands for none. */
function usernamePrefix({ issuer, usernameClaim, usernamePrefix: prefix }: OidcIssuer): string {
  if (prefix === '-') return ''
  return prefix ?? (usernameClaim === 'email' ? '' : `${issuer}#`)
}

/** The user that the claims name. @throws InvalidToken */
function userOf(claims: Claims, trusted: OidcIssuer): UserInfo {
  const { usernameClaim, groupsClaim = '', groupsPrefix = '' } = trusted
  const claim = (name: string) => (Object.hasOwn(claims, name) ? claims[name] : undefined)
  const name = claim(usernameClaim)
  if (typeof name !== 'string' || name === '') {
    throw new InvalidToken(`oidc: parse username claims ${quote(usernameClaim)}: claim not present`)
  }
  if (usernameClaim === 'email' && claims.email_verified !== undefined && claims.email_verified !== true) {
    throw new InvalidToken('oidc: email not verified')
  }
  const sent = trusted.groupsClaim === undefined ? undefined : claim(groupsClaim)
  const groups = sent === undefined ? [] : Array.isArray(sent) ? sent : [sent]
  if (!groups.every(each => typeof each === 'string')) {
    throw new InvalidToken(
      `oidc: parse groups claim ${quote(groupsClaim)}: it is neither a text nor a list of texts`,
    )
  }
  const username = `${usernamePrefix(trusted)}${name}`
  return { username, groups: [...groups.map(each => `${groupsPrefix}${each}`), AUTHENTICATED] }
}

/** The problem with the claims that every ID token has; undefined without one. */
function claimsProblem(claims: Claims, { clientId }: OidcIssuer, now: number): string | undefined {
  const audiences = audiencesOf(claims.aud)
  if (!audiences.includes(clientId)) {
    return `oidc: expected audience ${quote(clientId)} got ${quoteList(audiences)}`
  }
  const { exp, nbf } = claims
  if (typeof exp !== 'number' || exp * 1000 <= now) {
    const expiry = typeof exp === 'number' && Math.abs(exp) < 8e12 ? apiTime(exp * 1000) : 'none'
    return `oidc: token is expired (Token Expiry: ${expiry})`
  }
  if (typeof nbf === 'number' && nbf > now / 1000 + LEEWAY)
    return 'oidc: current time before the nbf (not before) time'
  return undefined
}

/** The problem with the signature of an ID token; undefined without one. Keys are fetched when the first token of an issuer comes. */
async function signatureProblem(
  text: string,
  { issuer }: OidcIssuer,
  { issuerKeys, now }: ClusterPorts,
): Promise<string | undefined> {
  const keys = issuerKeys?.(issuer)
  if (keys === undefined) return 'the keys of the issuer are not known'
  try {
    const first = await keys.current()
    if (await isSigned(text, first, now())) return undefined
    // The issuer may have a new key.
    const newer = await keys.newerThan(first)
    if (newer !== first && (await isSigned(text, newer, now()))) return undefined
    return 'failed to verify id token signature'
  } catch (error) {
    return `fetching keys ${error instanceof Error ? error.message : 'failed'}`
  }
}

/** The user of an ID token, by the first of the trusted issuers that accepts it. @throws InvalidToken */
async function userOfIdToken(
  text: string,
  { header: { alg }, claims }: DecodedJwt,
  trusted: readonly OidcIssuer[],
  ports: ClusterPorts,
): Promise<UserInfo> {
  const foreign = `oidc: id token signed with unsupported algorithm, expected ["${ALGORITHM}"] got ${quote(String(alg).slice(0, 40))}`
  let last: unknown
  for (const issuer of trusted) {
    try {
      const problem =
        alg === ALGORITHM
          ? (claimsProblem(claims, issuer, ports.now()) ?? (await signatureProblem(text, issuer, ports)))
          : foreign
      if (problem !== undefined) throw new InvalidToken(`oidc: verify token: ${problem}`)
      return userOf(claims, issuer)
    } catch (error) {
      last = error
      if (!(error instanceof InvalidToken)) break
    }
  }
  throw last
}
