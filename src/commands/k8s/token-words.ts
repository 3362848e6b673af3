import { UsageError } from '../../errors.js'
import type { Asked } from '../../kubernetes/client/granted.js'
import { parseBinding } from '../../kubernetes/client/requests.js'
import type { BoundObjectReference } from '../../kubernetes/shapes.js'
import { parseDuration } from '../../lab/duration.js'
import type { OutputForm } from './output-form.js'
import type { TargetFlags } from './target-options.js'

/** Options of `k8s token`. */
export interface TokenFlags extends TargetFlags {
  readonly audience?: readonly string[]
  readonly duration?: string
  readonly bind?: string
  readonly output?: OutputForm
}

/**
 * The lifetime in seconds. The server decides what is too short or too long.
 * @throws UsageError
 */
function seconds(text: string | undefined): { expirationSeconds?: number } {
  if (text === undefined) return {}
  const ms = /^\d{1,12}$/.test(text) ? Number(text) * 1000 : parseDuration(text)
  if (ms !== undefined) return { expirationSeconds: ms / 1000 }
  throw new UsageError(`--duration ${JSON.stringify(text)} is not a duration`, ['Write it as 10m, 1h, 7d'])
}

function binding(text: string | undefined): { binding?: BoundObjectReference } {
  if (text === undefined) return {}
  const found = parseBinding(text)
  if (found) return { binding: found }
  throw new UsageError(`--bind ${JSON.stringify(text)} names nothing that a token can be bound to`, [
    'It looks like pod/web-0, secret/demo-key or node/node-1; with a uid pod/web-0/UID',
  ])
}

/**
 * What the options ask for.
 * @throws UsageError for what no cluster could follow
 */
export function askedOf({ audience = [], duration, bind }: TokenFlags): Asked {
  if (audience.includes('')) throw new UsageError('an --audience is empty')
  return { audiences: audience, ...seconds(duration), ...binding(bind) }
}

/** The equal kubectl command. */
export function kubectlWords(namespace: string | undefined, account: string, asked: Asked): string[] {
  const { audiences, expirationSeconds, binding: bound } = asked
  return [
    ...['create', 'token', account],
    ...(namespace === undefined ? [] : ['-n', namespace]),
    ...audiences.flatMap(each => ['--audience', each]),
    ...(expirationSeconds === undefined ? [] : ['--duration', `${expirationSeconds}s`]),
    ...(bound === undefined
      ? []
      : ['--bound-object-kind', bound.kind ?? '', '--bound-object-name', bound.name ?? '']),
    ...(bound?.uid === undefined ? [] : ['--bound-object-uid', bound.uid]),
  ]
}
