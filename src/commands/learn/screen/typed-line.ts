import { sessionOf } from '../../../learn/engine/session.js'
import type { HandedOver } from '../../../show/tui/learn/content.js'
import { type LearnState, withOutput } from '../../../show/tui/learn/state.js'
import type { Store } from '../../../show/tui/screen/store.js'
import { keepAnswer, keepPrediction, predictionIn, probeClient, runLines } from '../check.js'
import type { Context } from '../context.js'
import { actionOf } from '../watch.js'
import { type Board, sessionNow } from './board.js'
import { type CapturedCommand, runCaptured } from './captured.js'
import type { Help } from './help.js'

/** Returns true for commands with a screen of their own, which the lesson gives its terminal to. */
const hasScreen = ([command, name]: readonly string[]): boolean => command === 'attack' && name === 'run'

/** The command line of a lesson. */
export interface LineRunner {
  /** Does what a typed line says. */
  enter(line: string): Promise<void>
  /** Stops the command that runs. @returns when it has ended */
  stop(): Promise<void>
}

/** The parts that typed lines act on. */
export interface LinePorts {
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

  /** Runs the learner's client, and shows the report beside the verdict. */
  async function probe(line: string, argv: readonly string[], now: Context): Promise<void> {
    board.busy('Runs your client.')
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
    const action = actionOf(line, session.task?.probe !== undefined)
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
    async stop() {
      command?.stop()
      await command?.ended
    },
  }
}
