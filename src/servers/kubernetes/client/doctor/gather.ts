import { UserError } from '../../../../protocol/errors.js'
import type { Send } from '../../../../protocol/http/exchange.js'
import { decodeJwt } from '../../../../protocol/tokens/decode.js'
import type { JwkSet } from '../../../../protocol/tokens/keys.js'
import { verifyJwt } from '../../../../protocol/tokens/verify.js'
import { type ClusterAccess, isBearer } from '../access.js'
import { type AskCluster, askCluster, ClusterRefusal } from '../answers.js'
import type { Published } from '../public-documents.js'
import { jwksRequest, selfSubjectReview } from '../requests.js'
import { reviewToken } from '../review-token.js'
import { readServiceAccountToken } from '../service-account-token.js'
import { jwkSetOf } from '../verify-token.js'
import type { DoctorFacts } from './facts.js'
import type { Verifier } from './finding.js'

/** The ports of the doctor. */
export interface DoctorPorts {
  readonly access: ClusterAccess
  readonly ask: AskCluster
  readonly send: Send
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** Fetches the public documents of an issuer. */
  readonly publishedAt: (issuer: string) => Promise<Published>
}

/** The token to examine, and its verifier. */
export interface DoctorQuestion {
  readonly text: string
  readonly verifier: Verifier
  /** The configured audience of the verifier. */
  readonly audience: string | undefined
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
  { text, verifier, audience }: DoctorQuestion,
  ports: DoctorPorts,
): Promise<DoctorFacts> {
  const jwt = decodeJwt(text)
  const token = readServiceAccountToken(jwt)
  const { discovery, keys } = await ports.publishedAt(token?.issuer ?? '')
  const jwks = jwkSetOf(keys.document) ?? (await ownKeys(ports))
  const now = ports.now()
  const verdict = jwks && (await verifyJwt(text, { kind: 'jwks', jwks }, { now }))
  const facts = { verifier, jwt, token, audience, now, discovery, keys, verdict }
  if (verifier === 'aws' || verifier === 'gcp') return facts
  const usual = verifier === 'vault' ? (token?.audiences ?? []) : []
  const reviewed = await reviewToken(text, audience === undefined ? usual : [audience], ports.ask)
  return { ...facts, ...reviewed, bearer: await isAccepted(text, ports) }
}
