import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readRecords } from '../../lab/state/running.js'
import { UsageError } from '../../protocol/errors.js'
import { readInputFile } from '../input/input.js'
import type { NetworkSettings } from '../options/network.js'

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

/** The options that decide which certificates a run trusts. */
export interface TrustOptions {
  /** The file of `--cacert`, absolute. */
  readonly cacert?: string
  /** The state folder. */
  readonly home: string
}

/**
 * Reads the certificates in the file of `--cacert`.
 * @throws UsageError for a file without a PEM certificate
 */
export async function readCa(file: string): Promise<string> {
  const pem = await readInputFile('the CA file', file)
  if (pem.includes('-----BEGIN CERTIFICATE-----')) return pem
  throw new UsageError(`the CA file ${file} holds no PEM certificate`, [
    'The lab’s own one:  oauth-lab ca path',
  ])
}

/**
 * The certificates to trust beside the well-known roots: those of `--cacert`, then those of the lab.
 * @throws UsageError for a `--cacert` that cannot be used
 */
export async function trustedWith(
  { cacert }: Pick<TrustOptions, 'cacert'>,
  labCaPem: string | undefined,
): Promise<string | undefined> {
  if (cacert === undefined) return labCaPem
  const own = await readCa(cacert)
  return labCaPem === undefined ? own : `${own}\n${labCaPem}`
}

/**
 * The certificates to trust at an address beside the well-known roots: `--cacert`, and the CA of the lab that runs
 * there or else of the state folder.
 * @throws UsageError for a `--cacert` that cannot be used
 */
export async function trustedPem(options: TrustOptions, address: string): Promise<string | undefined> {
  const { home } = options
  const running = (await readRecords(home)).find(({ urls }) => urls.authorization === address)
  const labCa = await readFile(running?.ca ?? join(home, 'ca.pem'), 'utf8').catch(() => undefined)
  return trustedWith(options, labCa)
}
