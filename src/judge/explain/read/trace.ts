import { jsonLine } from '../../../protocol/safe-output/json-line.js'
import { jsonLines } from './json-lines.js'

/** A line of the network part of a Playwright trace, which holds an entry of an archive. */
const SNAPSHOT = 'resource-snapshot'

/** True for the beginning of the network part of a trace of Playwright. */
export const isTrace = (beginning: string): boolean =>
  new RegExp(`^\\s*\\{"type":"${SNAPSHOT}"`).test(beginning)

/** The network part of a Playwright trace as an archive (HAR 1.2). */
export async function* harOfTrace(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, void> {
  yield Buffer.from('{"log":{"version":"1.2","creator":{"name":"Playwright trace"},"entries":[')
  let separator = ''
  for await (const { value } of jsonLines(source)) {
    if (value?.type !== SNAPSHOT || value.snapshot === undefined) continue
    yield Buffer.from(separator + jsonLine(value.snapshot as object))
    separator = ',\n'
  }
  yield Buffer.from(']}}')
}
