import { UsageError } from '../../protocol/errors.js'
import { nearestHint } from '../../protocol/nearest.js'
import {
  FAULTS,
  type Fault,
  type FaultEndpoint,
  isFaultOf,
} from '../../servers/authorization-server/endpoints/fault-list.js'

function refuse(problem: string, word: string, allowed: readonly string[]): never {
  throw new UsageError(`--fail: ${problem}`, [
    `Allowed: ${allowed.join(', ')}`,
    ...nearestHint(word, allowed),
  ])
}

function times(text: string): number {
  if (text === 'always') return Number.POSITIVE_INFINITY
  if (text === 'once') return 1
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text)
  return refuse(`${JSON.stringify(text)} is not a number of times`, text, [
    'once',
    'always',
    'a number such as 3',
  ])
}

/**
 * Reads `ENDPOINT:ERROR[:once
 * :N
 * :always]`. @throws UsageError that names the allowed values
 */
export function parseFault(text: string): Fault {
  const [endpoint = '', error = '', often = 'always', ...rest] = text.split(':')
  if (error === '' || rest.length > 0) {
    throw new UsageError(`--fail ${JSON.stringify(text)} is not ENDPOINT:ERROR[:once|:N|:always]`, [
      'It looks like --fail token:invalid_grant:once',
    ])
  }
  const endpoints = Object.keys(FAULTS)
  if (!Object.hasOwn(FAULTS, endpoint)) {
    refuse(`there is no endpoint ${JSON.stringify(endpoint)}`, endpoint, endpoints)
  }
  const known = endpoint as FaultEndpoint
  if (!isFaultOf(known, error)) {
    return refuse(`${endpoint} never answers ${JSON.stringify(error)}`, error, FAULTS[known])
  }
  return { endpoint: known, error, times: times(often) }
}
