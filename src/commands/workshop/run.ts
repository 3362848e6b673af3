import { once } from 'node:events'
import { makeSafe } from '../../protocol/safe-output/safe.js'
import { defined } from '../../protocol/values.js'
import type { RoomChange } from '../../servers/room/room.js'
import { typedLines } from '../../session/input/input.js'
import { factLine, reportMarkdown } from '../../show/render/room/report.js'
import { batchLines } from '../output/event-output.js'
import { narrate, print, printJson, printJsonText } from '../output/output.js'
import { terminalMode } from '../output/output-mode.js'
import { EXIT, watchSignals } from '../program/exit.js'
import type { Globals } from '../program/globals.js'
import { chooseAddress } from './addresses.js'
import { withRoom } from './keep-room.js'
import { LEAD_WORDS, readLeadLine } from './lead-lines.js'
import { openWorkshop, type Workshop, type WorkshopFlags } from './open-workshop.js'

/** The line that people type, in a frame with room around it: it is read from the back row. */
function framed(line: string): readonly string[] {
  const bar = '═'.repeat(line.length + 6)
  const gap = `║${' '.repeat(line.length + 6)}║`
  return [`╔${bar}╗`, gap, `║   ${line}   ║`, gap, `╚${bar}╝`]
}

function greeting({ ready, room }: Workshop): readonly string[] {
  const { room: name, people } = room.board()
  return [
    `${makeSafe(name)} is open${people.length === 0 ? '' : `, with ${people.length} people of before`}. Participants type:`,
    '',
    ...framed(ready.join),
    '',
    `without a registry   ${ready.http}`,
    `your board           ${ready.board}`,
    ...(ready.lab === undefined ? [] : [`lab of the room      ${ready.lab.server}   (--server room)`]),
    '',
    'Ctrl-C stops it.',
    '',
  ]
}

/** A change of the room as a line for the teacher; undefined for those that need none. */
function changeLine(change: RoomChange): string | undefined {
  if (change.kind === 'fact') return factLine(change.fact)
  if (change.kind !== 'person') return undefined
  return `${new Date().toISOString().slice(11, 19)}  ${change.who}  ${makeSafe(change.name)} ${change.did}`
}

/** Reads what the teacher types, until the signal. */
async function leadByLines({ room }: Workshop, signal: AbortSignal): Promise<void> {
  const lines = typedLines(signal)
  for (let line = await lines.next(); line !== undefined; line = await lines.next()) {
    const read = readLeadLine(line, room.board())
    if (read.kind === 'report') print(...reportMarkdown(room.board()))
    else if (read.kind === 'problem') narrate(read.problem)
    else {
      room.lead(read.action)
      narrate(read.action.do === 'end' ? 'The room has ended. Ctrl-C stops this program.' : 'Done.')
    }
  }
}

/** Prints the room as lines until a signal comes, or as JSON. */
async function showLines(workshop: Workshop, { json }: Globals): Promise<number> {
  const { signal, exitCode } = watchSignals()
  const lines = batchLines(json ? printJsonText : print, (line: string) => line)
  process.once('exit', lines.end)
  workshop.room.subscribe(change => {
    if (json) {
      if (change.kind === 'fact') lines.add(JSON.stringify(change.fact))
      return
    }
    const line = changeLine(change)
    if (line !== undefined) lines.add(line)
  })
  if (json) {
    printJson(workshop.ready)
    workshop.lab?.feed.subscribe((event, who) => lines.add(JSON.stringify(defined({ ...event, who }))))
  } else print(...greeting(workshop))
  const isTyped = !json && process.stdin.isTTY === true
  if (isTyped) narrate(`You may type: ${LEAD_WORDS}`)
  await (isTyped ? Promise.all([leadByLines(workshop, signal), ended(signal)]) : ended(signal))
  return exitCode() ?? EXIT.done
}

async function ended(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort')
}

/** `oauth-lab workshop`: opens the room, and shows it until a signal comes. */
export async function runWorkshop(flags: WorkshopFlags, globals: Globals): Promise<number> {
  const { home, json } = globals
  const mayAsk = !json && process.stdin.isTTY === true && process.stderr.isTTY === true
  const address = await chooseAddress(flags.address, mayAsk)
  return withRoom(home, async () => {
    const notes = { write: narrate }
    const workshop = await openWorkshop(flags, address, home, line => notes.write(line))
    try {
      if (terminalMode({ json, plain: flags.plain === true }) !== 'tui')
        return await showLines(workshop, globals)
      return await (await import('./screen.js')).showRoom(workshop, notes, globals)
    } finally {
      await workshop.stop()
    }
  })
}
