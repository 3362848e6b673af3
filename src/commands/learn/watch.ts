import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { type EventMark, eventMark } from '../../lab/state/event-file.js'
import { nextLesson } from '../../learn/engine/find-lesson.js'
import { closingLines, openingLines, taskLines } from '../../learn/engine/lesson-lines.js'
import { needsOf } from '../../learn/engine/needs.js'
import { reportToRoom } from '../../learn/engine/report-to-room.js'
import { createRoomGate, type TaskEnd } from '../../learn/engine/room-gate.js'
import { sessionOf } from '../../learn/engine/session.js'
import type { Lesson, ProbeName } from '../../learn/model.js'
import { UserError } from '../../protocol/errors.js'
import type { RoomMessage } from '../../protocol/room/messages.js'
import { followRoom } from '../../session/room/follow.js'
import { ownWords } from '../../show/tui/home/child.js'
import { print } from '../output/output.js'
import { terminalMode } from '../output/output-mode.js'
import { EXIT, watchSignals } from '../program/exit.js'
import { checkClient, judgeNow, keepAnswer, probeClient, probeFor, verdictLines } from './check.js'
import { type Context, namesFor, withProgressNow } from './context.js'
import { explainNow, givenHint, nextHint, solutionNow } from './help.js'
import { createLabKeeper } from './lab.js'
import { createLearnerShell } from './learner-shell.js'
import { actionOf } from './line-action.js'
import { asksAgain, keepPrediction, lettersOf, predictionIn } from './prediction.js'

/** The room of a teacher beside a lesson in lines. */
interface RoomLines {
  /** The reason for which the learner waits; undefined: the next task may be done. */
  readonly reason: (end: TaskEnd) => string | undefined
  /** Reports to the teacher what the learner did. @param at the end of the task at which the learner waits; null: the next one is shown */
  readonly report: (at: string | null) => Promise<void>
  readonly close: () => Promise<void>
}

/** Prints what the teacher of the room says, until it is closed. Undefined outside of a room. */
function roomLines(first: Context, context: () => Promise<Context>): RoomLines | undefined {
  const { room, learner, globals } = first
  if (room === undefined) return undefined
  const gate = createRoomGate(room.phase)
  const ends = new AbortController()

  async function hear(message: RoomMessage): Promise<void> {
    gate.hear(message)
    if (message.type === 'say') print('', `The teacher: ${message.text}`)
    if (message.type === 'end') print('', 'The teacher has ended the workshop. Your progress stays.')
    const hint = message.type === 'hint' ? await givenHint(await context()) : undefined
    if (hint !== undefined)
      print('', 'The teacher gives you a hint. It does not count as one that you took.', ...hint)
  }

  const following = followRoom(
    globals.home,
    learner,
    room,
    { message: hear, online: gate.online },
    ends.signal,
  ).catch(() => {})
  return {
    reason: end => gate.reason(end, Date.now()),
    report: at =>
      reportToRoom(globals.home, learner, { at }).then(
        () => {},
        () => {},
      ),
    async close() {
      ends.abort()
      await following
    },
  }
}

/** Milliseconds between two reads of the event file. */
const PERIOD = 200

const KEYS = [
  'Enter checks, h hint, s solution, e events, q quit.',
  'Or type a line, of oauth-lab or for your shell.',
]

/** Prints an error that a person can do something about, and goes on. */
function reportProblem(error: unknown): true {
  if (!(error instanceof UserError)) throw error
  print(error.message, ...error.hints.map(hint => `  ${hint}`))
  return true
}

const sameMark = (a: EventMark, b: EventMark): boolean =>
  a.generation === b.generation && a.offset === b.offset

/** Waits until the event file has grown. Fails when the signal aborts. */
async function newEvents(home: string, since: EventMark, signal: AbortSignal): Promise<EventMark> {
  for (;;) {
    await sleep(PERIOD, undefined, { signal })
    const mark = await eventMark(home)
    if (!sameMark(mark, since)) return mark
  }
}

/**
 * Does a lesson on a terminal: shows its task, takes lines, and notices success at once. After each task it waits for
 * Enter, so that the explanation is read.
 */
