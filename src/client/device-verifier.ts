import type { Exchange } from '../protocol/http/exchange.js'

/** A step of the user agent on the way to a decision about a device. */
export interface DeviceVisit {
  readonly name: 'device_verification' | 'device_approval'
  /** The exchange of the visit. Absent for the person's own browser, whose exchanges are not recorded. */
  readonly exchange?: Exchange
  readonly url?: string
  readonly note?: string
  /** True when the same visit follows again: the person has to try again, or is led to another page. */
  readonly repeats?: true
}

/** The request that a person has to decide on. */
export interface DeviceTask {
  /** The address of the page. It contains the code when the server sent such an address. */
  readonly url: string
  readonly userCode: string
  readonly clientId: string
  readonly scope?: string
  readonly signal: AbortSignal
}

/** Brings a person to the page that approves devices (RFC 8628 §3.3). */
export interface DeviceVerifier {
  /** Yields each visit. Ends at the decision, or as soon as the person's own browser takes over. */
  verify(task: DeviceTask): AsyncGenerator<DeviceVisit, void, void>
}
