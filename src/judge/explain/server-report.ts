import type { FormPairs } from '../../protocol/http/form.js'
import type { Finding } from '../../protocol/rules/finding.js'
import type { MessageKind } from './message-kind.js'

/** The facts that a server reported about an exchange: the events of a lab. */
export interface ServerReport {
  /** Absent for an exchange that no event of OAuth was about. */
  readonly kind?: MessageKind
  readonly clientId?: string
  readonly username?: string
  readonly issuer?: string
  readonly grantType?: string
  /** Parameters of the authorization response that the server sent, as far as the events name them. */
  readonly answer?: FormPairs
  /** The redirect_uri of the request. */
  readonly redirectUri?: string
  /** Lifetime of an issued code, in milliseconds. */
  readonly codeLifetime?: number
  /** Values by which exchanges belong together, each with its kind: `code k3V9…Qm1`. */
  readonly ties: readonly string[]
  /** The entry of the exchange that caused this one. */
  readonly cause?: number
  /** The number of the lab in the recording: nothing ties exchanges of two labs. */
  readonly lab: number
  readonly findings: readonly Finding[]
}
