import { labGreeting } from '../../../lab/greeting.js'
import { findRunningLab } from '../../../lab/state/running.js'
import { HIDDEN, type ShownWeak, shownWeak } from '../../../protocol/rules/weak-modes.js'
import { printUntilEnd } from '../../output/event-output.js'
import type { LabReady } from '../../output/json-lines.js'
import { narrate, printJson } from '../../output/output.js'
import type { Context } from '../context.js'
import { ownLab } from '../lab.js'

/** A lab that hides its weak modes, and the texts around it. */
export interface HiddenLab {
  readonly weak: readonly ShownWeak[]
  /** Members of the JSON line that presents it. */
  readonly about: Readonly<Record<string, unknown>>
  readonly opening: readonly string[]
}

/** Serves a lab that hides its weak modes, and shows its events, until a signal comes. @returns the exit code */
export async function serveHidden(
  { weak: modes, about, opening }: HiddenLab,
  { globals }: Context,
): Promise<number> {
  const other = await findRunningLab(globals.home, ({ weak = [] }) => weak.includes(HIDDEN))
  if (other) narrate(`A lab that hides its weak modes runs already: ${other.urls.authorization}`)
  const lab = await ownLab(globals, { weak: modes })
  try {
    const { urls, ca } = lab
    const weak = shownWeak(lab.lab.config.weak)
    const ready: LabReady = { type: 'lab.ready', pid: process.pid, ca, urls: lab.lab.urls, weak }
    if (globals.json) printJson({ ...about, lab: urls.authorization })
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
