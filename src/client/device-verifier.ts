import type { Exchange } from '../http/exchange.js'

/** Something the user agent did on the way to a decision about a device. */
export interface DeviceVisit {
  readonly name: 'device_verification' | 'device_approval'
  /** Absent where this program cannot see it: the person's own browser made it. */
  readonly exchange?: Exchange
  readonly url?: string
  readonly note?: string
  /** The person has to try again. */
  readonly repeats?: true
}

/** The decision that a person is asked for. */
export interface DeviceErrand {
  /** The address of the decision, with the code in it when the server gave such an address. */
  readonly url: string
  readonly userCode: string
  readonly clientId: string
  readonly scope?: string
  readonly signal: AbortSignal
}

/** Brings a person to the page where devices are let in (RFC 8628 §3.3). */
export interface DeviceVerifier {
  /** Yields each visit; ends when there is a decision, or when it is out of sight. */
  verify(errand: DeviceErrand): AsyncGenerator<DeviceVisit, void, void>
}
