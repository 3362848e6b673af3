import { type HttpRequest, headerValues } from '../../protocol/http/message.js'
import { ASYMMETRIC_ALGORITHMS } from '../../protocol/oauth/algorithms.js'
import { type Check, check } from '../../protocol/oauth/check.js'
import { boundCertificate, certificateMismatch } from '../../protocol/tokens/confirmation.js'
import { type DecodedJwt, TokenFormatError } from '../../protocol/tokens/decode.js'
import type { DpopNonces } from '../../protocol/tokens/dpop.js'
import { presentedDpopProof, verifyDpopProof } from '../../protocol/tokens/dpop.js'
import type { AcceptedAlgorithms, VerificationKeys } from '../../protocol/tokens/keys.js'
import type { ReplayGuard } from '../../protocol/tokens/replay-guard.js'
import type { Verdict } from '../../protocol/tokens/verify.js'
import { defined, isJsonObject } from '../../protocol/values.js'
import { type ClaimRules, invalidToken, presenterOf, refusalOf, refused } from './claim-checks.js'
import type { Defences } from './defences.js'
import type { Context } from './events.js'
import { type Introspect, NOT_ASKED } from './introspection.js'
import type { KeyOrigin, KeySource } from './key-source.js'
import type { PresentedJwt } from './presented.js'

/** The parts that the verification of access tokens uses. */
interface AccessTokenParts {
  readonly defences: Defences
  readonly keys: KeySource
  readonly replay: ReplayGuard
  /** Absent: proofs need no nonce. */
  readonly nonces: DpopNonces | undefined
  /** Absent: tokens are not introspected. */
  readonly introspect: Introspect | undefined
  /** Absent: proofs by every asymmetric algorithm are accepted. */
  readonly proofAlgorithms: AcceptedAlgorithms | undefined
  readonly now: () => number
}

/** A verified access token. */
export interface AcceptedToken {
  readonly claims: DecodedJwt['claims']
  /** The checks, in the order they ran. All of them passed. */
  readonly checks: readonly Check[]
  /** The algorithm of the signature. Absent for a MAC key. */
  readonly alg?: string
  /** The origin of the verification keys. Absent for a MAC key, which is shared and never published. */
  readonly keys?: KeyOrigin | undefined
}

/**
 * Makes the function that verifies a JWT access token, presented as Bearer or with a DPoP proof.
 * The function throws OAuthError `invalid_token`, `invalid_dpop_proof` or `temporarily_unavailable`.
 */
