import { UserError } from '../../../protocol/errors.js'
import type { Send } from '../../../protocol/http/exchange.js'
import { type DecodedJwt, decodeJwt } from '../../../protocol/tokens/decode.js'
import type { JwkSet } from '../../../protocol/tokens/keys.js'
import { type Verdict, verifyJwt } from '../../../protocol/tokens/verify.js'
import type { TokenReviewStatus, Verifier } from '../shapes.js'
import { type ClusterAccess, isBearer } from './access.js'
import { type AskCluster, askCluster, ClusterRefusal, jwksRequest, selfSubjectReview } from './requests.js'
import { readServiceAccountToken, type ServiceAccountToken } from './service-account-token.js'
import { type Fetched, jwkSetOf, type Published, reviewToken } from './verify-token.js'

/** The ports of the doctor. */
interface DoctorPorts {
  readonly access: ClusterAccess
  readonly ask: AskCluster
  readonly send: Send
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** Fetches the public documents of an issuer. */
  readonly publishedAt: (issuer: string) => Promise<Published>
}

/** True when the API server accepts the token as a credential. */
async function isAccepted(text: string, { access, send }: DoctorPorts): Promise<boolean> {
  if (!isBearer(text)) return false
  const credential = { kind: 'bearer', token: text, from: 'the token' } as const
  try {
    await askCluster({ ...access, credential }, send)(selfSubjectReview)
    return true
  } catch (error) {
    if (!(error instanceof ClusterRefusal)) throw error
    // 403 is about rights, so the server accepted the token.
    return error.code !== 401
  }
}

/** Fetches the keys of the cluster itself, for a signature that the published keys cannot check. */
async function ownKeys({ ask }: DoctorPorts): Promise<JwkSet | undefined> {
  try {
    return jwkSetOf((await ask<Readonly<Record<string, unknown>>>(jwksRequest)).object)
  } catch (error) {
    if (error instanceof UserError) return undefined
    throw error
  }
}

/**
 * Collects the facts about a token from the token itself, its issuer and the API server.
 * @throws TokenFormatError, and the errors of the ports
 */
export async function gatherFacts(
  {
    text,
    verifier,
    audience,
    minted = false,
  }: { readonly text: string } & Pick<DoctorFacts, 'audience' | 'verifier' | 'minted'>,
  ports: DoctorPorts,
): Promise<DoctorFacts> {
  const jwt = decodeJwt(text)
  const token = readServiceAccountToken(jwt)
  const { discovery, keys } = await ports.publishedAt(token?.issuer ?? '')
  const jwks = jwkSetOf(keys.document) ?? (await ownKeys(ports))
  const now = ports.now()
  const verdict = jwks && (await verifyJwt(text, { kind: 'jwks', jwks }, { now }))
  const facts = { verifier, jwt, token, audience, now, discovery, keys, verdict, minted }
  if (verifier !== 'api' && verifier !== 'vault') return facts
  const usual = verifier === 'vault' ? (token?.audiences ?? []) : []
  const reviewed = await reviewToken(text, audience === undefined ? usual : [audience], ports.ask)
  return { ...facts, ...reviewed, bearer: await isAccepted(text, ports) }
}

/** The facts about a token, collected before the checks. No check uses the network. */
export interface DoctorFacts {
  readonly verifier: Verifier
  readonly jwt: DecodedJwt
  /** The service account token. Undefined when the JWT does not belong to a service account. */
  readonly token: ServiceAccountToken | undefined
  /** The configured audience of the verifier. Undefined when it was not given. */
  readonly audience: string | undefined
  /** Milliseconds since the epoch. */
  readonly now: number
  /** The documents at `iss`, fetched without credentials. */
  readonly discovery: Fetched
  readonly keys: Fetched
  /** The result of the verification by the published keys, or by the keys of the cluster when the published keys are unreadable. */
  readonly verdict: Verdict | undefined
  /** The review by the API server for the audience of the verifier. */
  readonly review?: TokenReviewStatus | undefined
  /** The reason why there is no review. */
  readonly reviewProblem?: string | undefined
  /** True when the API server accepts the token as a bearer token. Undefined when no request was made. */
  readonly bearer?: boolean
  /** True where the doctor asked for the token itself, to examine the issuer. */
  readonly minted?: boolean
}
