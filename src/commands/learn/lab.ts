import { join } from 'node:path'
import { loadLabConfig } from '../../lab/lab-file/config.js'
import { type LabPorts, type LabUrls, LISTENERS, listenerNames } from '../../lab/listening/listeners.js'
import type { Lab } from '../../lab/model.js'
import { openEventFile } from '../../lab/state/event-file.js'
import { findRunningLab, readRecords, recordRunningLab, removeRunningLab } from '../../lab/state/running.js'
import { announceLab } from '../../lab/state/seen-origins.js'
import { placesOf, wrap } from '../../learn/engine/texts.js'
import type { Needs } from '../../learn/model.js'
import { TransportError } from '../../protocol/errors.js'
import { type ShownWeak, shownWeak } from '../../protocol/rules/weak-modes.js'
import { defined } from '../../protocol/values.js'
import type { LabNow } from '../../show/tui/learn/content.js'
import { narrate } from '../output/output.js'
import type { Globals } from '../program/globals.js'
import { misfit, serveLine } from './context.js'

/** The lab of a lesson. */
export interface LessonLab {
  readonly urls: Pick<LabUrls, 'authorization' | 'resource'>
  readonly ca: string
  /** Lines about the lab, for the learner. */
  readonly lines: readonly string[]
  /** Stops a lab that was started for the lesson. */
  stop(): Promise<void>
}

/** A lab that this process started. */
interface OwnLab extends LessonLab {
  readonly lab: Lab
}

/** The stage and the weak modes of a lab that is started. */
interface Wanted extends Pick<Needs, 'stage'> {
  readonly weak?: readonly ShownWeak[]
}

const outside = { stop: async () => {} }

const portsAt = (port: (name: (typeof listenerNames)[number]) => number): LabPorts => ({
  authorization: port('authorization'),
  // A client of the lab file opens the listener for certificates; no lesson needs it.
  ...Object.fromEntries(listenerNames.filter(name => name !== 'mtls').map(name => [name, port(name)])),
})

/** Starts a lab on the usual ports, or on free ones where those are busy. */
async function started(globals: Globals, { stage, weak = [] }: Wanted): Promise<Lab> {
  const { startLab } = await import('../../lab/lab.js')
  const loaded = await loadLabConfig(globals.config)
  await announceLab(loaded, globals.home, narrate)
  const config = { ...loaded, weak, ...defined({ stage }) }
  const start = (ports: LabPorts) => startLab({ config, home: globals.home, ports })
  try {
    return await start(portsAt(name => LISTENERS[name].port))
  } catch (error) {
    if (!(error instanceof TransportError) || error.code !== 'EADDRINUSE') throw error
    return start(portsAt(() => 0))
  }
}

/** Starts a lab that other commands find, with an event file. */
export async function ownLab(globals: Globals, wanted: Wanted): Promise<OwnLab> {
  const { home } = globals
  const lab = await started(globals, wanted)
  const file = await openEventFile(home)
  lab.events.subscribe(file.add)
  const { urls, caFile: ca, config } = lab
  const { stage, profile } = config
  await recordRunningLab(home, {
    pid: process.pid,
    startedAt: Date.now(),
    urls,
    ca,
    config: config.file,
    stage,
    profile,
    ...defined({
      weak: config.weak.length > 0 ? shownWeak(config.weak) : undefined,
      found: config.found || undefined,
    }),
  })
  const atExit = () => {
    removeRunningLab(home)
    file.closeNow()
  }
  process.once('exit', atExit)
  return {
    lab,
    urls,
    ca,
    lines: [`Started the lab ${urls.authorization} for this lesson. It ends with learn.`],
    async stop() {
      process.off('exit', atExit)
      removeRunningLab(home)
      await lab.stop()
      await file.close()
    },
  }
}

/**
 * Finds the lab of a lesson.
 * @param start starts one when none runs that fits; otherwise the lines say what to type
 */
export async function lessonLab(globals: Globals, needs: Needs, start: boolean): Promise<LessonLab> {
  // Another lab that hides its weak modes may hide other ones.
  const own = start && needs.hidden === true
  const found = own ? undefined : await findRunningLab(globals.home, lab => misfit(lab, needs) === undefined)
  if (found) {
    const { urls, ca } = found
    return { urls, ca, lines: [`Uses the running lab ${urls.authorization}.`], ...outside }
  }
  const { server, serverBy } = globals
  if (
    server !== undefined &&
    !(await readRecords(globals.home)).some(({ urls }) => urls.authorization === server)
  ) {
    const line = `${serverBy} names ${server}, a lab of another computer: its events are there, and lessons see only events of labs on this one.`
    return { urls: { authorization: server }, ca: globals.cacert ?? '', lines: wrap(line), ...outside }
  }
  const other = await findRunningLab(globals.home)
  const line = needs.hidden ? 'oauth-lab learn' : serveLine(needs)
  if (start) return ownLab(globals, needs)
  const why = other && misfit(other, needs)
  const special = needs.weak !== undefined || needs.stage !== undefined || needs.serve === true
  const lines = other
    ? [`The running lab ${other.urls.authorization} does not fit: ${why}.`]
    : special
      ? ['No lab is running.']
      : ['No lab is running. Commands of oauth-lab start one for themselves.']
  const advice =
    special || other ? 'Type in another terminal:' : 'For curl or a browser, type in another terminal:'
  return {
    urls: { authorization: placesOf().lab },
    ca: join(globals.home, 'ca.pem'),
    lines: [...lines, `${advice}  ${line}`],
    ...outside,
  }
}

/** The lab of the present lesson. A lab that ended is replaced. */
export interface LabKeeper {
  readonly get: () => LessonLab | undefined
  /** Finds or starts the lab that a lesson needs; keeps the one that fits. */
  need(needs: Needs): Promise<LessonLab>
  /** Starts a lab where the one that was found has ended. @returns a sentence about it; undefined when all is well */
  renew(needs: Needs): Promise<string | undefined>
  close(): Promise<void>
}

/** @param changed gets each lab that is used from now on */
export function createLabKeeper(globals: Globals, changed: (lab: LabNow) => void = () => {}): LabKeeper {
  const { home } = globals
  let lab: LessonLab | undefined
  let wanted = ''
  /** True for a lab of this computer, whose record says when it ends. */
  let recorded = false

  const isRecorded = async (url: string): Promise<boolean> =>
    (await readRecords(home)).some(({ urls }) => urls.authorization === url)

  const described = ({ stage, weak = [] }: Needs): string => JSON.stringify([stage, weak])

  async function take(needs: Needs): Promise<LessonLab> {
    await lab?.stop()
    lab = undefined
    lab = await lessonLab(globals, needs, true)
    wanted = described(needs)
    recorded = await isRecorded(lab.urls.authorization)
    changed({ url: lab.urls.authorization, weak: shownWeak(needs.weak ?? []) })
    return lab
  }

  return {
    get: () => lab,
    async need(needs) {
      return lab !== undefined && wanted === described(needs) ? lab : take(needs)
    },
    async renew(needs) {
      if (lab === undefined || !recorded || (await isRecorded(lab.urls.authorization))) return undefined
      const { authorization } = lab.urls
      const { urls } = await take(needs)
      return `The lab ${authorization} has ended. This lesson uses ${urls.authorization} now.`
    },
    async close() {
      await lab?.stop()
      lab = undefined
    },
  }
}
