import type { DecodedJwt } from '../../../tokens/decode.js'
import type { Verdict } from '../../../tokens/verify.js'
import type { TokenReviewStatus } from '../../shapes.js'
import type { ServiceAccountToken } from '../service-account-token.js'
import type { Verifier } from './finding.js'

/** A public document, or the reason for its absence. */
export interface Fetched {
  readonly url: string
  readonly document?: Readonly<Record<string, unknown>>
  /** Why it could not be read without credentials. */
  readonly problem?: string
}

/** The facts about a token, among them everything that needs a network. */
export interface DoctorFacts {
  readonly verifier: Verifier
  readonly jwt: DecodedJwt
  /** Absent where the JWT is not of a service account. */
  readonly token?: ServiceAccountToken
  /** The audience that the verifier is configured with, when it is known. */
  readonly audience?: string
  /** Milliseconds since the epoch. */
  readonly now: number
  /** The documents at `iss`, as anyone reads them, without credentials. */
  readonly discovery: Fetched
  readonly keys: Fetched
  /** The signature by those keys, or by the cluster's own where the public cannot read them. */
  readonly verdict?: Verdict
  /** The review of the API server for the audience of the verifier. */
  readonly review?: TokenReviewStatus
  /** Why there is no review. */
  readonly reviewProblem?: string
  /** True when the API server accepts the token as a bearer; undefined when it was not tried. */
  readonly bearer?: boolean
}
