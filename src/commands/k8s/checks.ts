import { UsageError } from '../../protocol/errors.js'
import { foreign } from '../../protocol/safe-output/safe.js'
import { shellWord } from '../../protocol/safe-output/shell.js'
import { decodeIfJwt } from '../../protocol/tokens/decode.js'
import { examineToken, type Finding, USUAL_AUDIENCE } from '../../servers/kubernetes/client/doctor.js'
import { gatherFacts } from '../../servers/kubernetes/client/doctor-facts.js'
import { explainReview } from '../../servers/kubernetes/client/explain-review.js'
import { tokenRequest, tokenReview } from '../../servers/kubernetes/client/requests.js'
import {
  cardJson,
  readServiceAccountToken,
  timeline,
} from '../../servers/kubernetes/client/service-account-token.js'
import {
  type IssuerKeys,
  keysOfCluster,
  keysOfIssuer,
  type Reviewed,
  reviewToken,
  verifyToken,
} from '../../servers/kubernetes/client/verify-token.js'
import type { TokenRequest, TokenReview, Verifier } from '../../servers/kubernetes/shapes.js'
import { type ClusterTarget, publishedAt } from '../../session/targets/cluster.js'
import {
  reviewAdvice,
  reviewLines,
  tokenCardLines,
  verifyAdvice,
  verifyLines,
} from '../../show/render/kubernetes/cluster-lines.js'
import type { Signs } from '../../show/render/text/signs.js'
import { hanging, width } from '../../show/render/text/text.js'
import { decodeGiven } from '../jose/jwt-input.js'
import { narrate, print, terminalColumns } from '../output/output.js'
import { EXIT } from '../program/exit.js'
import type { Globals } from '../program/globals.js'
import { readToken, withCluster } from './cluster.js'
import { type ClusterFlags, printResult, type Run, readRun } from './options.js'

/** Longest text of a token or server, in characters. */
const MAX_DETAIL = 400

/** The longest name, `announced-keys`. */
const NAME_COLUMNS = 14

/** One finding: verdict, name and reason, with the command that helps below. */
function findingLines(
  { result, name, rule, detail, fix }: Finding,
  signs: Signs,
  columns?: number,
): string[] {
  const verdict = {
    pass: `${signs.done} pass `,
    fault: `${signs.refused} FAULT`,
    look: `${signs.look} look `,
    not_applicable: `${signs.next} n/a  `,
  }[result]
  const text = foreign(detail, signs)
  const shown = text.length > MAX_DETAIL ? `${text.slice(0, MAX_DETAIL)}${signs.ellipsis}` : text
  const help =
    fix === undefined
      ? []
      : [`         ${' '.repeat(NAME_COLUMNS)}  ${fix.map(each => shellWord(each)).join(' ')}`]
  const line = `${shown}  (${rule})`
  return [...hanging(`${verdict}  ${name.padEnd(NAME_COLUMNS)}  `, line, { columns }), ...help]
}

/** The names of verifiers in a verdict. */
const VERIFIER_NAMES: Readonly<Record<Verifier, string>> = {
  api: 'The API server',
  vault: 'Vault',
  aws: 'AWS',
  azure: 'Microsoft Entra',
  gcp: 'Google Cloud',
}

/** The last line of a report. @param isIssuer the issuer was examined, with a token that the doctor asked for */
function verdictLine(faults: number, verifier: Verifier, signs: Signs, isIssuer = false): string {
  const what = isIssuer ? 'can trust the issuer of this cluster' : 'will accept this token'
  return faults === 0
    ? `${signs.done} ${VERIFIER_NAMES[verifier]} ${what}`
    : `${signs.refused} ${faults} ${faults === 1 ? 'fault' : 'faults'} for ${verifier}`
}

/** Flags of `k8s review`. */
interface ReviewFlags extends ClusterFlags {
  readonly audience?: readonly string[]
}

/** The review without the token in it, which must not end up in a log. */
function withoutToken(review: TokenReview): TokenReview {
  const { token: _, ...spec } = review.spec ?? {}
  return { ...review, spec }
}

