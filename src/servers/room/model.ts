import type { Pace, RoomPhase } from '../../protocol/room/messages.js'

/** A reason for which somebody needs the teacher. */
export type Stuck =
  /** Pressed the key "I am stuck". */
  | { readonly why: 'said' }
  /** Took the solution, or the last hint. */
  | { readonly why: 'hints' }
  /** Was refused three times by one rule. */
  | { readonly why: 'refused'; readonly rule: string }
  /** Needs twice the room's median time for the task. */
  | { readonly why: 'slow' }

/** The state of one task for one person. */
export interface TaskCell {
  readonly state: 'shown' | 'done'
  readonly hints: number
  readonly solution: boolean
  /** Refusals at this task by rule. */
  readonly refused: Readonly<Record<string, number>>
  /** Milliseconds from shown to done; left out while it is not done. */
  readonly took?: number
}

/** A person of the room as the board shows it. Times are ISO 8601 UTC, by the clock of the teacher. */
export interface BoardPerson {
  readonly who: string
  readonly name: string
  readonly joinedAt: string
  /** Absent: the person is in the room. */
  readonly leftAt?: string
  /** True while the program of the person is connected. */
  readonly online: boolean
  /** Time of the last fact. */
  readonly lastAt: string
  readonly idle: boolean
  readonly lesson?: string
  readonly task?: string
  /** When the present task was shown. */
  readonly since?: string
  /** By `lesson/task`. */
  readonly tasks: Readonly<Record<string, TaskCell>>
  /** By lesson: the first answer, and the last one where it was answered again. */
  readonly predictions: Readonly<Record<string, { readonly first: string; readonly last?: string }>>
  readonly stuck?: Stuck
}

/** People who are held by the same thing: what a teacher acts on. */
export interface BoardGroup {
  readonly lesson: string
  readonly task: string
  readonly rule: string
  readonly who: readonly string[]
}

/** The answers of the room to one prediction, by letter in the order of the lesson's file. */
export interface BoardPoll {
  readonly lesson: string
  readonly before: Readonly<Record<string, number>>
  readonly after: Readonly<Record<string, number>>
}

/** A lesson of the room, for the heads of the board's columns. */
export interface BoardLesson {
  readonly name: string
  readonly title: string
  readonly tasks: readonly string[]
  readonly question: string
  /** Texts of the options in the order of the file, and the letter of the right one. */
  readonly options: readonly string[]
  readonly right: string
}

/** All that the teacher sees: a fold over the facts of the room. */
export interface Board {
  readonly room: string
  readonly code: string
  /** Time of this view. */
  readonly at: string
  readonly lessons: readonly BoardLesson[]
  readonly people: readonly BoardPerson[]
  /** Largest first. */
  readonly groups: readonly BoardGroup[]
  readonly polls: readonly BoardPoll[]
  readonly phase: RoomPhase
}

/** An action of the teacher: the body of POST /board/lead, and the argument of `lead`. */
export type LeadAction =
  | { readonly do: 'phase'; readonly lesson?: string; readonly pace: Pace }
  /** Opens the way beyond a task, `lesson/task`, that the pace holds. */
  | { readonly do: 'open'; readonly task: string }
  /** `who` left out: to all. */
  | { readonly do: 'say'; readonly text: string; readonly who?: string }
  | { readonly do: 'hint'; readonly who?: string }
  | { readonly do: 'end' }

/** A step of a flow on the stage: one request to the room's lab, or a part of it. */
export interface LaneStep {
  /** The column. Steps of a person's browser happen at pages of the authorization server. */
  readonly part: 'browser' | 'authorization' | 'resource' | 'cluster' | 'dns'
  readonly step: 'authorize' | 'login' | 'consent' | 'code' | 'token' | 'api'
  /** The deed, such as `redeems the code`. */
  readonly text: string
  /** HTTP status of the answer. */
  readonly status: number
  readonly refused: boolean
  /** Of a refused step: the reason, and the rule where the lab names one. */
  readonly reason?: string
  readonly rule?: string
}

/** The present flow of one person against the room's lab. */
export interface Lane {
  readonly who: string
  /** Time of the first step, ISO 8601 UTC. */
  readonly at: string
  /** In the order in which they were answered. */
  readonly steps: readonly LaneStep[]
}

/** A person as board and screen show it: with the sentences that both say. */
export interface ShownPerson extends Omit<BoardPerson, 'stuck' | 'predictions'> {
  readonly stuck?: Stuck & { readonly text: string }
  /** Absent for somebody who works. */
  readonly presence?: 'left' | 'offline' | 'idle'
  /** By lesson that the person has begun: the answers to its prediction, as a text. */
  readonly begun: Readonly<Record<string, string>>
}

/** The board as page and screen show it: with the sentences that the program has for what it says. */
export interface ShownBoard extends Omit<Board, 'people' | 'groups'> {
  readonly people: readonly ShownPerson[]
  /** `demand` is what the rule asks for, where the lab knows it. */
  readonly groups: readonly (BoardGroup & { readonly demand?: string })[]
  /** The lesson that is shown by its tasks: that of the room, else the one with the most people. Absent without lessons. */
  readonly lesson?: string
  /** The pace as a text. */
  readonly pace: string
  /** The action that "next" means, and its text; absent at the end of the course. */
  readonly next?: { readonly action: LeadAction; readonly text: string }
  /** The flows of the room, newest first, of one flow a person; absent in a room without a lab. */
  readonly lanes?: readonly Lane[]
}

/**
 * A message of the stream GET /board/events. The first is the whole board. Those that follow have no lessons, which never change, and of the people those
 * alone whose rows changed. Nobody ever vanishes from a room.
 */
export type BoardMessage =
  | ({ readonly type: 'board' } & ShownBoard)
  | ({ readonly type: 'changes' } & Omit<ShownBoard, 'lessons'>)
