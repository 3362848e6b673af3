import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { StringDecoder } from 'node:string_decoder'
import { sessionOf } from '../../../learn/engine/session.js'
import type { CommandOutput, HandedOver } from '../../../show/tui/learn/content.js'
import { type LearnState, withOutput } from '../../../show/tui/learn/state.js'
import type { Store } from '../../../show/tui/screen/store.js'
import { keepAnswer, keepPrediction, predictionIn, probeClient, runLines, savedAt } from '../check.js'
import type { Context } from '../context.js'
import { actionOf } from '../watch.js'
import { type Board, type Help, sessionNow } from './board.js'

/** Returns true for commands with a screen of their own, which the lesson gives its terminal to. */
const hasScreen = ([command, name]: readonly string[]): boolean => command === 'attack' && name === 'run'

/** The command line of a lesson. */
interface LineRunner {
  /** Does what a typed line says. */
  enter(line: string): Promise<void>
  /** Runs the learner's client again where it was saved since, until it has passed. */
  saved(): Promise<void>
  /** Stops the command that runs. @returns when it has ended */
  stop(): Promise<void>
}

/** The client that was run last, and the time at which it was saved. */
interface Probed {
  readonly line: string
  readonly argv: readonly string[]
  readonly task: string
  readonly saved: string
}

/** The parts that typed lines act on. */
interface LinePorts {
  readonly store: Store<LearnState>
  readonly help: Help
  /** Gives the terminal to a command. */
  readonly handOver: (command: HandedOver) => void
}

/** Makes the command line of a lesson. */
export function createLineRunner(board: Board, { store, help, handOver }: LinePorts): LineRunner {
  let command: CapturedCommand | undefined

  function run(line: string, args: readonly string[]): void {
    if (hasScreen(args)) {
      handOver({ line, args, screen: true })
      return
    }
    if (command !== undefined) {
      board.notice('A command runs already. x stops it.')
      return
    }
    command = runCaptured(line, args, output => {
      if (!board.isClosed()) store.update(state => withOutput(state, output))
    })
    void command.ended.then(() => {
      command = undefined
      board.later(board.judge)
    })
  }

  let probed: Probed | undefined

  /** Runs the learner's client, and shows the report beside the verdict. */
  async function probe(line: string, argv: readonly string[], now: Context): Promise<void> {
    board.busy('Runs your client.')
    probed = { line, argv, task: sessionNow(now)?.task?.name ?? '', saved: await savedAt(argv) }
    const { progress } = await probeClient(now, argv, text => {
      if (board.isClosed()) throw new Error('the screen was left')
      board.busy(text)
    })
    board.busy('')
    const { lesson, task } = sessionOf(now.lessons, progress)
    const report = task && progress.lessons[lesson.name]?.tasks[task.name]?.probe
    if (report === undefined) return
    board.say(line, ...(report.failed === undefined ? [] : [report.failed]), ...runLines(report))
  }

  async function enter(line: string): Promise<void> {
    const now = await board.context()
    const session = sessionNow(now)
    if (session === undefined) return
    const letter = predictionIn(session, now, line)
    if (letter !== undefined) {
      await keepPrediction(now, session, letter)
      return board.refresh()
    }
    const action = actionOf(line, session.task?.probe !== undefined, session.task?.asks === true)
    switch (action.do) {
      case 'quit':
        board.notice('q leaves the lesson while no line is typed.')
        return
      case 'hint':
        return help.hint()
      case 'solution':
        return help.solution()
      case 'explain':
        return help.explain()
      case 'say':
        board.say(line, action.text)
        return
      case 'run':
        run(line, action.args)
        return
      case 'probe':
        await probe(line, action.command, now)
        break
      case 'answer':
        if (now.progress.capstone !== undefined && line.startsWith('oauth-lab ')) {
          const learner = now.learner === undefined ? [] : ['--learner', now.learner]
          run(line, ['learn', 'answer', ...learner, '--', action.text])
          return
        }
        await keepAnswer(now, action.text)
        break
      case 'check':
        break
    }
    await board.judge()
  }

  return {
    enter,
    async saved() {
      if (probed === undefined || probed.saved === '') return
      const { line, argv, task, saved } = probed
      const now = await board.context()
      if (sessionNow(now)?.task?.name !== task) probed = undefined
      else if ((await savedAt(argv)) !== saved) {
        await probe(line, argv, now)
        await board.judge()
      }
    },
    async stop() {
      command?.stop()
      await command?.ended
    },
  }
}

/** Most characters and lines of an output that are kept; what came before is left out. */
const MAX_CHARACTERS = 100_000
const MAX_LINES = 1_000

/** Milliseconds between two reports of an output that grows. */
const PAUSE = 60

/** Milliseconds that a command may take to end after it was asked to. */
const PATIENCE = 3_000

/** Escape sequences that only colour or move: a pane shows text alone. */
const ESCAPES = /\x1b\[[0-9;?]*[ -/]*[@-~]/g

/** A command that runs. */
interface CapturedCommand {
  readonly ended: Promise<void>
  /** Asks it to end, and kills it when it does not. */
  stop(): void
}

/** The lines of a text, the last whole ones. */
function linesOf(text: string): { readonly lines: readonly string[]; readonly cut: boolean } {
  const all = text.replace(ESCAPES, '').replace(/\n$/, '').split(/\r?\n/)
  return { lines: all.slice(-MAX_LINES), cut: all.length > MAX_LINES }
}

/**
 * Runs this program with other arguments, without a shell and without a terminal, and reports what it prints.
 * @param line the line as it was typed
 */
function runCaptured(
  line: string,
  args: readonly string[],
  report: (output: CommandOutput) => void,
): CapturedCommand {
  let text = ''
  let dropped = false
  let timer: NodeJS.Timeout | undefined
  let killer: NodeJS.Timeout | undefined
  const now = (code?: number): void => {
    clearTimeout(timer)
    timer = undefined
    const { lines, cut } = linesOf(text)
    const known = { line, lines: text === '' ? [] : lines, cut: cut || dropped }
    report(code === undefined ? { ...known, running: true } : { ...known, running: false, code })
  }
  const child = spawn(process.execPath, [...process.execArgv, process.argv[1] ?? '', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const take = (decoder: StringDecoder) => (bytes: Buffer) => {
    text += decoder.write(bytes)
    if (text.length > MAX_CHARACTERS) {
      text = text.slice(text.length - MAX_CHARACTERS)
      dropped = true
    }
    timer ??= setTimeout(now, PAUSE)
  }
  child.stdout.on('data', take(new StringDecoder('utf8')))
  child.stderr.on('data', take(new StringDecoder('utf8')))
  now()
  const ended = new Promise<void>(resolve => {
    child.once('error', error => {
      text += `${error.message}\n`
      now(70)
      resolve()
    })
    child.once('close', (code, signal) => {
      clearTimeout(killer)
      now(code ?? 128 + (signal ? constants.signals[signal] : 0))
      resolve()
    })
  })
  return {
    ended,
    stop() {
      if (killer !== undefined) return
      child.kill('SIGINT')
      killer = setTimeout(() => child.kill('SIGKILL'), PATIENCE)
    },
  }
}
