import type { HttpRequest } from '../../protocol/http/message.js'
import { type Check, check } from '../../protocol/oauth/check.js'
import { checkMac, MAC_DRAFT, type MacParameters, nonceAge, requestHost } from '../../protocol/oauth/mac.js'
import type { ReplayGuard } from '../../protocol/tokens/replay-guard.js'
import type { AcceptedToken } from './access-token.js'
import { type ClaimRules, invalidToken, presenterOf, refusalOf } from './claim-checks.js'
import { type Defences, STRICT } from './defences.js'
import type { MacKey, MacKeys } from './settings.js'

/**
 * Largest difference between the age in a nonce and the age of the key, in milliseconds, either way. The two differ
 * because the client counts from the arrival of the token response. Older nonces need not be remembered.
 */
export const NONCE_WINDOW = 5 * 60_000

/** The parts that the verification of MACs uses. */
export interface MacAccessParts {
  /** Absent: the strict ones. */
  readonly defences?: Defences
  readonly baseUrl: string
  readonly macKeys: MacKeys
  readonly replay: ReplayGuard
  readonly now: () => number
}

/** Makes the function that verifies a request with a MAC. The function throws OAuthError `invalid_token`. */
export function createMacVerifier({ defences = STRICT, baseUrl, macKeys, replay, now }: MacAccessParts) {
  return async (
    request: HttpRequest,
    presented: MacParameters,
    rules: ClaimRules,
  ): Promise<AcceptedToken> => {
    const { id, nonce } = presented
    const key = await macKeys(id)
    if (key === undefined) throw invalidToken('no MAC key is known by this id', `${MAC_DRAFT} §4`)
    const { claims } = key
    const checks = [
      checkHost(request, baseUrl),
      ...checkMac(request, presented, key),
      checkAge(nonce, key, now()),
      ...defences.checkAccessClaims(claims, rules, now()),
    ]
    const refusal = refusalOf(checks)
    if (refusal !== undefined) throw refusal
    const until = key.issuedAt + (nonceAge(nonce) ?? 0) * 1000 + NONCE_WINDOW
    const use = replay.use(`mac ${id} ${nonce}`, until + 1, presenterOf(claims))
    if (use === 'again') throw invalidToken('nonce: it was used before', `${MAC_DRAFT} §3.1`)
    if (use === 'full') throw invalidToken('nonce: too many at once; try again later', `${MAC_DRAFT} §3.1`)
    return { claims, checks: [...checks, check('nonce', true, `${MAC_DRAFT} §3.1`, 'not used before')] }
  }
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

/**
 * Checks that a MAC was made for this server. Another server could pass a MAC on, with its own name in Host.
 * The names of the loopback interface count as one host.
 */
function checkHost(request: HttpRequest, baseUrl: string): Check {
  const own = requestHost({ url: baseUrl, headers: [] })
  const named = requestHost(request)
  const sameHost = named.host === own.host || [named.host, own.host].every(each => LOOPBACK.includes(each))
  const ok = sameHost && named.port === own.port
  return check('host', ok, `${MAC_DRAFT} §3.3.1`, ok ? named.host : `this server is ${own.host}:${own.port}`)
}

function checkAge(nonce: string, { issuedAt }: MacKey, now: number): Check {
  const rule = `${MAC_DRAFT} §3.1`
  const age = nonceAge(nonce)
  if (age === undefined) {
    return check('age', false, rule, 'a nonce is the age of the key in seconds, a colon and a unique text')
  }
  const real = Math.floor((now - issuedAt) / 1000)
  const ok = Math.abs(now - issuedAt - age * 1000) <= NONCE_WINDOW
  return check('age', ok, rule, ok ? `${age} s` : `the nonce says ${age} s, the key is ${real} s old`)
}
