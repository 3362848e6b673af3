import { type Signs, signsFor } from '../../render/signs.js'
import type { Globals } from '../globals.js'
import { narrate } from '../output.js'
import { asciiOnly } from '../output-mode.js'
import type { ReachedService } from './target.js'

/** The signs for the terminal at hand. */
export const signsOf = ({ ascii }: Globals): Signs => signsFor({ ascii: ascii || asciiOnly(process.env) })

/** Says that a change does not outlive the command, where that is so. */
export function tellEnd({ embedded }: ReachedService): void {
  if (embedded) narrate('That lab ended with this command. One that stays:   oauth-lab serve')
}
