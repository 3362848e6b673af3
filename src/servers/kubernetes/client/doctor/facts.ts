import type { DecodedJwt } from '../../../../protocol/tokens/decode.js'
import type { Verdict } from '../../../../protocol/tokens/verify.js'
import type { TokenReviewStatus } from '../../shapes.js'
import type { Fetched } from '../public-documents.js'
import type { ServiceAccountToken } from '../service-account-token.js'
import type { Verifier } from './finding.js'

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
}