export async function watchLesson(
  first: Context,
  lesson: Lesson,
  flags: { readonly plain?: true; readonly screenReader?: true },
): Promise<number> {
  const { globals } = first
  const { home } = globals
  const aloud = terminalMode({ ...flags, json: false }) === 'screen-reader'
  const { signal, exitCode, ignore, aside } = watchSignals()
  const labs = createLabKeeper(globals)
  const shell = createLearnerShell(first, labs)
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  // Without its own handler readline swallows Ctrl-C.
  terminal.on('SIGINT', () => process.kill(process.pid, 'SIGINT'))
  terminal.on('close', () => ended.abort())
  // Lines that were typed while the one before was still at work.
  const early: string[] = []
  terminal.on('line', line => early.push(line))
  const ended = new AbortController()
  const stop = AbortSignal.any([signal, ended.signal])
  const fresh = () => withProgressNow(first)
  const room = roomLines(first, fresh)
  const ask = (prompt: string, until: AbortSignal) => terminal.question(prompt, { signal: until })

  /** Gives the terminal to a program, with the echo that readline had switched off. Ctrl-C ends that program alone. */
  async function handOver(start: () => Promise<ChildProcess>): Promise<void> {
    const { stdin } = process
    terminal.pause()
    if (stdin.isTTY) stdin.setRawMode(false)
    await aside(async () => {
      const child = await start()
      child.once('error', error => print(error.message))
      await once(child, 'close')
    }).catch(() => undefined)
    if (stdin.isTTY) stdin.setRawMode(true)
    terminal.resume()
  }

  /** Starts this program with other arguments, without a shell. It shows lines, as this process does. */
  const own = (args: readonly string[]) => async () => {
    const env = { ...process.env, ...(aloud ? { INK_SCREEN_READER: 'true' } : { TERM: 'dumb' }) }
    return spawn(process.execPath, [...ownWords(), ...args], { stdio: 'inherit', env })
  }

  /** One line. A backslash at its end continues it on the next one, as in a shell. */
  async function askLine(until: AbortSignal): Promise<string> {
    const next = async (prompt: string) => (early.shift() ?? (await ask(prompt, until))).trim()
    let line = await next('learn> ')
    while (line.endsWith('\\')) line = `${line.slice(0, -1)}${await next('> ')}`
    return line
  }

  /** Gets the lab of the present task, and prints its lines where it is another one than before. */
  async function atLab(): Promise<void> {
    const { lessons, progress } = await fresh()
    const { task } = sessionOf(lessons, progress)
    const before = labs.get()
    if (task === undefined) return
    const lab = await labs.need(needsOf(lesson, task, progress))
    if (before !== undefined && lab !== before) print('', ...lab.lines)
  }

  /** Asks for the answer to the prediction until it is one. @returns the course with it; undefined: the learner leaves */
  async function predicted(): Promise<Context | undefined> {
    for (;;) {
      const context = await fresh()
      const session = sessionOf(context.lessons, context.progress)
      const typed = (await ask(`Your prediction (${lettersOf(session.lesson)}): `, stop)).trim()
      if (typed === 'q') return undefined
      const letter = predictionIn(session, context, typed)
      if (letter === undefined) continue
      const now = await keepPrediction(context, session, letter)
      await room?.report(null)
      return now
    }
  }

  /** Asks once more at the end of the lesson, where a room wants it, before the explanation. */
  async function predictedAgain(): Promise<void> {
    const before = await fresh()
    const session = sessionOf(before.lessons, before.progress)
    const now = asksAgain(before, session) ? await predicted() : undefined
    if (now === undefined) return
    const record = now.progress.lessons[session.lesson.name]
    print('', ...closingLines(session.lesson, record, namesFor(session.current, labs.get())))
  }

  /** Judges the present task. @returns true when it is done now */
  async function judged(quiet: boolean): Promise<boolean> {
    const context = await fresh()
    const session = sessionOf(context.lessons, context.progress)
    if (session.task === undefined) return true
    const outcome = await judgeNow(context, session, session.task, labs.get())
    const { verdict } = outcome
    if (!verdict.done) {
      // While the learner works, only a sentence about a wrong attempt is worth an interruption.
      if (!quiet || (verdict.events.length > 0 && verdict.why !== said))
        print('', ...verdictLines(context, outcome))
      said = verdict.why
      return false
    }
    const lines = verdictLines(context, outcome)
    const done = lines.findIndex(line => line.startsWith('Done:')) + 1
    print('', ...lines.slice(0, done))
    const end = { lesson, task: session.task.name }
    await room?.report(`${lesson.name}/${session.task.name}`)
    await ask('Press Enter to go on. ', stop)
    for (let reason = room?.reason(end); reason !== undefined; reason = room?.reason(end))
      await ask(`${reason} Enter asks again, Ctrl-C ends. `, stop)
    print(...lines.slice(done))
    await room?.report(null)
    await predictedAgain()
    await atLab()
    said = undefined
    return true
  }
  let said: string | undefined

  /** Does what a typed line says. @returns false to end */
  async function obey(line: string): Promise<boolean> {
    const context = await fresh()
    const session = sessionOf(context.lessons, context.progress)
    const action = actionOf(line, session.task?.probe !== undefined, session.task?.asks === true)
    switch (action.do) {
      case 'quit':
        return false
      case 'hint':
        print(...(await nextHint(context)))
        return true
      case 'solution':
        print(...(await solutionNow(context)))
        return true
      case 'explain':
        print(...(await explainNow(context)))
        return true
      case 'say':
        print(action.text)
        return true
      case 'run':
        await handOver(own(action.args))
        await judged(true)
        return true
      case 'shell':
        await handOver(() => shell.start(action.line, { stdio: 'inherit' }))
        await judged(true)
        return true
      case 'probe':
        {
          const { command } = action
          const judge = (probe: ProbeName, task: string) => probeFor(context, { probe, task, command })
          if ((await checkClient(context, judge)) !== undefined) {
            await judged(true)
            return true
          }
          await probeClient(context, command)
        }
        break
      case 'answer':
        await keepAnswer(context, action.text)
        break
      case 'check':
        break
    }
    await judged(false)
    return true
  }

  const present = async (): Promise<boolean> => {
    const { lessons, progress } = await fresh()
    return sessionOf(lessons, progress).task !== undefined
  }

  try {
    const { lesson: drawn, task, current, predicts } = sessionOf(first.lessons, first.progress)
    const lab = await labs.need(needsOf(lesson, task, first.progress))
    const names = namesFor(current, lab)
    print(...openingLines(drawn, names))
    if (predicts && (await predicted()) === undefined) return EXIT.done
    print('', ...(task ? taskLines(drawn, task, names) : []), '', ...lab.lines, ...KEYS)
    let mark = await eventMark(home)
    while (await present()) {
      const round = new AbortController()
      const until = AbortSignal.any([stop, round.signal])
      const typed = askLine(until).then(line => ({ line }))
      const grown = newEvents(home, mark, until).then(to => ({ to }))
      typed.catch(() => undefined)
      grown.catch(() => undefined)
      const what = await Promise.race([typed, grown])
      round.abort()
      if ('to' in what) {
        mark = what.to
        await judged(true)
      } else {
        if (!(await obey(what.line).catch(reportProblem))) return EXIT.done
        mark = await eventMark(home)
      }
    }
    const { course, progress } = await fresh()
    if (lesson.weak !== undefined) {
      const key = await ask('w and Enter run it without the defence, Enter alone ends. ', stop)
      if (key.trim().toLowerCase() === 'w') await handOver(own(lesson.weak.line.split(' ').slice(1)))
    }
    const next = nextLesson(course, progress)
    print('', next ? `Next:  oauth-lab learn start ${next.name}` : 'Every lesson is done.')
    return EXIT.done
  } catch (error) {
    if (stop.aborted) return exitCode() ?? EXIT.done
    throw error
  } finally {
    ignore()
    terminal.close()
    await shell.close()
    await room?.close()
    await labs.close()
  }
}
