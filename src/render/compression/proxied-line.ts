import type { LabEvent } from '../../events/event.js'
import { makeSafe, pad } from '../text.js'

interface Leg {
  readonly acceptEncoding?: unknown
  readonly coding?: unknown
  readonly wireBytes?: unknown
}

const offer = ({ acceptEncoding }: Leg): string =>
  typeof acceptEncoding === 'string' ? acceptEncoding || '(empty)' : '(nothing)'
const came = ({ coding, wireBytes }: Leg): string => `${String(coding)} ${String(wireBytes)} B`

/** What went through a proxy, on one line: both legs, and what the proxy did in between. */
export function proxiedLine(event: LabEvent): string {
  const client = (event.client ?? {}) as Leg
  const upstream = event.upstream as Leg | undefined
  const legs =
    upstream === undefined
      ? came(client)
      : `asks ${offer(upstream)}, gets ${came(upstream)}; passes ${came(client)}`
  return makeSafe(
    `${pad(String(event.method), 5)}${String(event.path)}  ${String(event.status)}  offered ${offer(client)}; ${legs}  (${String(event.did)}: ${String(event.why)})`,
  )
}

/** That the mode was switched. */
export function modeLine(event: LabEvent): string {
  return makeSafe(`mode ${String(event.mode)}: ${String(event.meaning)}`)
}
