import { stat, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { labGreeting } from '../../../lab/greeting.js'
import { findRunningLab } from '../../../lab/state/running.js'
import type { Capstone, CapstoneName } from '../../../learn/capstones/capstone.js'
import type { CapstoneProgress } from '../../../learn/capstones/capstone-progress.js'
import { usualSeed } from '../../../learn/capstones/draw.js'
import { hiddenModes, missingDefences } from '../../../learn/capstones/weak-server.js'
import { changeProgress, withCapstone } from '../../../learn/engine/progress.js'
import { wrap } from '../../../learn/engine/texts.js'
import { fileProblem, NO_FOLDER, UsageError } from '../../../protocol/errors.js'
import { HIDDEN, type ShownWeak, shownWeak } from '../../../protocol/rules/weak-modes.js'
import { printUntilEnd } from '../../output/event-output.js'
import type { LabReady } from '../../output/json-lines.js'
import { narrate, print, printJson, terminalColumns } from '../../output/output.js'
import { EXIT } from '../../program/exit.js'
import type { Context, StartFlags } from '../context.js'
import { ownLab } from '../lab.js'

/** The progress with which a capstone begins or goes on. @throws UsageError for another seed than it was begun with */
function progressOf(
  { name }: Capstone,
  { seed, reset }: StartFlags,
  { learner, progress }: Context,
): CapstoneProgress {
  const old = reset ? undefined : progress.capstones?.[name]
  if (old === undefined) {
    const startedAt = new Date().toISOString()
    return { seed: seed ?? usualSeed(learner), startedAt, found: [], falseAlarms: [], failedChecks: 0 }
  }
  if (seed === undefined || seed === old.seed) return old
  throw new UsageError(`${name} was begun with seed ${old.seed}`, [
    `Begin again with ${seed}:  oauth-lab learn start ${name} --reset --seed ${seed}`,
  ])
}

/** The lines that present a capstone. */
function openingLines(
  { title, minutes, say, after }: Capstone,
  { seed }: CapstoneProgress,
  context: Context,
) {
  const { lessons } = context.progress
  const missing = after.filter(name => lessons[name]?.doneAt === undefined)
  const width = Math.max(20, Math.min((terminalColumns() ?? 77) - 1, 76))
  return [
    ...(missing.length === 0 ? [] : [...wrap(`This capstone builds on ${missing.join(', ')}.`, width), '']),
    `${title} (${minutes} minutes)`,
    '',
    ...say.flatMap(text => wrap(text, width)),
    '',
    `Drawn by seed ${seed}.`,
  ]
}

/** Begins a capstone or goes on with it. @returns the exit code */
export async function startCapstone(
  capstone: Capstone,
  flags: StartFlags,
  context: Context,
): Promise<number> {
  const { globals, learner } = context
  const { name } = capstone
  if (flags.client !== undefined || flags.user !== undefined) {
    throw new UsageError(`${name} takes neither --client nor --user: it counts everybody`)
  }
  const begun = progressOf(capstone, flags, context)
  const keep = async (kept: CapstoneProgress) => {
    await changeProgress(globals.home, learner, now => withCapstone(now, name, kept))
  }
  const opening = openingLines(capstone, begun, context)
  if (name === 'capstone-server') {
    await keep(begun)
    const { seed } = begun
    const about = { capstone: name, seed }
    return serveHidden({ weak: hiddenModes(missingDefences(seed)), about, opening }, context)
  }
  const { file, kept } = await writeCapstone(name, begun, flags.reset === true)
  await keep({ ...begun, file })
  if (globals.json) printJson({ capstone: name, seed: begun.seed, file, kept })
  else print(...opening, kept ? `The file stays as it is: ${file}` : `Wrote ${file}`)
  return EXIT.done
}

/** The capstones that begin with a file. */
type WithFile = Exclude<CapstoneName, 'capstone-server'>

const FILES: Readonly<Record<WithFile, string>> = {
  'capstone-log': 'capstone-log.jsonl',
  'capstone-client': 'capstone-client.mjs',
}

async function textOf(name: WithFile, seed: number): Promise<string> {
  if (name === 'capstone-client') {
    const [{ clientText }, { drawFaults }] = await Promise.all([
      import('../../../learn/skeletons.js'),
      import('../../../learn/capstones/client/faults.js'),
    ])
    return clientText(drawFaults(seed))
  }
  const { theftLog } = await import('../../../learn/capstones/log/theft-log.js')
  const { lines } = await theftLog(seed)
  return `${lines.join('\n')}\n`
}

const isFile = async (path: string): Promise<boolean> => {
  const found = await stat(path).catch(() => undefined)
  return found?.isFile() === true
}

/**
 * Writes the file of a capstone into the current folder. A file that the capstone began with stays.
 * @param reset true to write it again
 * @throws UsageError for a file of that name that something else wrote, and for a folder that cannot be written
 */
async function writeCapstone(
  name: WithFile,
  { seed, file: begun }: CapstoneProgress,
  reset: boolean,
): Promise<{ readonly file: string; readonly kept: boolean }> {
  if (begun !== undefined && !reset && (await isFile(begun))) return { file: begun, kept: true }
  const file = resolve(FILES[name])
  const text = await textOf(name, seed)
  try {
    await writeFile(file, text, { flag: reset ? 'w' : 'wx', mode: 0o600 })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'EEXIST')
      throw new UsageError(`cannot write ${file}: ${fileProblem(error, NO_FOLDER)}`, [
        'Change to another folder',
      ])
    throw new UsageError(`${file} exists already`, [
      `Write over it:  oauth-lab learn start ${name} --reset`,
      'Or change to another folder',
    ])
  }
  return { file, kept: false }
}

/** A lab that hides its weak modes, and the texts around it. */
interface HiddenLab {
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
