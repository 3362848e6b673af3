import type { Command } from 'commander'
import { EXIT, UsageError } from '../../errors.js'
import { explainReview } from '../../kubernetes/client/explain-review.js'
import { tokenReview } from '../../kubernetes/client/requests.js'
import { readServiceAccountToken } from '../../kubernetes/client/service-account-token.js'
import type { TokenReview } from '../../kubernetes/shapes.js'
import { reviewAdvice, reviewLines } from '../../render/kubernetes/review-lines.js'
import { signsFor } from '../../render/signs.js'
import { readGlobals } from '../globals.js'
import { narrate, print, terminalColumns } from '../output.js'
import { formOf, type OutputForm, printObject } from './output-form.js'
import { withCluster } from './reach.js'
import type { TargetFlags } from './target-options.js'
import { decodedIfJwt, readToken } from './token-input.js'

/** Options of `k8s review`. */
export interface ReviewFlags extends TargetFlags {
  readonly audience?: readonly string[]
  readonly output?: OutputForm
}

/** The review without the tokens in it: nobody wants them in a log. */
function withoutToken(review: TokenReview): TokenReview {
  const { token: _, ...spec } = review.spec ?? {}
  return { ...review, spec }
}

/** `oauth-lab k8s review`: whether a cluster takes a token, and for whom. */
export async function reviewToken(
  argument: string | undefined,
  flags: ReviewFlags,
  command: Command,
): Promise<void> {
  const globals = readGlobals(command)
  const form = formOf(flags.output, globals)
  const { audience: audiences = [] } = flags
  if (audiences.includes('')) throw new UsageError('an --audience is empty')
  if (flags.bearerFile === '-' && (argument === undefined || argument === '-')) {
    throw new UsageError('the token to review and --bearer-file - both want stdin', [
      'Give the token as @FILE',
    ])
  }
  const token = await readToken(argument)
  const jwt = decodedIfJwt(token)
  const read = jwt && readServiceAccountToken(jwt)
  const kubectl = ['create', '-o', 'yaml', '-f', 'tokenreview.yaml']
  await withCluster(flags, globals, { kubectl }, async ({ ask, access }) => {
    const { object } = await ask<TokenReview>(tokenReview(token, audiences))
    const status = object.status ?? {}
    const explained = explainReview(status, { audiences, ...(read && { token: read }) })
    const signs = signsFor(globals)
    if (form === 'json' || form === 'yaml')
      await printObject(form, globals.showSecrets ? object : withoutToken(object))
    else print(...reviewLines(status, explained, signs, terminalColumns()))
    if (form !== 'json') {
      if (!explained.authenticated)
        narrate(`${access.server} looked at the token and refuses it; your own credentials are fine.`)
      for (const line of reviewAdvice(explained, signs)) narrate(line)
    }
    process.exitCode = explained.authenticated ? EXIT.done : EXIT.refused
  })
}
