import { sectorProblem } from '../oauth/subject-type.js'
import type { ClientEntry } from './lab-file-schema.js'
import type { Path } from './lab-file-source.js'

/** Checks that a pairwise client has one sector. */
export function checkSector(
  client: ClientEntry,
  path: Path,
  report: (path: Path, problem: string) => void,
): void {
  const wrong = sectorProblem(client)
  if (wrong !== undefined) report([...path, wrong.member], wrong.problem)
}
