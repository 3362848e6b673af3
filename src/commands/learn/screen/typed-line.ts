import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { sessionOf } from '../../../learn/engine/session.js'
import { HAS_GROUPS } from '../../../learn/probe/client-process.js'
import { ownWords } from '../../../show/tui/home/child.js'
import type { CommandOutput, HandedOver, OutputPane } from '../../../show/tui/learn/content.js'
import { freePane, type LearnState, withOutput } from '../../../show/tui/learn/state.js'
import type { Store } from '../../../show/tui/screen/store.js'
import { judgeStep, keepAnswer, probeClient, probeFor, runLines, savedAt } from '../check.js'
import type { Context } from '../context.js'
import type { LearnerShell } from '../learner-shell.js'
import { actionOf, wantsTerminal } from '../line-action.js'
import { keepPrediction, predictionIn } from '../prediction.js'
import { type Board, type Help, sessionNow } from './board.js'
import { type CapturedCommand, followCommand } from './captured-command.js'

/** Returns true for commands with a screen of their own, which the lesson gives its terminal to. */
const hasScreen = ([command, name]: readonly string[]): boolean => command === 'attack' && name === 'run'

/** The command line of a lesson. */
interface LineRunner {
  /** Does what a typed line says. */
  enter(line: string): Promise<void>
  /** Runs the learner's client again where it was saved since, until it has passed. */
  saved(): Promise<void>
  /** Stops the command of a pane; left out: every one. @returns when all of it has ended */
  stop(pane?: OutputPane): Promise<void>
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
  readonly shell: LearnerShell
  /** Gives the terminal to a command. */
  readonly handOver: (command: HandedOver) => void
}

/** A command in a pane: no keyboard, and a process group of its own, which ends as one. */
const IN_PANE: SpawnOptions = { stdio: ['ignore', 'pipe', 'pipe'], detached: HAS_GROUPS }

/** Makes the command line of a lesson. */
export function createLineRunner(board: Board, { store, help, shell, handOver }: LinePorts): LineRunner {
  const commands = new Map<OutputPane, CapturedCommand>()

  async function follow(
    typed: Pick<CommandOutput, 'line' | 'shell'>,
    start: () => ChildProcess | Promise<ChildProcess>,
  ): Promise<void> {
    const pane = freePane(store.get())
    if (pane === undefined) {
      board.notice({ text: 'Four commands run already. x stops the one that is shown.', good: false })
      return
    }
    const command = followCommand(typed, await start(), output => {
      if (!board.isClosed()) store.update(state => withOutput(state, output, pane))
    })
    commands.set(pane, command)
    void command.ended.then(() => {
      commands.delete(pane)
      board.later(board.judge)
    })
  }

  /** Runs this program with other arguments, without a shell. */
  async function run(line: string, args: readonly string[]): Promise<void> {
    if (hasScreen(args)) handOver({ line, args, screen: true })
    else await follow({ line }, () => spawn(process.execPath, [...ownWords(), ...args], IN_PANE))
  }

  let probed: Probed | undefined

  /** Runs the learner's client, and shows the report beside the verdict. */
  async function probe(line: string, argv: readonly string[], now: Context): Promise<void> {
    board.busy('Runs your client.')
    probed = { line, argv, task: sessionNow(now)?.task?.name ?? '', saved: await savedAt(argv) }
    const say = (text: string): void => {
      if (board.isClosed()) throw new Error('the screen was left')
      board.busy(text)
    }
    const step = await judgeStep(now, (probe, task) => probeFor(now, { probe, task, command: argv, say }))
    if (step !== undefined) {
      board.busy('')
      board.say(line, ...step.lines)
      return
    }
    const { progress } = await probeClient(now, argv, say)
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
        board.notice({ text: 'q leaves the lesson while no line is typed.', good: false })
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
        return run(line, action.args)
      case 'shell':
        if (wantsTerminal(action)) handOver({ line: action.line, screen: !action.whole })
        else await follow({ line, shell: true }, () => shell.start(action.line, IN_PANE))
        return
      case 'probe':
        await probe(line, action.command, now)
        break
      case 'answer':
        if (now.progress.capstone !== undefined && line.startsWith('oauth-lab ')) {
          const learner = now.learner === undefined ? [] : ['--learner', now.learner]
          return run(line, ['learn', 'answer', ...learner, '--', action.text])
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
    async stop(pane) {
      const stopped = [...commands].flatMap(([at, command]) =>
        pane === undefined || pane === at ? [command] : [],
      )
      for (const command of stopped) command.stop()
      await Promise.all(stopped.map(({ ended }) => ended))
    },
  }
}
