import { makeSafe } from '../../../protocol/safe-output/safe.js'
import type { WrittenVolume } from '../../../servers/kubernetes/client/mounted-token.js'
import { lifetimeText, utcText } from './moments.js'

/**
 * One line about a generation of a projected volume.
 * @param speed factor by which waits are shortened
 * @param now milliseconds since the epoch
 */
export function volumeLine({ folder, expires, renewIn }: WrittenVolume, speed: number, now: number): string {
  const fast = speed === 1 ? '' : ` (${lifetimeText(renewIn)} at speed 1)`
  const renewed = `renewed in ${lifetimeText(renewIn / speed)}${fast}`
  return makeSafe(`${utcText(now)}  ..data -> ${folder}  expires ${utcText(expires)}, ${renewed}`)
}
