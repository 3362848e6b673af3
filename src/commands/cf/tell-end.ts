import { narrate } from '../output.js'
import type { ReachedService } from './target.js'

/** Says that a change does not outlive the command, where that is so. */
export function tellEnd({ embedded }: ReachedService): void {
  if (embedded) narrate('That lab ended with this command. One that stays:   oauth-lab serve')
}