/** `oauth-lab k8s review`: asks a cluster for its verdict on a token. */
export async function reviewGiven(
  argument: string | undefined,
  flags: ReviewFlags,
  globals: Globals,
): Promise<void> {
  const run = readRun(flags, globals)
  const { signs, form } = run
  const { audience: audiences = [] } = flags
  if (audiences.includes('')) throw new UsageError('an --audience is empty')
  if (flags.bearerFile === '-' && (argument === undefined || argument === '-')) {
    throw new UsageError('the token to review and --bearer-file - both want stdin', [
      'Give the token as @FILE',
    ])
  }
  const text = await readToken(argument)
  const jwt = decodeIfJwt(text)
  const token = jwt && readServiceAccountToken(jwt)
  const kubectl = ['create', '-o', 'yaml', '-f', 'tokenreview.yaml']
  await withCluster(flags, globals, { kubectl }, async ({ ask, access }) => {
    const { object } = await ask<TokenReview>(tokenReview(text, audiences))
    const status = object.status ?? {}
    const explained = explainReview(status, { audiences, token })
    const shown = globals.showSecrets ? object : withoutToken(object)
    await printResult(run, shown, () => reviewLines(status, explained, signs, terminalColumns()))
    if (form !== 'json') {
      if (!explained.authenticated)
        narrate(`${access.server} checked the token and refuses it; your own credentials are fine.`)
      for (const line of reviewAdvice(explained, signs)) narrate(line)
    }
    process.exitCode = explained.authenticated ? EXIT.done : EXIT.refused
  })
}

function cardLines(text: string, { signs }: Run, now: number): string[] {
  const jwt = decodeGiven(text)
  const token = readServiceAccountToken(jwt)
  const card = { jwt, account: token && { token, moments: timeline(token) } }
  return tokenCardLines(card, { now, signs, width, columns: terminalColumns() })
}

/**
 * Prints a token as a card: its account, audiences and life, then its claims as those of every token.
 * @param now milliseconds since the epoch
 * @throws UsageError for a text that is no JWT
 */
export async function printCard(text: string, run: Run, now: number): Promise<void> {
  print(...cardLines(text, run, now))
}

/** `oauth-lab k8s inspect`: takes a token apart, offline. */
export async function inspectToken(
  argument: string | undefined,
  flags: Pick<ClusterFlags, 'output'>,
  globals: Globals,
): Promise<void> {
  const run = readRun(flags, globals)
  const text = await readToken(argument)
  if (text.split('.').length === 1) {
    throw new UsageError('this is no JWT but an opaque or static token: it says nothing about itself', [
      'Ask the cluster:   oauth-lab k8s review -',
    ])
  }
  const now = Date.now()
  await printResult(run, cardJson(decodeGiven(text), now), () => cardLines(text, run, now))
}

/** Flags of `k8s verify`. */
interface VerifyFlags extends ClusterFlags {
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

/** Flags of `k8s doctor`. */
interface DoctorFlags extends ClusterFlags {
  readonly for: Verifier
  readonly audience?: readonly string[]
}

/** Asks the cluster for a token of the account `default`, for the audience of a verifier. */
async function ownToken(
  { ask, namespace, access }: ClusterTarget,
  audience: string | undefined,
): Promise<string> {
  const audiences = audience === undefined ? [] : [audience]
  const asked = { audiences, expirationSeconds: undefined, binding: undefined }
  const { object } = await ask<TokenRequest>(tokenRequest(namespace, 'default', asked))
  narrate(
    `No token was given: ${access.server} issued one of ${namespace}/default, and its issuer is examined.`,
  )
  return object.status?.token ?? ''
}

/** `oauth-lab k8s doctor`: checks a token as a verifier does; without one, the issuer of the cluster. */
export async function examine(
  argument: string | undefined,
  flags: DoctorFlags,
  globals: Globals,
): Promise<void> {
  const run = readRun(flags, globals)
  const { signs } = run
  const { for: verifier, audience: [audience] = [] } = flags
  const given = argument === undefined ? undefined : await readToken(argument)
  if (given !== undefined) decodeGiven(given)
  await withCluster(flags, globals, {}, async cluster => {
    const usual = USUAL_AUDIENCE[verifier]
    const text =
      given ?? (await ownToken(cluster, audience ?? (typeof usual === 'string' ? usual : undefined)))
    const ports = { ...cluster, publishedAt: (issuer: string) => publishedAt(issuer, globals) }
    const findings = examineToken(
      await gatherFacts({ text, verifier, audience, minted: given === undefined }, ports),
    )
    const faults = findings.filter(({ result }) => result === 'fault').length
    await printResult(run, { for: verifier, faults, findings }, () => [
      ...findings.flatMap(each => findingLines(each, signs, terminalColumns())),
      '',
      verdictLine(faults, verifier, signs, given === undefined),
    ])
    process.exitCode = faults === 0 ? EXIT.done : EXIT.refused
  })
}
