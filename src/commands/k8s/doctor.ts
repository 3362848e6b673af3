import type { Command } from 'commander'
import { EXIT, UserError } from '../../errors.js'
import { isBearer } from '../../kubernetes/client/access.js'
import { askCluster, ClusterRefusal } from '../../kubernetes/client/answers.js'
import { examineToken } from '../../kubernetes/client/doctor/examine.js'
import type { DoctorFacts } from '../../kubernetes/client/doctor/facts.js'
import type { Verifier } from '../../kubernetes/client/doctor/finding.js'
import { jwksRequest, selfSubjectReview } from '../../kubernetes/client/requests.js'
import { readServiceAccountToken } from '../../kubernetes/client/service-account-token.js'
import { findingLines } from '../../render/kubernetes/doctor-lines.js'
import { signsFor } from '../../render/signs.js'
import type { JwkSet } from '../../tokens/keys.js'
import { type Globals, readGlobals } from '../globals.js'
import { decodeGiven } from '../jwt-input.js'
import { print, terminalColumns } from '../output.js'
import { askReview } from './ask-review.js'
import { formOf, type OutputForm, printObject } from './output-form.js'
import { jwkSetOf, publishedAt } from './published.js'
import { type ReachedCluster, withCluster } from './reach.js'
import type { TargetFlags } from './target-options.js'
import { readToken } from './token-input.js'

/** Options of `k8s doctor`. */
export interface DoctorFlags extends TargetFlags {
  readonly for: Verifier
  readonly audience?: readonly string[]
  readonly output?: OutputForm
}

/** Whether the API server takes the token itself as credentials. */
async function isAccepted(text: string, cluster: ReachedCluster): Promise<boolean> {
  if (!isBearer(text)) return false
  const access = {
    ...cluster.access,
    credential: { kind: 'bearer', token: text, from: 'the token' } as const,
  }
  try {
    await askCluster(access, cluster.connection.send)(selfSubjectReview)
    return true
  } catch (error) {
    if (!(error instanceof ClusterRefusal)) throw error
    // Whom it knows and lets do nothing is still known.
    return error.code !== 401
  }
}

/** What only the API server can tell. */
async function askedFacts(text: string, audiences: readonly string[], cluster: ReachedCluster) {
  return { ...(await askReview(text, audiences, cluster)), bearer: await isAccepted(text, cluster) }
}

/** The cluster's own keys, for a signature that the public cannot check. */
async function ownKeys({ ask }: ReachedCluster): Promise<JwkSet | undefined> {
  try {
    return jwkSetOf((await ask<Readonly<Record<string, unknown>>>(jwksRequest)).object)
  } catch (error) {
    if (error instanceof UserError) return undefined
    throw error
  }
}

/** Everything there is to know about a token, from itself, its issuer and the API server. */
async function gather(
  text: string,
  flags: DoctorFlags,
  globals: Globals,
  cluster: ReachedCluster,
): Promise<DoctorFacts> {
  const jwt = decodeGiven(text)
  const token = readServiceAccountToken(jwt)
  const { for: verifier, audience: [audience] = [] } = flags
  const cloud = verifier === 'aws' || verifier === 'gcp'
  const { discovery, keys } = await publishedAt(token?.issuer ?? '', globals)
  const jwks = jwkSetOf(keys.document) ?? (await ownKeys(cluster))
  const { verifyJwt } = await import('../../tokens/verify.js')
  const now = cluster.now()
  const wanted = audience !== undefined ? [audience] : verifier === 'vault' ? (token?.audiences ?? []) : []
  return {
    ...{ verifier, jwt, discovery, keys, now },
    ...(token && { token }),
    ...(audience !== undefined && { audience }),
    ...(jwks && { verdict: await verifyJwt(text, { kind: 'jwks', jwks }, { now }) }),
    ...(cloud ? {} : await askedFacts(text, wanted, cluster)),
  }
}

/** `oauth-lab k8s doctor`: why a verifier refuses a token, or would. */
export async function examine(
  argument: string | undefined,
  flags: DoctorFlags,
  command: Command,
): Promise<void> {
  const globals = readGlobals(command)
  const form = formOf(flags.output, globals)
  const text = await readToken(argument)
  decodeGiven(text)
  await withCluster(flags, globals, {}, async cluster => {
    const findings = examineToken(await gather(text, flags, globals, cluster))
    const faults = findings.filter(({ result }) => result === 'fault').length
    if (form === 'json' || form === 'yaml') await printObject(form, { for: flags.for, faults, findings })
    else {
      const signs = signsFor(globals)
      print(...findings.flatMap(each => findingLines(each, signs, terminalColumns())), '')
      print(
        faults === 0
          ? `${signs.done} nothing stands against it for ${flags.for}`
          : `${signs.refused} ${faults} ${faults === 1 ? 'fault' : 'faults'} for ${flags.for}`,
      )
    }
    process.exitCode = faults === 0 ? EXIT.done : EXIT.refused
  })
}
