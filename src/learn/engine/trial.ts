import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadLabConfig } from '../../lab/lab-file/config.js'
import type { Lab } from '../../lab/model.js'
import { type EventMark, eventMark, openEventFile } from '../../lab/state/event-file.js'
import { wantEmbeddedEvents } from '../../lab/state/lesson-events.js'
import { recordRunningLab } from '../../lab/state/running.js'
import { defined } from '../../protocol/values.js'
import type { Lesson, Needs, Task, Verdict } from '../model.js'
import { launcherPath } from './learner-env.js'
import { needsOf } from './needs.js'
import { type Progress, readProgress, withLesson, withStart, withTask, writeProgress } from './progress.js'
import { judgeTask, sessionOf } from './session.js'
import { fill, placesOf } from './texts.js'

export interface Attempt {
  readonly lesson: Lesson
  readonly task: Task
  /** Such as `solution with curl`, or the name of a near miss. */
  readonly name: string
  readonly lines: readonly string[]
  /** The expected sentence; undefined where the task must be done. */
  readonly why: string | undefined
}

/** Every solution and every near miss of a lesson. */
export function attemptsOf(lesson: Lesson): Attempt[] {
  return lesson.tasks.flatMap(task => [
    { lesson, task, name: 'solution with oauth-lab', lines: task.solutions.cli, why: undefined },
    ...(task.solutions.curl.length === 0
      ? []
      : [{ lesson, task, name: 'solution with curl', lines: task.solutions.curl, why: undefined }]),
    ...task.nearMisses.map(({ name, lines, why }) => ({ lesson, task, name, lines, why })),
  ])
}

export interface TrialLab {
  /** @returns the problem; undefined for the expected verdict */
  attempt(attempt: Attempt): Promise<string | undefined>
  stop(): Promise<void>
}

const SEED = 7

/** Milliseconds. */
const ATTEMPT_MS = 300_000

/** Runs lines of a shell as a file. @returns what they wrote */
async function runLines(
  file: string,
  lines: readonly string[],
  env: NodeJS.ProcessEnv,
  cwd: string,
): Promise<string> {
  await writeFile(file, `${lines.join('\n')}\n`, { mode: 0o700 })
  const child = spawn('sh', [file], { env, cwd, stdio: ['ignore', 'pipe', 'pipe'], timeout: ATTEMPT_MS })
  let said = ''
  const keep = (part: Buffer) => {
    if (said.length < 10_000) said += part.toString()
  }
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  await once(child, 'close')
  return said
}

function problemOf({ why }: Attempt, verdict: Verdict, said: string): string | undefined {
  if (why === undefined) {
    return verdict.done ? undefined : `the task is not done: ${verdict.why}\n${said.trim().slice(-800)}`
  }
  if (verdict.done) return 'the check lets the near miss pass'
  return verdict.why === why ? undefined : `the check says: ${verdict.why}\n${said.trim().slice(-800)}`
}

/**
 * Starts a lab with a state folder of its own.
 * @param program path of the launcher, which the lines call `oauth-lab`
 * @param place the absolute path of the folder of the lesson, left out for a built-in one; the host of the lab
 */
export async function trialLab(
  lesson: Lesson,
  program: string,
  { lessons, host }: { readonly lessons?: string; readonly host?: string } = {},
): Promise<TrialLab> {
  const folder = await mkdtemp(join(tmpdir(), 'oauth-lab-trial-'))
  const home = join(folder, 'lab')
  const path = await launcherPath(join(folder, 'bin'), [process.execPath, program])
  const { startLab } = await import('../../lab/lab.js')
  const loaded = await loadLabConfig(null)
  const events = await openEventFile(home)
  await wantEmbeddedEvents(home, true)

  async function started({ stage = loaded.stage, weak = [] }: Needs): Promise<Lab> {
    const ports = { authorization: 0, http: 0, resource: 0, cluster: 0 }
    const lab = await startLab(defined({ config: { ...loaded, stage, weak }, home, ports, host }))
    lab.events.subscribe(events.add)
    const { urls, caFile: ca } = lab
    const record = { pid: process.pid, startedAt: Date.now(), urls, ca, config: null, stage }
    await recordRunningLab(home, weak.length === 0 ? record : { ...record, weak })
    return lab
  }

  const { name, title, needs } = lesson
  const { client, user } = needs
  /** Every trial draws the same missing defences. */
  const beginning = (mark: EventMark): Progress =>
    withLesson(
      withStart(
        { version: 1, lessons: {} },
        { lesson: name, mark, client, user },
        { title, at: new Date().toISOString(), seed: needs.hidden && SEED },
      ),
      name,
      started => ({ ...started, prediction: 'a' }),
    )
  const first = beginning(await eventMark(home))
  let lab = await started(needsOf(lesson, undefined, first))

  /** A fresh lab at the stage of a task: keys that were fetched and changed before would count. */
  async function atStageOf(task: Task): Promise<void> {
    if (task.stage === undefined) return
    await lab.stop()
    lab = await started(needsOf(lesson, task, first))
  }

  const environment = ({ urls, caFile: ca }: Lab): NodeJS.ProcessEnv => ({
    PATH: path,
    HOME: folder,
    OAUTH_LAB_HOME: home,
    LAB: urls.authorization,
    RESOURCE: urls.resource,
    CLUSTER: urls.cluster,
    CA: ca,
    TZ: 'UTC',
    ...(lessons !== undefined && { OAUTH_LAB_LESSONS: lessons }),
  })
  let count = 0

  async function attempt(one: Attempt): Promise<string | undefined> {
    const { task, lines } = one
    await atStageOf(task)
    const { urls } = lab
    let start = beginning(await eventMark(home))
    for (const before of lesson.tasks.slice(0, lesson.tasks.indexOf(task))) {
      start = withTask(start, lesson.name, before.name, { doneAt: 'before' })
    }
    await writeProgress(home, start)
    const session = sessionOf([lesson], start)
    const { hidden } = session
    count += 1
    const places = placesOf(urls)
    const filled = lines.map(line => fill(line, { client, user, ...places, ...defined({ hidden }) }))
    const said = await runLines(join(folder, `attempt-${count}.sh`), filled, environment(lab), folder)
    await events.flush()
    const { verdict } = await judgeTask(session, task, await readProgress(home), {
      home,
      places,
    })
    return problemOf(one, verdict, said)
  }

  return {
    attempt,
    async stop() {
      await lab.stop()
      await events.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
