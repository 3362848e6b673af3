import { UsageError } from '../../protocol/errors.js'
import { explainReview } from '../../servers/kubernetes/client/explain-review.js'
import { readServiceAccountToken } from '../../servers/kubernetes/client/service-account-token.js'
import {
  type IssuerKeys,
  keysOfCluster,
  keysOfIssuer,
  type Reviewed,
  reviewToken,
  verifyToken,
} from '../../servers/kubernetes/client/verify-token.js'
import { publishedAt } from '../../session/targets/cluster.js'
import { verifyAdvice, verifyLines } from '../../show/render/kubernetes/verify-lines.js'
import { decodeGiven } from '../jose/jwt-input.js'
import { narrate, terminalColumns } from '../output/output.js'
import { EXIT } from '../program/exit.js'
import type { Globals } from '../program/globals.js'
import { withCluster } from './cluster.js'
import { type ClusterFlags, printResult, readRun } from './options.js'
import { readToken } from './token-input.js'

/** Flags of `k8s verify`. */
export interface VerifyFlags extends ClusterFlags {
  readonly issuer?: string
  readonly audience?: readonly string[]
}

/** True when the options, or a running lab, name the cluster of the issuer. */
async function hasCluster(flags: VerifyFlags, { home, server }: Globals): Promise<boolean> {
  const { issuer, kubeconfig, context, cluster } = flags
  if (issuer === undefined || [kubeconfig, context, cluster].some(each => each !== undefined)) return true
  const { readRecords } = await import('../../lab/state/running.js')
  const records = await readRecords(home)
  return records.some(
    ({ urls }) => urls.cluster === issuer && (server === undefined || urls.authorization === server),
  )
}

/** `oauth-lab k8s verify`: verifies a token by the published keys, as other programs do, beside the review. */
export async function verifyByKeys(
  argument: string | undefined,
  flags: VerifyFlags,
  globals: Globals,
): Promise<void> {
  const run = readRun(flags, globals)
  const { signs } = run
  const { issuer, audience: audiences = [] } = flags
  if (audiences.length > 1 || audiences.includes('')) throw new UsageError('name one --audience: yours')
  const [audience] = audiences
  const text = await readToken(argument)
  const token = readServiceAccountToken(decodeGiven(text))
  const question = { audiences: audience === undefined ? (token?.audiences ?? []) : [audience], token }

  async function report(keys: IssuerKeys, now: number, reviewed?: Reviewed): Promise<void> {
    const oidc = await verifyToken(text, keys, audience, now)
    const review = reviewed?.review
    const explained = review && explainReview(review, question)
    const verified = { keys, oidc, reviewed, explained }
    const good = oidc.ok && explained?.authenticated !== false
    const object = {
      verdict: good ? 'accepted' : 'refused',
      issuer: keys.issuer,
      checks: oidc.checks,
      review,
      review_problem: reviewed?.reviewProblem,
    }
    await printResult(run, object, () => verifyLines(verified, signs, terminalColumns()))
    if (run.form === undefined) {
      for (const line of verifyAdvice(verified, signs)) narrate(line)
      if (audience === undefined) narrate('The audience was not checked: --audience does.')
    }
    process.exitCode = good ? EXIT.done : EXIT.refused
  }

  const named = issuer === undefined ? undefined : keysOfIssuer(issuer, await publishedAt(issuer, globals))
  if (named && !(await hasCluster(flags, globals))) return report(named, Date.now())
  await withCluster(flags, globals, {}, async ({ ask, access, now }) => {
    const keys = named ?? (await keysOfCluster(ask, access))
    await report(keys, now(), await reviewToken(text, question.audiences, ask))
  })
}
