import { ruleDocuments } from '../../protocol/rules/documents.js'
import { boardShower } from '../../servers/room/pages/shown-board.js'
import { runWorkshopScreen } from '../../show/tui/workshop/run.js'
import { EXIT } from '../program/exit.js'
import type { Globals } from '../program/globals.js'
import type { Workshop } from './open-workshop.js'

/** The lines that a workshop has for the teacher while it runs. What shows the room sets the way to show them. */
export interface Notes {
  write: (line: string) => void
}

/** Shows the room in the screen of the terminal until the teacher leaves it. */
export async function showRoom({ ready, room }: Workshop, notes: Notes, { ascii }: Globals): Promise<number> {
  const shown = boardShower(await ruleDocuments())
  const told: string[] = []
  await runWorkshopScreen({
    board: () => shown(room.board()),
    lead: room.lead,
    listen({ changed, tell }) {
      notes.write = line => {
        told.push(line)
        tell(line)
      }
      return room.subscribe(changed)
    },
    join: () => [
      'Participants type:',
      '',
      `  ${ready.join}`,
      '',
      `Without a registry:  ${ready.http}`,
      `Your board:          ${ready.board}`,
      ...(ready.lab === undefined ? [] : [`Lab of the room:     ${ready.lab.server}   (--server room)`]),
      '',
      ...told,
    ],
    now: Date.now,
    ascii,
  })
  return Number(process.exitCode ?? EXIT.done)
}
