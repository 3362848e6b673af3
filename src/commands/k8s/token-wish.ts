import { parseDuration } from '../../lab/lab-file/duration.js'
import { UsageError } from '../../protocol/errors.js'
import type { Asked } from '../../servers/kubernetes/client/granted.js'
import { parseBinding } from '../../servers/kubernetes/client/requests.js'
import type { TokenFlags } from './options.js'

/** Reads a lifetime in seconds. The server decides if it is too short or too long. */
function seconds(text: string): number {
  const ms = /^\d{1,12}$/.test(text) ? Number(text) * 1000 : parseDuration(text)
  if (ms !== undefined) return ms / 1000
  throw new UsageError(`--duration ${JSON.stringify(text)} is not a duration`, ['Write it as 10m, 1h, 7d'])
}

function readBinding(text: string): Asked['binding'] {
  const binding = parseBinding(text)
  if (binding) return binding
  throw new UsageError(`--bind ${JSON.stringify(text)} names nothing that a token can be bound to`, [
    'It looks like pod/web-0, secret/demo-key or node/node-1; with a uid pod/web-0/UID',
  ])
}

/**
 * Reads the token that the options ask for.
 * @throws UsageError for a request that no cluster could grant
 */
export function readWish({ audience = [], duration, bind }: TokenFlags): Asked {
  if (audience.includes('')) throw new UsageError('an --audience is empty')
  return {
    audiences: audience,
    expirationSeconds: duration === undefined ? undefined : seconds(duration),
    binding: bind === undefined ? undefined : readBinding(bind),
  }
}
