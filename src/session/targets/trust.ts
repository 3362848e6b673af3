import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readRecords } from '../../lab/state/running.js'
import { UsageError } from '../../protocol/errors.js'
import { readInputFile } from '../input/input-file.js'

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
