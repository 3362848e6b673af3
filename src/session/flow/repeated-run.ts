import type { ClientExtras } from '../../flows/middleware/client-middleware.js'
import type { FlowOptions } from '../../flows/options.js'
import { clockOf, clockSetting, type Repeat } from '../../lab/clock.js'
import { seededRandom } from '../../lab/seeded-random.js'
import { defined } from '../../protocol/values.js'
import type { ServerTarget } from '../targets/server.js'

/** The options of a run whose transcript is to repeat; undefined without any. */
export function repeatOf({ seed, now }: Repeat): Repeat | undefined {
  return seed === undefined && now === undefined ? undefined : defined({ seed, now })
}

/**
 * The target with the seed and the clock of the run. A lab of this process has them already. At another server they reach
 * only the values that the client itself makes.
 */
export function repeating(target: ServerTarget, repeat: Repeat): ServerTarget {
  const { seed, now } = repeat
  if (target.lab?.embedded) return target
  return {
    ...target,
    ...(seed !== undefined && { random: seededRandom(seed) }),
    ...(now !== undefined && { now: clockOf(clockSetting(repeat)) }),
  }
}

/** Algorithms whose signatures have a random part (FIPS 186-5 §6.4, RFC 8017 §8.1). */
const RANDOM_SIGNATURE = /^(ES|PS)\d{3}/

/** Wrong moves that sign with a key of their own, which is made for each run. */
const OWN_KEY = new Set([
  ...['foreign-key', 'embedded-key', 'foreign-subject-token', 'foreign-request-object'],
])

/** The parts of a run that differ in spite of its seed. */
function differences(
  { assertion, requestObject }: FlowOptions,
  { key }: ClientExtras,
  move: string | undefined,
): string[] {
  const parts: string[] = []
  const random = (alg: string | undefined): alg is string => alg !== undefined && RANDOM_SIGNATURE.test(alg)
  if (random(key?.alg)) parts.push(`the client assertion (${key?.alg})`)
  const object = requestObject?.kind === 'unsigned' ? undefined : requestObject?.key?.alg
  if (random(object)) parts.push(`the request object (${object})`)
  if (random(assertion?.alg)) {
    parts.push(`the ${assertion?.format === 'saml' ? 'SAML' : 'JWT'} assertion (${assertion?.alg})`)
  }
  if (move !== undefined && OWN_KEY.has(move)) parts.push(`the token that ${move} signs with a new key`)
  return parts
}

/** A run with a seed or a clock of its own. */
export interface RepeatedRun {
  readonly options: FlowOptions
  readonly extras: ClientExtras
  /** The name of a wrong move. */
  readonly move: string | undefined
}

/** The notes for a person about a run with a seed or a clock of its own. */
export function repeatNotes(
  { seed, now }: Repeat,
  { lab }: Pick<ServerTarget, 'lab'>,
  { options, extras, move }: RepeatedRun,
): string[] {
  if (lab?.embedded === undefined) {
    return ['note: this server is not the lab of this command: only the values that the client makes repeat']
  }
  if (seed === undefined) return []
  const differing = differences(options, extras, move)
  if (now === undefined) differing.unshift('times, and what is signed with them (--now TIME stops the clock)')
  const differs = `note: these parts differ in every run: ${differing.join('; ')}`
  return [
    'warning: --seed makes every value predictable; it is for transcripts only',
    ...(differing.length > 0 ? [differs] : []),
  ]
}
