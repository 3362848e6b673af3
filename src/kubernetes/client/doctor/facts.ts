import type { DecodedJwt } from '../../../tokens/decode.js'
import type { Verdict } from '../../../tokens/verify.js'
import type { TokenReviewStatus } from '../../shapes.js'
import type { Fetched } from '../public-documents.js'
import type { ServiceAccountToken } from '../service-account-token.js'
import type { Verifier } from './finding.js'

/** Everything that is known about a token before it is checked. No check uses the network. */
export interface DoctorFacts {
  readonly verifier: Verifier
  readonly jwt: DecodedJwt
  /** Undefined when the JWT is not of a service account. */
  readonly token: ServiceAccountToken | undefined
  /** The audience that the verifier was set up with; undefined when it was not given. */
  readonly audience: string | undefined
  /** Milliseconds since the epoch. */
  readonly now: number
  /** The documents at `iss`, read without credentials. */
  readonly discovery: Fetched
  readonly keys: Fetched
  /** The verification by those keys, or by the cluster's own keys when the public ones cannot be read. */
  readonly verdict: Verdict | undefined
  /** The review of the API server for the audience of the verifier. */
  readonly review?: TokenReviewStatus | undefined
  /** The reason why there is no review. */
  readonly reviewProblem?: string | undefined
  /** True when the API server accepts the token as a bearer; undefined when it was not tried. */
  readonly bearer?: boolean
}
