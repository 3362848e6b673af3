import type { Command } from 'commander'
import { EXIT, TransportError, UsageError } from '../../errors.js'
import { explainReview } from '../../kubernetes/client/explain-review.js'
import { discoveryRequest, jwksRequest } from '../../kubernetes/client/requests.js'
import { readServiceAccountToken } from '../../kubernetes/client/service-account-token.js'
import type { ClusterDiscovery, TokenReviewStatus } from '../../kubernetes/shapes.js'
import { columns } from '../../render/kubernetes/columns.js'
import { reviewAdvice, reviewLines } from '../../render/kubernetes/review-lines.js'
import { foreign } from '../../render/safe.js'
import { type Signs, signsFor } from '../../render/signs.js'
import type { JwkSet } from '../../tokens/keys.js'
import { type Verdict, verifyJwt } from '../../tokens/verify.js'
import { type Globals, readGlobals } from '../globals.js'
import { decodeGiven } from '../jwt-input.js'
import { narrate, print, terminalColumns } from '../output.js'
import { askReview } from './ask-review.js'
import { formOf, type OutputForm, printObject } from './output-form.js'
import { jwkSetOf, publishedAt } from './published.js'
import { type ReachedCluster, withCluster } from './reach.js'
import type { TargetFlags } from './target-options.js'
import { readToken } from './token-input.js'

/** Options of `k8s verify`. */
export interface VerifyFlags extends TargetFlags {
  readonly issuer?: string
  readonly audience?: readonly string[]
  readonly output?: OutputForm
}

/** The issuer as it names itself, with its keys and where they are from. */
interface Keys {
  readonly issuer: string
  readonly jwks: JwkSet
  readonly from: string
}

async function keysOfIssuer(issuer: string, globals: Globals): Promise<Keys> {
  const { discovery, keys } = await publishedAt(issuer, globals)
  const jwks = jwkSetOf(keys.document)
  if (jwks === undefined) {
    const problem = discovery.problem ?? keys.problem ?? `${keys.url} holds no JWK Set`
    throw new TransportError(`the keys of ${issuer} cannot be read: ${problem}`, 'EBADMSG')
  }
  const named = discovery.document?.issuer
  if (named !== issuer) {
    throw new TransportError(
      `${discovery.url} is of the issuer ${JSON.stringify(named)}, not ${issuer}`,
      'EBADMSG',
      ['OpenID Connect Discovery §4.3: both have to be the same string.'],
    )
  }
  return { issuer, jwks, from: keys.url }
}

async function keysOfCluster({ ask, access }: ReachedCluster): Promise<Keys> {
  const { object: discovery } = await ask<ClusterDiscovery>(discoveryRequest)
  const { object } = await ask<Readonly<Record<string, unknown>>>(jwksRequest)
  const jwks = jwkSetOf(object)
  if (jwks === undefined)
    throw new TransportError(`${access.server} answered with something else than a JWK Set`, 'EBADMSG')
  return { issuer: discovery.issuer, jwks, from: `${access.server}${jwksRequest.path}` }
}

/** Whether the options, or a running lab, name the cluster of this issuer. */
async function hasCluster(
  { issuer, kubeconfig, context, cluster }: VerifyFlags,
  { home, server }: Globals,
): Promise<boolean> {
  if (issuer === undefined || kubeconfig !== undefined || context !== undefined || cluster !== undefined)
    return true
  const { readRecords } = await import('../../lab/running.js')
  const records = await readRecords(home)
  return records.some(
    ({ urls }) => urls.cluster === issuer && (server === undefined || urls.authorization === server),
  )
}

/** Both ways to the same question, side by side. */
interface Findings {
  readonly keys: Keys
  readonly oidc: Verdict
  readonly review?: TokenReviewStatus
  /** Why there is no review. */
  readonly reviewProblem?: string
}

function printFindings(
  { keys, oidc, review, reviewProblem }: Findings,
  question: Parameters<typeof explainReview>[1],
  signs: Signs,
): void {
  const safe = (text: string) => foreign(text, signs)
  print(`By the keys of ${safe(keys.issuer)}, from ${safe(keys.from)}`)
  const rows = oidc.checks.map(({ name, ok, rule, detail = '' }) => [
    `${ok ? signs.done : signs.refused} ${safe(name)}`,
    safe(detail),
    safe(rule),
  ])
  const room = terminalColumns()
  print(...columns(rows, '  ', room))
  if (review === undefined) {
    narrate(
      reviewProblem === undefined
        ? 'The cluster was not asked: name it with --cluster or --context to have both answers.'
        : safe(`There is no review beside it: ${reviewProblem}`),
    )
    return
  }
  const explained = explainReview(review, question)
  print(
    '',
    'By the review of the API server',
    ...reviewLines(review, explained, signs, room && room - 2).map(line => `  ${line}`),
  )
  if (oidc.ok === explained.authenticated) return
  narrate(
    oidc.ok
      ? 'They differ: keys cannot tell that an account or a pod is gone. Who checks keys alone accepts this token until exp.'
      : 'They differ: the API server forgives 60 s of clock difference, and compares the audience with its own.',
  )
  for (const line of reviewAdvice(explained, signs)) narrate(line)
}

/** `oauth-lab k8s verify`: a token by the published keys, as other programs verify it, beside the review. */
export async function verifyToken(
  argument: string | undefined,
  flags: VerifyFlags,
  command: Command,
): Promise<void> {
  const globals = readGlobals(command)
  const form = formOf(flags.output, globals)
  const { issuer, audience: audiences = [] } = flags
  if (audiences.length > 1 || audiences.includes('')) throw new UsageError('name one --audience: yours')
  const text = await readToken(argument)
  const jwt = decodeGiven(text)
  const token = readServiceAccountToken(jwt)
  const [audience] = audiences
  const reviewed = audience === undefined ? (token?.audiences ?? []) : [audience]
  const judge = async (keys: Keys, now: number): Promise<Verdict> =>
    verifyJwt(
      text,
      { kind: 'jwks', jwks: keys.jwks },
      { now, issuer: keys.issuer, ...(audience !== undefined && { audience }) },
    )
  const report = async (findings: Findings) => {
    const { keys, oidc, review, reviewProblem } = findings
    const good = oidc.ok && (review === undefined || review.authenticated === true)
    if (form === 'json' || form === 'yaml') {
      await printObject(form, {
        verdict: good ? 'accepted' : 'refused',
        issuer: keys.issuer,
        checks: oidc.checks,
        ...(review && { review }),
        ...(reviewProblem !== undefined && { review_problem: reviewProblem }),
      })
    } else {
      const signs = signsFor(globals)
      printFindings(findings, { audiences: reviewed, ...(token && { token }) }, signs)
      if (audience === undefined) narrate('The audience was not checked: --audience does.')
    }
    process.exitCode = good ? EXIT.done : EXIT.refused
  }
  const named = issuer === undefined ? undefined : await keysOfIssuer(issuer, globals)
  if (named && !(await hasCluster(flags, globals)))
    return report({ keys: named, oidc: await judge(named, Date.now()) })
  await withCluster(flags, globals, {}, async cluster => {
    const keys = named ?? (await keysOfCluster(cluster))
    const asked = await askReview(text, reviewed, cluster)
    await report({ keys, oidc: await judge(keys, cluster.now()), ...asked })
  })
}
