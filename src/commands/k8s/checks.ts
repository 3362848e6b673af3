import { UsageError } from '../../protocol/errors.js'
import { explainReview } from '../../servers/kubernetes/client/explain-review.js'
import { tokenReview } from '../../servers/kubernetes/client/requests.js'
import { readServiceAccountToken } from '../../servers/kubernetes/client/service-account-token.js'
import type { TokenReview } from '../../servers/kubernetes/shapes.js'
import { reviewAdvice, reviewLines } from '../../show/render/kubernetes/review-lines.js'
import { narrate, terminalColumns } from '../output/output.js'
import { EXIT } from '../program/exit.js'
import type { Globals } from '../program/globals.js'
import { withCluster } from './cluster.js'
import { type ClusterFlags, printResult, readRun } from './options.js'
import { decodedIfJwt, readToken } from './token-input.js'

/** Flags of `k8s review`. */
export interface ReviewFlags extends ClusterFlags {
  readonly audience?: readonly string[]
}

/** The review without the token in it, which must not end up in a log. */
function withoutToken(review: TokenReview): TokenReview {
  const { token: _, ...spec } = review.spec ?? {}
  return { ...review, spec }
}

/** `oauth-lab k8s review`: asks a cluster for its verdict on a token. */
export async function reviewToken(
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
  const jwt = decodedIfJwt(text)
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
