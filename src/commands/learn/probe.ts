import { loadLabConfig } from '../../lab/lab-file/config.js'
import { changeProgress, withTask } from '../../learn/engine/progress.js'
import { sessionOf } from '../../learn/engine/session.js'
import type { ProbeName } from '../../learn/model.js'
import { runProbe } from '../../learn/probe/run-probe.js'
import { UsageError } from '../../protocol/errors.js'
import { narrate } from '../output/output.js'
import type { Context } from './context.js'

/**
 * Runs the learner's own client against a server that answers rightly and wrongly, and keeps the report.
 * @param say gets a line before each run
 * @throws UsageError where the task has no probe
 */
export async function probeClient(
  context: Context,
  command: readonly string[],
  say: (line: string) => void = narrate,
): Promise<Context> {
  const { lesson, task } = sessionOf(context.lessons, context.progress)
  if (task === undefined) return context
  if (task.probe === undefined) {
    throw new UsageError(`the task ${task.name} of ${lesson.name} runs no client`, [
      'Judge it by the events:  oauth-lab learn check',
    ])
  }
  return probeFor(context, { probe: task.probe, task: task.name, command, say })
}

/** A probe, and the task whose progress keeps its report. */
interface Wanted {
  readonly probe: ProbeName
  readonly task: string
  readonly command: readonly string[]
  readonly say?: (line: string) => void
}

/** Runs the learner's own client in a probe, and keeps the report. @throws UsageError for unknown names */
export async function probeFor(
  context: Context,
  { probe: name, task, command, say = narrate }: Wanted,
): Promise<Context> {
  const { globals, learner, lessons } = context
  const { lesson, current } = sessionOf(lessons, context.progress)
  const config = await loadLabConfig(globals.config)
  const client = config.clients.find(each => each.client_id === current.client)
  const user = config.users.find(each => each.username === current.user)
  if (client === undefined || user?.password === undefined) {
    throw new UsageError(
      `the lab file has no client ${current.client}, or no user ${current.user} with a password`,
    )
  }
  const { username, password } = user
  const probe = await runProbe(name, {
    command,
    folder: process.cwd(),
    home: globals.home,
    config,
    client,
    user: { username, password },
    begin: (run, of) => {
      if (!globals.json) say(`Runs your client: ${run} of ${of}`)
    },
  })
  const progress = await changeProgress(globals.home, learner, now =>
    withTask(now, lesson.name, task, { probe }),
  )
  return { ...context, progress }
}
