import { UsageError } from '../../protocol/errors.js'
import type { JwkSet } from '../../protocol/tokens/keys.js'
import { readInputFile } from '../input/input-file.js'

/** Reads a JWK Set, or a single JWK, from a file. @throws UsageError */
export async function readKeySetFile(file: string): Promise<JwkSet> {
  const wrong = (problem: string) =>
    new UsageError(`${file} holds no JWK Set: ${problem} (RFC 7517 §5)`, ['It looks like {"keys":[…]}'])
  let value: unknown
  try {
    value = JSON.parse(await readInputFile('the JWK Set', file))
  } catch (error) {
    throw error instanceof UsageError ? error : wrong('it is not JSON')
  }
  if (typeof value !== 'object' || value === null) throw wrong('it is no JSON object')
  if ('kty' in value) return { keys: [value as JwkSet['keys'][number]] }
  const keys: unknown = 'keys' in value ? value.keys : undefined
  if (!Array.isArray(keys) || !keys.every(each => typeof each === 'object' && each !== null)) {
    throw wrong('it has no array of keys')
  }
  return { keys }
}
