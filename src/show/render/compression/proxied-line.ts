import type { LabEvent } from '../../../protocol/events.js'
import { makeSafe } from '../../../protocol/safe-output/safe.js'
import { pad } from '../text/text.js'

interface Leg {
  readonly acceptEncoding?: unknown
  readonly coding?: unknown
  readonly wireBytes?: unknown
}

const offer = ({ acceptEncoding }: Leg): string =>
  typeof acceptEncoding === 'string' ? acceptEncoding || '(empty)' : '(nothing)'
const received = ({ coding, wireBytes }: Leg): string => `${String(coding)} ${String(wireBytes)} B`

/** One exchange through the proxy on one line: both legs, and the proxy's treatment. */
export function proxiedLine(event: LabEvent): string {
  const client = (event.client ?? {}) as Leg
  const upstream = event.upstream as Leg | undefined
  const legs =
    upstream === undefined
      ? received(client)
      : `asks ${offer(upstream)}, gets ${received(upstream)}; passes ${received(client)}`
  return makeSafe(
    `${pad(String(event.method), 5)}${String(event.path)}  ${String(event.status)}  offered ${offer(client)}; ${legs}  (${String(event.did)}: ${String(event.why)})`,
  )
}

/** A switch of the mode. */
export function modeLine(event: LabEvent): string {
  return makeSafe(`mode ${String(event.mode)}: ${String(event.meaning)}`)
}
