import { makeSafe } from '../../../protocol/safe-output/safe.js'
import type { Resource } from '../../../servers/kubernetes/client/requests.js'
import type { ApiObject, Pod } from '../../../servers/kubernetes/shapes.js'
import { columns } from './columns.js'
import { lifetimeText } from './moments.js'

const cut = (text: string | undefined) => makeSafe(text ?? '').slice(0, 253)

/**
 * Objects as a table.
 * @param now milliseconds since the epoch
 */
export function objectTable(
  objects: readonly (ApiObject & Pick<Partial<Pod>, 'spec'>)[],
  { kind }: Resource,
  now: number,
): string[] {
  const isPod = kind === 'Pod'
  const rows = objects.map(({ metadata, spec }) => {
    const made = Date.parse(metadata?.creationTimestamp ?? '')
    return [
      cut(metadata?.namespace),
      cut(metadata?.name),
      ...(isPod ? [cut(spec?.serviceAccountName), cut(spec?.nodeName) || '-'] : []),
      cut(metadata?.uid),
      Number.isNaN(made) ? '-' : lifetimeText(Math.max(0, Math.floor((now - made) / 1000))),
    ]
  })
  return columns([['NAMESPACE', 'NAME', ...(isPod ? ['ACCOUNT', 'NODE'] : []), 'UID', 'AGE'], ...rows])
}
