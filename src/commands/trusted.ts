import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { UsageError } from '../errors.js'
import { readRecords } from '../lab/running.js'
import type { Globals } from './globals.js'
import { readInputFile } from './input-file.js'

/**
 * The certificates in the file of `--cacert`.
 * @throws UsageError
 */
export async function readCa(file: string): Promise<string> {
  const pem = await readInputFile('the CA file', file)
  if (pem.includes('-----BEGIN CERTIFICATE-----')) return pem
  throw new UsageError(`the CA file ${file} holds no PEM certificate`, [
    'The lab’s own one:  oauth-lab ca path',
  ])
}

/**
 * What to trust beside the well-known roots: `--cacert`, and the CA of the lab at that address or of the state folder.
 * @throws UsageError
 */
export async function trustedPem({ cacert, home }: Globals, issuer: string): Promise<string | undefined> {
  const pems: string[] = []
  if (cacert !== undefined) pems.push(await readCa(cacert))
  const running = (await readRecords(home)).find(({ urls }) => urls.authorization === issuer)
  const labCa = await readFile(running?.ca ?? join(home, 'ca.pem'), 'utf8').catch(() => undefined)
  if (labCa !== undefined) pems.push(labCa)
  return pems.length === 0 ? undefined : pems.join('\n')
}
