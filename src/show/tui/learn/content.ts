import type { ShownWeak } from '../../../protocol/rules/weak-modes.js'
import type { EndingSignal } from '../screen/terminal.js'

/**
 * A part of a lesson's text. A paragraph that begins with two spaces is a line to type or to read, one that begins
 * with `- ` an item of a list; the others are prose.
 */
export interface Section {
  readonly title: string
  readonly texts: readonly string[]
  /** How it ended, where it is a result. */
  readonly tone?: 'done' | 'look'
}

/** The place in a lesson: its prediction, a task, a task that was just done, its end. */
export type Phase = 'predict' | 'task' | 'passed' | 'end'

/** A lesson as the screen shows it. */
export interface LessonPage {
  readonly name: string
  /** Such as `Lesson 4: State and login CSRF`. */
  readonly title: string
  /** Such as `task 1 of 2`. */
  readonly place: string
  /** The client and the user whose events count. */
  readonly who: string
  readonly phase: Phase
  readonly sections: readonly Section[]
  /** Index of the section that the pane begins with. */
  readonly anchor: number
  /** Index of the section that came last. */
  readonly newest: number
  /** The answers of the prediction, while one is to be chosen. */
  readonly options: readonly string[]
  /** Lines that Tab puts into the command line. */
  readonly lines: readonly string[]
  /** The line that runs the same request without its defence, at the end of the lesson. */
  readonly weakLine?: string
  /** The lesson that Enter starts at the end; absent: all are done. */
  readonly next?: string
}

/** A lesson in the list of the course. */
export interface CourseRow {
  readonly name: string
  readonly title: string
  readonly minutes: number
  readonly part: string
  readonly mark: 'done' | 'begun' | 'next' | 'open'
  /** Lessons that come before and are not done. */
  readonly missing: readonly string[]
  /** Sentences about the progress. */
  readonly about: readonly string[]
}

/** The course, and how far it went. */
export interface Course {
  readonly rows: readonly CourseRow[]
  /** Lessons whose review is due. */
  readonly due: readonly string[]
}

/** An event of the servers, decoded. */
export interface SeenEvent {
  /** Such as `14:03:11`. */
  readonly time: string
  readonly type: string
  /** The meaning of its type. */
  readonly says: string
  /** Its members. */
  readonly details: string
  readonly refused: boolean
  /** True when the verdict was made from it. */
  readonly behind: boolean
}

/** The verdict on the present task. */
export interface VerdictNow {
  readonly done: boolean
  /** True when an attempt was seen. */
  readonly tried: boolean
  readonly text: string
}

/** The lab of the lesson. */
export interface LabNow {
  readonly url: string
  readonly weak: readonly ShownWeak[]
}

/** The panes of commands. Several are in use while several commands run. */
export const OUTPUT_PANES = ['output', 'output2', 'output3', 'output4'] as const

export type OutputPane = (typeof OUTPUT_PANES)[number]

/** A command that was typed, and what it printed. */
export interface CommandOutput {
  readonly line: string
  readonly lines: readonly string[]
  /** True when lines at its beginning were left out. */
  readonly cut: boolean
  /** Its exit code; absent while it runs, and for a line that ran no program. */
  readonly code?: number
  readonly running: boolean
  /** True for a line of a shell, whose result stands at its end; other outputs are read from their beginning. */
  readonly shell?: true
}

/** The room of a teacher that the learner is in. */
export interface RoomNow {
  /** The name of the room, and that of the learner in it. */
  readonly room: string
  readonly name: string
  readonly online: boolean
  /** Facts that wait for the teacher. */
  readonly waiting: number
  /** The reason for which the learner waits at the end of a task or lesson; absent: the way is open. */
  readonly gate?: string
  /** The lesson of the room, where it is another one than that of the learner. */
  readonly lesson?: string
  /** The last sentence of the teacher. */
  readonly said?: string
  /** The teacher ended the workshop, or does not know the learner any more. */
  readonly ended?: true
  readonly gone?: true
}

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
  /** Asks the teacher of the room for help. */
  readonly stuck: () => void
  /** Stops the command of a pane. */
  readonly stop: (pane: OutputPane) => void
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
  /** Arguments of this program; absent: the line is one for the shell of the learner. */
  readonly args?: readonly string[]
  /** True when it draws a screen of its own; else its lines stay until they are read. */
  readonly screen: boolean
}

/** How the screen was left. */
export interface LearnEnded {
  readonly signal?: EndingSignal
  readonly handedOver?: HandedOver
}
