import type { Capstone } from '../../../learn/capstones/capstone.js'
import type { CapstoneProgress } from '../../../learn/capstones/capstone-progress.js'
import { usualSeed } from '../../../learn/capstones/draw.js'
import { hiddenModes, missingDefences } from '../../../learn/capstones/weak-server.js'
import { changeProgress, withCapstone } from '../../../learn/engine/progress.js'
import { wrap } from '../../../learn/engine/texts.js'
import { UsageError } from '../../../protocol/errors.js'
import { print, printJson, terminalColumns } from '../../output/output.js'
import { EXIT } from '../../program/exit.js'
import type { Context } from '../context.js'
import type { StartFlags } from '../flags.js'

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
    const { serveHidden } = await import('./serve-hidden.js')
    const { seed } = begun
    const about = { capstone: name, seed }
    return serveHidden({ weak: hiddenModes(missingDefences(seed)), about, opening }, context)
  }
  const { writeCapstone } = await import('./write-file.js')
  const { file, kept } = await writeCapstone(name, begun, flags.reset === true)
  await keep({ ...begun, file })
  if (globals.json) printJson({ capstone: name, seed: begun.seed, file, kept })
  else print(...opening, kept ? `The file stays as it is: ${file}` : `Wrote ${file}`)
  return EXIT.done
}