export function createTokenVerifier(parts: AccessTokenParts) {
  const { defences, keys, replay, nonces, introspect, proofAlgorithms: algorithms, now } = parts
  const verifiedBy = (token: string, by: VerificationKeys) => defences.verifyJwt(token, by, { now: now() })

  /** Verifies a token, and verifies it a second time with newer keys when its key is not in the known set. */
  async function verified(token: string, request: HttpRequest, context: Context): Promise<Verdict> {
    const { keys: known, fresh } = await keys.current(request, context)
    const verdict = await verifiedBy(token, known)
    if (fresh || !lacksKey(verdict, known)) return verdict
    const newer = await keys.newerThan(known, request, context)
    return newer === known ? verdict : verifiedBy(token, newer)
  }

  /** Checks the certificate of the connection, and then the key of the proof. A token may name both. */
  async function bindingOf(
    request: HttpRequest,
    scheme: 'Bearer' | 'DPoP',
    token: string,
    claims: DecodedJwt['claims'],
  ): Promise<readonly Check[]> {
    const { jkt, certificate } = boundTo(claims.cnf)
    const certified = certificate === undefined ? [] : [certificateCheck(certificate, request)]
    throwFirst(certified)
    return [
      ...certified,
      ...(await keyChecks(request, scheme, token, { bound: jkt, owner: presenterOf(claims) })),
    ]
  }

  async function keyChecks(
    request: HttpRequest,
    scheme: 'Bearer' | 'DPoP',
    token: string,
    { bound, owner }: { readonly bound: string | undefined; readonly owner: string },
  ): Promise<readonly Check[]> {
    if (scheme === 'Bearer') {
      defences.checkBearer(bound)
      return []
    }
    if (bound === undefined) {
      throw invalidToken('this token is bound to no key: send it as Authorization: Bearer', 'RFC 9449 §7.1')
    }
    const proof = presentedDpopProof(headerValues(request, 'dpop'))
    if (proof === undefined)
      throw refused('invalid_dpop_proof', 'the DPoP header is missing', 'RFC 9449 §7.1')
    const { method, url } = request
    const expected = defined({
      method,
      url,
      now: now(),
      replay,
      owner,
      accessToken: token,
      nonces,
      algorithms,
    })
    const { jkt } = await verifyDpopProof(proof, expected)
    const same = jkt === bound
    return [check('cnf', same, 'RFC 9449 §7.1', same ? jkt : 'the proof was made with another key')]
  }

  return async (
    request: HttpRequest,
    context: Context,
    { scheme, token }: PresentedJwt,
    rules: ClaimRules,
  ): Promise<AcceptedToken> => {
    const verdict = await readable(verified(token, request, context))
    const { claims, header } = verdict.token
    const checks = [
      ...verdict.checks.filter(each => each.name === 'signature'),
      ...defences.checkKind(verdict.token),
      ...defences.checkAccessClaims(claims, rules, now()),
    ]
    throwFirst(checks)
    const all = [...checks, ...(await bindingOf(request, scheme, token, claims))]
    throwFirst(all)
    const revocation = introspect === undefined ? NOT_ASKED : await introspect(token, request, context)
    return { claims, checks: [...all, revocation], ...defined({ alg: algOf(header) }), keys: keys.origin() }
  }
}

const algOf = ({ alg }: DecodedJwt['header']): string | undefined =>
  typeof alg === 'string' ? alg : undefined

function throwFirst(checks: readonly Check[]): void {
  const refusal = refusalOf(checks)
  if (refusal !== undefined) throw refusal
}

async function readable(verdict: Promise<Verdict>): Promise<Verdict> {
  try {
    return await verdict
  } catch (error) {
    if (error instanceof TokenFormatError) throw invalidToken(`not a JWT: ${error.message}`, 'RFC 7519 §7.2')
    throw error
  }
}

function isSigned({ checks }: Verdict): boolean {
  return checks.some(each => each.name === 'signature' && each.ok)
}

/** True when newer keys could change the verdict: the algorithm is accepted, and its key is not in the set. */
function lacksKey(verdict: Verdict, keys: VerificationKeys): boolean {
  if (keys.kind !== 'jwks' || isSigned(verdict)) return false
  const { header } = verdict.token
  if (!ASYMMETRIC_ALGORITHMS.some(alg => alg === header.alg)) return false
  return header.kid === undefined || !keys.jwks.keys.some(key => key.kid === header.kid)
}

/** The check of the certificate that a token is bound to (RFC 8705 §3). */
function certificateCheck(bound: string, request: HttpRequest): Check {
  const problem = certificateMismatch(bound, request)
  return check('cnf', problem === undefined, 'RFC 8705 §3', problem ?? bound)
}

/** The thumbprints that a token is bound to: of a key, and of a certificate. */
interface Bound {
  readonly jkt?: string
  readonly certificate?: string
}

/**
 * Returns the key (RFC 9449 §6.1) and the certificate (RFC 8705 §3.1) that a token is bound to.
 * @throws OAuthError for a binding that this server cannot check (RFC 7800 §3.1)
 */
function boundTo(cnf: unknown): Bound {
  if (cnf === undefined) return {}
  const certificate = boundCertificate(cnf)
  const jkt = isJsonObject(cnf) && typeof cnf.jkt === 'string' ? cnf.jkt : undefined
  if (jkt !== undefined || certificate !== undefined) return defined({ jkt, certificate })
  throw invalidToken(
    'this token is bound in a way that cannot be checked here; only cnf.jkt and cnf.x5t#S256 can',
    'RFC 7800 §3.1',
  )
}
