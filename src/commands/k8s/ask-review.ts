import { ClusterRefusal } from '../../kubernetes/client/answers.js'
import { tokenReview } from '../../kubernetes/client/requests.js'
import type { TokenReview, TokenReviewStatus } from '../../kubernetes/shapes.js'
import type { ReachedCluster } from './reach.js'

/**
 * The review of a token, or why there is none: not everybody may ask for one.
 * @throws what `ask` throws, but not for 403
 */
export async function askReview(
  token: string,
  audiences: readonly string[],
  { ask }: ReachedCluster,
): Promise<{ readonly review: TokenReviewStatus } | { readonly reviewProblem: string }> {
  try {
    return { review: (await ask<TokenReview>(tokenReview(token, audiences))).object.status ?? {} }
  } catch (error) {
    if (!(error instanceof ClusterRefusal) || error.code !== 403) throw error
    return { reviewProblem: error.message }
  }
}
