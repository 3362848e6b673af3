import { randomBytes } from 'node:crypto'
import type { NetworkSettings } from './network-options.js'

/** A server that a run talks to, with the trust, the clock and the randomness that belong to it. */
export interface Target {
  /** Base URL of the server; for an authorization server its issuer, as it was typed. */
  readonly address: string
  /** Certificates to trust beside the well-known roots, PEM. */
  readonly caPem?: string | undefined
  /** Headers, addresses and checks of connections that options change. */
  readonly reach?: NetworkSettings
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** Returns `length` unpredictable bytes. */
  readonly random: (length: number) => Uint8Array
  /** Stops a lab that was started for this run. Does nothing for every other server. */
  stop(): Promise<void>
}

/** The members of a target that this process did not start. */
export const outside = {
  now: Date.now,
  random: (length: number): Uint8Array => randomBytes(length),
  stop: async () => {},
} as const

/** Works with a target, and stops the target also when the work fails. */
export async function withTarget<Found extends Target, Result>(
  find: Promise<Found>,
  work: (target: Found) => Promise<Result>,
): Promise<Result> {
  const target = await find
  try {
    return await work(target)
  } finally {
    await target.stop()
  }
}

/** Builds something from a target, or from anything else that can be stopped, and stops that when the build fails. */
export async function targetFrom<From extends Pick<Target, 'stop'>, Built>(
  find: From | Promise<From>,
  build: (target: From) => Built | Promise<Built>,
): Promise<Built> {
  const target = await find
  try {
    return await build(target)
  } catch (error) {
    await target.stop()
    throw error
  }
}
