import { createHash, timingSafeEqual } from 'node:crypto'
import { header } from '../../../protocol/http/message.js'
import { type DecodedJwt, decodeJwt, TokenFormatError } from '../../../protocol/tokens/decode.js'
import { verifyJwt } from '../../../protocol/tokens/verify.js'
import type { UserInfo } from '../shapes.js'
import type { ApiRequest } from './api-request.js'
import { quoteList } from './go/quote.js'
import { createOidcAuthenticator } from './oidc-authenticator.js'
import { LEGACY_ISSUER } from './service-account-token.js'
import { apiAudiencesOf, type ClusterPorts, type ClusterSettings } from './settings.js'
import type { Store } from './store/store.js'
import { InvalidToken, userOfSecretToken, userOfToken } from './token-validity.js'

/** The user of a token and the wanted audiences that it is for, or the reason for refusing it. */
export type Verdict =
  | { readonly ok: true; readonly user: UserInfo; readonly audiences: readonly string[] }
  | { readonly ok: false; readonly error: string }

/** The user that sent a request; `warning` is for the sender. */
export type Sender =
  | { readonly ok: true; readonly user: UserInfo; readonly warning?: string }
  | { readonly ok: false; readonly error: string }

const ANONYMOUS: UserInfo = { username: 'system:anonymous', groups: ['system:unauthenticated'] }

const UNKNOWN = 'invalid bearer token'

/**
 * The refusal of a token that no authenticator knows; an authenticator that knows the issuer adds its reason.
 */
const refused = (problem?: string): Verdict => ({
  ok: false,
  error: problem === undefined ? UNKNOWN : `[${UNKNOWN}, ${problem}]`,
})

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Finds out whose a token is. */
export interface Authenticator {
  /** @param audiences one of which the token has to be for; left out: those of the API server */
  token(token: string, audiences?: readonly string[]): Promise<Verdict>
  request(request: ApiRequest): Promise<Sender>
}

/** The audiences both have, in the order of `wanted`. */
const intersection = (wanted: readonly string[], had: readonly string[]): string[] =>
  wanted.filter(each => had.includes(each))

function audiencesOf(aud: unknown): string[] {
  const all = Array.isArray(aud) ? aud : [aud]
  return all.filter(each => typeof each === 'string')
}

function decoded(token: string): DecodedJwt | undefined {
  try {
    return decodeJwt(token)
  } catch (error) {
    if (error instanceof TokenFormatError) return undefined
    throw error
  }
}

/** The authenticators of the real server: the token file, then tokens of service accounts, then ID tokens of trusted issuers. */
export function createAuthenticator(
  settings: ClusterSettings,
  ports: ClusterPorts,
  store: () => Store,
): Authenticator {
  const { keyring, now } = ports
  const apiAudiences = apiAudiencesOf(settings)
  const oidc = createOidcAuthenticator(settings.oidc, ports)
  const fixed = settings.tokens.map(each => ({ ...each, digest: digest(each.token) }))

  function fixedToken(token: string, wanted: readonly string[]): Verdict | undefined {
    const sent = digest(token)
    // Compares with all of them, so that the time reveals nothing.
    const [found] = fixed.filter(each => timingSafeEqual(each.digest, sent))
    const audiences = intersection(wanted, apiAudiences)
    if (found === undefined || audiences.length === 0) return undefined
    const { username, uid, groups } = found
    const user = { username, ...(uid !== undefined && { uid }), groups: [...groups, 'system:authenticated'] }
    return { ok: true, user, audiences }
  }

  async function accountToken(token: string, wanted: readonly string[]): Promise<Verdict> {
    const jwt = decoded(token)
    if (jwt === undefined) return refused()
    if (oidc.trusts(jwt.claims.iss)) return idToken(token, jwt, wanted)
    const legacy = jwt.claims.iss === LEGACY_ISSUER
    if (!legacy && jwt.claims.iss !== settings.issuer) return refused()
    const { kid } = jwt.header
    const jwks = (await keyring()).published()
    if (typeof kid === 'string' && kid !== '' && !jwks.keys.some(each => each.kid === kid)) {
      return refused('invalid signature, no keys found')
    }
    const { checks } = await verifyJwt(token, { kind: 'jwks', jwks }, { now: now() })
    if (!checks.find(each => each.name === 'signature')?.ok) {
      return refused('square/go-jose: error in cryptographic primitive')
    }
    const told = audiencesOf(jwt.claims.aud)
    const had = told.length === 0 ? apiAudiences : told
    const audiences = intersection(wanted, had)
    if (audiences.length === 0) {
      return refused(
        `token audiences ${quoteList(had)} is invalid for the target audiences ${quoteList(wanted)}`,
      )
    }
    try {
      const user = legacy
        ? userOfSecretToken(jwt.claims, token, store())
        : userOfToken(jwt.claims, store(), now() / 1000)
      return { ok: true, user, audiences }
    } catch (error) {
      if (error instanceof InvalidToken) return refused(error.message)
      throw error
    }
  }

  /** An ID token, which is good for the audiences of the API server: its own audience is a client. */
  async function idToken(token: string, jwt: DecodedJwt, wanted: readonly string[]): Promise<Verdict> {
    const audiences = intersection(wanted, apiAudiences)
    if (audiences.length === 0) return refused()
    const verdict = await oidc.token(token, jwt)
    return verdict.ok ? { ...verdict, audiences } : refused(verdict.error)
  }

  async function token(text: string, wanted: readonly string[] = apiAudiences): Promise<Verdict> {
    return fixedToken(text, wanted) ?? accountToken(text, wanted)
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
