import type { DecodedJwt } from '../../../protocol/tokens/decode.js'
import type { VerificationKeys } from '../../../protocol/tokens/keys.js'
import { verifyJwt } from '../../../protocol/tokens/verify.js'
import type { UserInfo } from '../shapes.js'
import { quote, quoteList } from './go/quote.js'
import type { ClusterPorts, OidcIssuer } from './settings.js'
import { apiTime } from './times.js'

// ID tokens of other issuers (kube-apiserver, `--oidc-issuer-url` and its options).

/** The user of an ID token, or the reason for refusing it. */
export type OidcVerdict =
  | { readonly ok: true; readonly user: UserInfo }
  | { readonly ok: false; readonly error: string }

/** The only algorithm that the real server accepts without `--oidc-signing-algs`. */
const ALGORITHM = 'RS256'

/** Allowed difference of `nbf`, in seconds. */
const LEEWAY = 300

const AUTHENTICATED = 'system:authenticated'

const refused = (error: string): OidcVerdict => ({ ok: false, error })

const unverified = (problem: string): OidcVerdict => refused(`oidc: verify token: ${problem}`)

type Claims = DecodedJwt['claims']

const audiencesOf = ({ aud }: Claims): string[] =>
  (Array.isArray(aud) ? aud : [aud]).filter(each => typeof each === 'string')

/** The prefix of user names: by default the issuer, except before an e-mail address; `-` stands for none. */
function usernamePrefix({ issuer, usernameClaim, usernamePrefix: prefix }: OidcIssuer): string {
  if (prefix === '-') return ''
  return prefix ?? (usernameClaim === 'email' ? '' : `${issuer}#`)
}

/** The user that the claims name. */
function userOf(claims: Claims, trusted: OidcIssuer): OidcVerdict {
  const { usernameClaim, groupsClaim, groupsPrefix = '' } = trusted
  const name = Object.hasOwn(claims, usernameClaim) ? claims[usernameClaim] : undefined
  if (typeof name !== 'string' || name === '') {
    return refused(`oidc: parse username claims ${quote(usernameClaim)}: claim not present`)
  }
  if (usernameClaim === 'email' && claims.email_verified !== undefined && claims.email_verified !== true) {
    return refused('oidc: email not verified')
  }
  const sent =
    groupsClaim !== undefined && Object.hasOwn(claims, groupsClaim) ? claims[groupsClaim] : undefined
  const groups = sent === undefined ? [] : Array.isArray(sent) ? sent : [sent]
  if (!groups.every(each => typeof each === 'string')) {
    return refused(
      `oidc: parse groups claim ${quote(groupsClaim ?? '')}: it is neither a text nor a list of texts`,
    )
  }
  const username = `${usernamePrefix(trusted)}${name}`
  return {
    ok: true,
    user: { username, groups: [...groups.map(each => `${groupsPrefix}${each}`), AUTHENTICATED] },
  }
}

/** The problem with the claims that every ID token has; undefined without one. */
function claimsProblem(claims: Claims, { clientId }: OidcIssuer, now: number): string | undefined {
  const audiences = audiencesOf(claims)
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

/** Finds out whose an ID token is. */
export interface OidcAuthenticator {
  /** True for an issuer that the cluster trusts. */
  trusts(issuer: unknown): boolean
  token(text: string, jwt: DecodedJwt): Promise<OidcVerdict>
}

/** Creates the authenticator of ID tokens. Keys are fetched when the first token of an issuer comes. */
export function createOidcAuthenticator(
  issuers: readonly OidcIssuer[],
  { issuerKeys, now }: Pick<ClusterPorts, 'issuerKeys' | 'now'>,
): OidcAuthenticator {
  async function isSigned(text: string, { issuer }: OidcIssuer): Promise<true | string> {
    const keys = issuerKeys?.(issuer)
    if (keys === undefined) return 'the keys of the issuer are not known'
    const signed = async (candidates: VerificationKeys) => {
      const { checks } = await verifyJwt(text, candidates, { now: now() })
      return checks.find(({ name }) => name === 'signature')?.ok === true
    }
    try {
      const first = await keys.current()
      if (await signed(first)) return true
      // The issuer may have a new key.
      const newer = await keys.newerThan(first)
      return (newer !== first && (await signed(newer))) || 'failed to verify id token signature'
    } catch (error) {
      return `fetching keys ${error instanceof Error ? error.message : 'failed'}`
    }
  }

  async function verdict(text: string, jwt: DecodedJwt, trusted: OidcIssuer): Promise<OidcVerdict> {
    const { alg } = jwt.header
    if (alg !== ALGORITHM) {
      return unverified(
        `oidc: id token signed with unsupported algorithm, expected ["${ALGORITHM}"] got ${quote(String(alg).slice(0, 40))}`,
      )
    }
    const problem = claimsProblem(jwt.claims, trusted, now())
    if (problem !== undefined) return unverified(problem)
    const signed = await isSigned(text, trusted)
    return signed === true ? userOf(jwt.claims, trusted) : unverified(signed)
  }

  return {
    trusts: issuer => issuers.some(each => each.issuer === issuer),
    async token(text, jwt) {
      let last = refused('oidc: the issuer is not trusted')
      for (const trusted of issuers.filter(each => each.issuer === jwt.claims.iss)) {
        last = await verdict(text, jwt, trusted)
        if (last.ok) return last
      }
      return last
    },
  }
}
