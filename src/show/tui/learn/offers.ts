import type { EndingSignal } from '../screen/endings.js'

/** The work that the keys of the screen ask for. Results arrive as actions. */
export interface LearnOffers {
  /** Opens what was begun, or begins the next lesson. Called once, with the first frame. */
  readonly begin: () => void
  /** Keeps the prediction of the lesson. @param option index of the answer */
  readonly predict: (option: number) => void
  /** Goes on after a task, and after a lesson. */
  readonly goOn: () => void
  readonly hint: () => void
  readonly solution: () => void
  readonly explain: () => void
  /** Does what a typed line says. */
  readonly enter: (line: string) => void
  /** Stops the command that runs. */
  readonly stop: () => void
  /** Opens a lesson of the course. @param again starts it again, also when it was begun or done */
  readonly open: (name: string, again: boolean) => void
  /** Begins the review that is due. */
  readonly review: () => void
  /** Ends the work that is under way. The terminal is restored by then. */
  readonly close: () => Promise<void>
}

/** A command that needs the whole terminal: its screen comes in front, and this one is there again afterwards. */
export interface HandedOver {
  readonly line: string
  readonly args: readonly string[]
  /** True when it draws a screen of its own; else its lines stay until they are read. */
  readonly screen: boolean
}

/** How the screen was left. */
export interface LearnEnded {
  readonly signal?: EndingSignal
  readonly handedOver?: HandedOver
}
