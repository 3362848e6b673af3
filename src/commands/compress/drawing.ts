import type { Globals } from '../globals.js'
import { asciiOnly } from '../output-mode.js'

/** How lines are drawn. */
export function drawing({ ascii }: Globals): { readonly ascii: boolean } {
  return { ascii: ascii || asciiOnly(process.env) }
}
