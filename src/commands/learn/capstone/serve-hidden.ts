import { labGreeting } from '../../../lab/greeting.js'
import { findRunningLab } from '../../../lab/running.js'
import type { CapstoneProgress } from '../../../lessons/capstones/capstone-progress.js'
import { hiddenModes } from '../../../lessons/capstones/weak-server.js'
import { HIDDEN, shownWeak } from '../../../rules/weak-modes.js'
import { printUntilEnd } from '../../event-output.js'
import type { LabReady } from '../../json-lines.js'
import { narrate, printJson } from '../../output.js'
import type { Context } from '../context.js'
import { ownLab } from '../lab.js'

/** Serves the weak lab of a capstone, and shows its events, until a signal comes. @returns the exit code */
export async function serveHidden(
  { seed }: CapstoneProgress,
  opening: readonly string[],
  { globals }: Context,
): Promise<number> {
  const other = await findRunningLab(globals.home, ({ weak = [] }) => weak.includes(HIDDEN))
  if (other) narrate(`A lab of a capstone runs already: ${other.urls.authorization}`)
  const lab = await ownLab(globals, { weak: hiddenModes(seed) })
  try {
    const { urls, ca } = lab
    const weak = shownWeak(lab.lab.config.weak)
    const ready: LabReady = { type: 'lab.ready', pid: process.pid, ca, urls: lab.lab.urls, weak }
    if (globals.json) printJson({ capstone: 'capstone-server', seed, lab: urls.authorization })
    const greeting = [
      ...opening,
      '',
      ...labGreeting(lab.lab),
      '',
      'Ctrl-C stops it. Answer in another terminal.',
    ]
    return await printUntilEnd({ ready, greeting, events: lab.lab.events }, globals)
  } finally {
    await lab.stop()
  }
}
