import { isPairwise } from '../../protocol/oauth/client-metadata.js'
import type { Path } from '../lab-file/lab-file-source.js'
import type { LabFile } from './lab-file-schema.js'

/** Checks that no client of the reference is pairwise: its tokens name every person by the username. */
export function checkReferenceSubjects(
  { profile, clients = [] }: LabFile,
  report: (path: Path, problem: string) => void,
): void {
  if (profile !== 'reference') return
  for (const [i, client] of clients.entries()) {
    if (!isPairwise(client)) continue
    report(
      ['clients', i, 'subject_type'],
      'the profile reference has no pairwise subjects; leave one of both out',
    )
  }
}
