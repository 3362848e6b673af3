import type { DecodedJwt } from '../../../tokens/decode.js'
import type { Verdict } from '../../../tokens/verify.js'
import type { TokenReviewStatus } from '../../shapes.js'
import type { ServiceAccountToken } from '../service-account-token.js'
import type { Verifier } from './finding.js'

/** A public document, or why there is none. */
export interface Fetched {
  readonly url: string
  readonly document?: Readonly<Record<string, unknown>>
  /** Why it could not be read without credentials. */
  readonly problem?: string
}

/** What is known about a token when its findings are made; all that a network can tell is in here. */
export interface DoctorFacts {
  readonly verifier: Verifier
  readonly jwt: DecodedJwt
  /** Absent where the JWT is not of a service account. */
  readonly token?: ServiceAccountToken
  /** The audience the verifier was set up with, where it was told. */
  readonly audience?: string
  /** Milliseconds since the epoch. */
  readonly now: number
  /** What everybody finds at `iss`, without credentials. */
  readonly discovery: Fetched
  readonly keys: Fetched
  /** The signature by those keys, or by the cluster's own where the public cannot read them. */
  readonly verdict?: Verdict
  /** The review of the API server for the audience of the verifier. */
  readonly review?: TokenReviewStatus
  /** Why there is no review. */
  readonly reviewProblem?: string
  /** Whether the API server takes the token as a bearer; undefined where it was not tried. */
  readonly bearer?: boolean
}
