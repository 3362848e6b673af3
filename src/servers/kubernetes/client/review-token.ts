import type { TokenReview, TokenReviewStatus } from '../shapes.js'
import { type AskCluster, ClusterRefusal } from './answers.js'
import { tokenReview } from './requests.js'

/** The review of a token, or the refusal of the review. Not every caller may request reviews. */
export type Reviewed =
  | { readonly review: TokenReviewStatus; readonly reviewProblem?: undefined }
  | { readonly review?: undefined; readonly reviewProblem: string }

/**
 * Requests the review of a token.
 * @throws the errors of `ask`, except a refusal with 403
 */
export async function reviewToken(
  token: string,
  audiences: readonly string[],
  ask: AskCluster,
): Promise<Reviewed> {
  try {
    return { review: (await ask<TokenReview>(tokenReview(token, audiences))).object.status ?? {} }
  } catch (error) {
    if (!(error instanceof ClusterRefusal) || error.code !== 403) throw error
    return { reviewProblem: error.message }
  }
}
