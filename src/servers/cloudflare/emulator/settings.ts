import type { GivenRecord } from '../records/record.js'

/** A number of requests within a time, or no limit. */
export type RequestRate = 'off' | { readonly attempts: number /** Milliseconds. */; readonly window: number }

/** A zone at the start of the emulator. */
export interface ZoneSettings {
  /** 32 hexadecimal digits. */
  readonly id: string
  readonly name: string
  /** The records as a client would send them. An `id` is preserved. */
  readonly records: readonly GivenRecord[]
}

/** An event of the past, by its age in seconds. */
export interface PastEvent {
  readonly ago_s: number
  readonly ray_id: string
  readonly source: string
  readonly action: string
  readonly rule_id: string
  readonly ip: string
  readonly ip_class: string
  /** The number of the autonomous system of the sender. */
  readonly asn: number
  readonly country: string
  readonly colo: string
  readonly host: string
  readonly method: string
  readonly proto: string
  readonly scheme: string
  readonly uri: string
  readonly ua: string
}

/** The settings of the emulator. */
export interface EmulatorSettings {
  readonly key: string
  readonly email: string
  readonly token: string
  /** Further tokens. Each has an owner, and a budget of its own. Left out: none. */
  readonly tokens?: readonly { readonly name: string; readonly token: string }[]
  readonly rate: RequestRate
  readonly zones: readonly ZoneSettings[]
  /** True to add one event that harms programs which print it unescaped. */
  readonly hostile?: boolean
}

/** The functions that the emulator needs from outside. */
export interface EmulatorPorts {
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** Returns `length` unpredictable bytes. */
  readonly random: (length: number) => Uint8Array
  /** Reads the events of the last day, at the first request for events. */
  readonly pastEvents: () => Promise<readonly PastEvent[]>
}

/** The path prefix of the API. */
export const API_PREFIX = '/client/v4'

/** The longest body, in bytes. A zone file of 10,000 records fits. */
export const MAX_BODY_BYTES = 4 * 1024 * 1024
