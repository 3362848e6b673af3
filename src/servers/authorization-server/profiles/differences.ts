import type { Difference } from '../stages/stages.js'
import type { Profile } from './profile.js'

/** Returns how a server with a profile differs from the profile standard, each with its clause. */
export function profileDifferences({ demands }: Profile): readonly Difference[] {
  return Object.values(demands).map(({ point, here, otherwise, why, rule }) => ({
    point,
    here,
    otherwise,
    why: `${why} (${rule})`,
  }))
}
