import type { Fact, NumberedFact } from '../../protocol/room/facts.js'
import { participantId } from '../../protocol/room/join-code.js'
import { type Joined, MAX_NAME, type RoomFile, type RoomMessage } from '../../protocol/room/messages.js'
import { secretDigest, secretMatches } from '../../protocol/secrets.js'
import { boardOf } from './board.js'
import { phaseAfter } from './lead.js'
import type { Board, BoardLesson, LeadAction } from './model.js'
import { namesIn, type Person, taskKey, withFact } from './person.js'
import type { KeptFact, KeptMessage, KeptPerson, RoomState } from './state.js'

/** Most people of a room, and most of one network: one of them alone cannot fill the room. */
export const MAX_PEOPLE = 500
export const MAX_OF_SOURCE = 200

/** Facts that are kept, of one person and in all. Further ones are answered like the others, and change nothing. */
const MAX_FACTS = 2_000
const MAX_FACTS_IN_ALL = 200_000

/** Sentences and hints that are kept for people who are away. */
const MAX_MESSAGES = 200

/** Milliseconds during which "12 of 20 have it" gathers. */
const PAUSE = 500

/** The ports of a room. */
interface RoomPorts {
  /** Milliseconds since the epoch. */
  readonly now: () => number
  readonly random: (length: number) => Uint8Array
  /** Calls a function once, milliseconds later. */
  readonly later: (ms: number, work: () => void) => void
}

export interface RoomOptions {
  /** Of an earlier run, or `newRoomState`. */
  readonly state: RoomState
  /** Of an earlier run, oldest first. */
  readonly facts?: Iterable<KeptFact>
  /** As people type it. */
  readonly code: string
  readonly lessons: readonly BoardLesson[]
  /** The lessons of the teacher, which people get. */
  readonly files?: readonly RoomFile[]
  readonly ports: RoomPorts
}

/** A change of the room. After `state` and `person`, `Room.state` returns another state. */
export type RoomChange =
  | { readonly kind: 'fact'; readonly fact: Fact; readonly kept: KeptFact }
  | { readonly kind: 'state' }
  | {
      readonly kind: 'person'
      readonly did: 'joined' | 'came back' | 'left'
      readonly who: string
      readonly name: string
    }
  /** Somebody connected, or left the connection. */
  | { readonly kind: 'online' }

/** Writes a message to a participant; `id` is that of a sentence or hint. */
type WriteMessage = (message: RoomMessage, id?: number) => void

type JoinAnswer =
  | { readonly kind: 'joined'; readonly joined: Joined; readonly isNew: boolean }
  | { readonly kind: 'wrong_code' | 'room_full' | 'room_ended' }

/** The room of a workshop. Every operation costs the same however many facts there were, but for `board`. */
export interface Room {
  readonly lessons: readonly BoardLesson[]
  readonly code: string
  /**
   * Lets a person in. A known token leads to the same row, with the new name.
   * @param name left out or empty: the number of the person
   * @param source the network that the request comes from
   */
  join(request: {
    readonly secret: string
    readonly name?: string
    readonly token?: string | undefined
    readonly source: string
  }): JoinAnswer
  /** The person whose token this is, who may have left; undefined for an unknown one. */
  owner(token: string): string | undefined
  /** The same for people who are in the room. */
  whoIs(token: string): string | undefined
  /** Takes facts of a person, in order. Those that came before are ignored. @returns the highest number that came */
  take(who: string, facts: readonly NumberedFact[]): number
  leave(who: string): void
  /**
   * Connects a person to the messages: the phase first, then the sentences and hints after `last`, then new ones.
   * @param last left out: those since this person joined
   * @returns the end of it
   */
  listen(who: string, last: number | undefined, stream: { write: WriteMessage; end: () => void }): () => void
  /** Acts for the teacher. @returns false when the room has no such lesson, task or person */
  lead(action: LeadAction): boolean
  board(): Board
  /** @returns the end of it */
  subscribe(listener: (change: RoomChange) => void): () => void
  state(): RoomState
}

/** A person with what is not shown. */
interface Row {
  kept: KeptPerson
  shown: Person
  facts: number
  /** Milliseconds from the clock of the participant to that of the teacher: the least that was seen, because facts can wait. */
  ahead: number
  readonly streams: Set<{ write: WriteMessage; end: () => void }>
}

const newPerson = ({ who, name, joinedAt, leftAt }: KeptPerson): Person => ({
  who,
  name,
  joinedAt,
  ...(leftAt !== undefined && { leftAt }),
  lastAt: joinedAt,
  idle: false,
  saidStuck: false,
  tasks: {},
  predictions: {},
})

const newRow = (kept: KeptPerson): Row => ({
  kept,
  shown: newPerson(kept),
  facts: 0,
  ahead: Number.POSITIVE_INFINITY,
  streams: new Set(),
})

/** Returns a name on one line, as long as names may be. Escapes and markup stay: who shows it makes it safe. */
const nameOf = (typed: string | undefined, who: string): string =>
  [...(typed ?? '').toWellFormed().trim()].slice(0, MAX_NAME).join('') || who

/** The digest of a token as the room keeps it. */
const tokenDigest = (token: string): string => Buffer.from(secretDigest(token)).toString('base64url')

/** Makes a room, or goes on with that of an earlier run. */
export function createRoom(options: RoomOptions): Room {
  const { code, lessons, files = [], ports } = options
  const { now, random, later } = ports
  const { people: _, ...began } = options.state
  let state: Omit<RoomState, 'people'> = began
  const known = namesIn(lessons)
  const secret = secretDigest(state.secret)
  const rows = new Map(options.state.people.map(each => [each.who, newRow(each)]))
  const byToken = new Map([...rows.values()].map(row => [row.kept.token, row]))
  const sources = new Map<string, number>()
  const listeners = new Set<(change: RoomChange) => void>()
  const waiting = new Set<string>()
  let facts = 0

  const time = () => new Date(now()).toISOString()

  function changed(change: RoomChange): void {
    for (const each of listeners) each(change)
  }

  /** Counts a fact in the row of its person. @returns false when there is no room for it */
  function fold(row: Row, fact: KeptFact): boolean {
    if (row.facts >= MAX_FACTS || facts >= MAX_FACTS_IN_ALL) return false
    row.facts += 1
    facts += 1
    row.shown = withFact(row.shown, fact, fact.at, known)
    return true
  }

  for (const fact of options.facts ?? []) {
    const row = rows.get(fact.who)
    if (row === undefined) continue
    row.kept = { ...row.kept, n: Math.max(row.kept.n, fact.n) }
    fold(row, fact)
  }

  function joinedAs({ kept }: Row, token: string): Joined {
    const { who, name, seed } = kept
    const { course } = state
    const room = { name: state.name, ...(course !== undefined && { course }), files }
    return { who, name, token, seed, room, phase: state.phase }
  }

  /** Lets somebody in again: the same row. */
  function comeBack(row: Row, name: string | undefined): void {
    const { leftAt: _, ...kept } = row.kept
    const { leftAt: __, ...shown } = row.shown
    const { who } = kept
    const called = name === undefined || name.trim() === '' ? kept.name : nameOf(name, who)
    row.kept = { ...kept, name: called }
    row.shown = { ...shown, name: called, lastAt: time() }
    changed({ kind: 'person', did: 'came back', who, name: called })
  }

  function add(name: string | undefined, source: string): { row: Row; token: string } {
    const who = participantId(code, rows.size + 1)
    const token = Buffer.from(random(32)).toString('base64url')
    const row = newRow({
      who,
      name: nameOf(name, who),
      token: tokenDigest(token),
      seed: Buffer.from(random(4)).readUInt32BE() >>> 1,
      joinedAt: time(),
      since: state.messages.at(-1)?.id ?? 0,
      n: 0,
    })
    rows.set(who, row)
    byToken.set(row.kept.token, row)
    sources.set(source, (sources.get(source) ?? 0) + 1)
    changed({ kind: 'person', did: 'joined', who, name: row.kept.name })
    return { row, token }
  }

  const rowOf = (token: string): Row | undefined => byToken.get(tokenDigest(token))

  /** Time of a fact by the clock of the teacher: neither before its person joined nor in the future. */
  function timeOf({ ahead, kept }: Row, at: string): string {
    const here = Date.parse(at) + ahead
    return new Date(Math.max(Date.parse(kept.joinedAt), Math.min(now(), here))).toISOString()
  }

  const lessonOf = (key: string) => key.slice(0, key.indexOf('/'))

  /** Sends the people who wait at a task how many of the lesson have done it. */
  function tellWaiting(key: string): void {
    waiting.delete(key)
    const inLesson = [...rows.values()].filter(
      ({ shown }) => shown.leftAt === undefined && shown.lesson === lessonOf(key),
    )
    const done = inLesson.filter(({ shown }) => shown.tasks[key]?.state === 'done')
    const message = { type: 'waiting', task: key, done: done.length, of: inLesson.length } as const
    for (const { shown, streams } of done) {
      if (taskKey(shown.lesson!, shown.task ?? '') !== key) continue
      for (const { write } of streams) write(message)
    }
  }

  function tellWaitingSoon(key: string): void {
    if (state.phase.pace.kind === 'free' || waiting.has(key)) return
    waiting.add(key)
    later(PAUSE, () => tellWaiting(key))
  }

  function send(message: KeptMessage['message'], who: string | undefined): void {
    const id = (state.messages.at(-1)?.id ?? 0) + 1
    const kept: KeptMessage = { id, message, ...(who !== undefined && { who }) }
    state = { ...state, messages: [...state.messages, kept].slice(-MAX_MESSAGES) }
    const receivers = who === undefined ? [...rows.values()] : [rows.get(who)!]
    for (const { streams } of receivers) for (const { write } of streams) write(message, id)
    changed({ kind: 'state' })
  }

  function sendAll(message: RoomMessage): void {
    for (const { streams } of rows.values()) for (const { write } of streams) write(message)
  }

  return {
    lessons,
    code,
    join({ secret: sent, name, token, source }) {
      const back = token === undefined ? undefined : rowOf(token)
      if (back === undefined && !secretMatches(sent, secret)) return { kind: 'wrong_code' }
      if (state.endedAt !== undefined) return { kind: 'room_ended' }
      if (back !== undefined) {
        comeBack(back, name)
        return { kind: 'joined', joined: joinedAs(back, token!), isNew: false }
      }
      const own = source === 'loopback' ? 0 : (sources.get(source) ?? 0)
      if (rows.size >= MAX_PEOPLE || own >= MAX_OF_SOURCE) return { kind: 'room_full' }
      const { row, token: made } = add(name, source)
      return { kind: 'joined', joined: joinedAs(row, made), isNew: true }
    },
    owner: token => rowOf(token)?.kept.who,
    whoIs(token) {
      const row = rowOf(token)
      return row?.kept.leftAt === undefined ? row?.kept.who : undefined
    },
    take(who, sent) {
      const row = rows.get(who)!
      const latest = sent.at(-1)
      if (latest !== undefined) row.ahead = Math.min(row.ahead, now() - Date.parse(latest.at))
      for (const fact of sent) {
        if (fact.n <= row.kept.n) continue
        row.kept = { ...row.kept, n: fact.n }
        const kept: KeptFact = { ...fact, at: timeOf(row, fact.at), who }
        if (!fold(row, kept)) continue
        const { n: _, ...rest } = kept
        changed({ kind: 'fact', fact: { type: 'fact', ...rest, name: row.kept.name }, kept })
        const { lesson, task } = row.shown
        if (fact.fact === 'task.done' && lesson !== undefined) tellWaitingSoon(taskKey(lesson, task ?? ''))
      }
      return row.kept.n
    },
    leave(who) {
      const row = rows.get(who)!
      const leftAt = time()
      row.kept = { ...row.kept, leftAt }
      row.shown = { ...row.shown, leftAt }
      for (const { end } of row.streams) end()
      changed({ kind: 'person', did: 'left', who, name: row.kept.name })
    },
    listen(who, last, stream) {
      const row = rows.get(who)!
      row.streams.add(stream)
      stream.write({ type: 'phase', ...state.phase })
      const after = last ?? row.kept.since
      for (const { id, who: to, message } of state.messages) {
        if (id > after && (to ?? who) === who) stream.write(message, id)
      }
      const { lesson, task } = row.shown
      if (lesson !== undefined && task !== undefined) tellWaitingSoon(taskKey(lesson, task))
      if (state.endedAt !== undefined) stream.write({ type: 'end' })
      changed({ kind: 'online' })
      return () => {
        if (row.streams.delete(stream)) changed({ kind: 'online' })
      }
    },
    lead(action) {
      if (action.do === 'say' || action.do === 'hint') {
        const { who } = action
        if (who !== undefined && !rows.has(who)) return false
        const to = who === undefined ? 'all' : 'you'
        send(action.do === 'hint' ? { type: 'hint' } : { type: 'say', text: action.text, to }, who)
        return true
      }
      if (action.do === 'end') {
        state = { ...state, endedAt: state.endedAt ?? time() }
        sendAll({ type: 'end' })
      } else {
        const phase = phaseAfter(state.phase, action, known)
        if (phase === undefined) return false
        state = { ...state, phase }
        sendAll({ type: 'phase', ...phase })
      }
      changed({ kind: 'state' })
      return true
    },
    board: () =>
      boardOf({
        room: state.name,
        code,
        lessons,
        people: Array.from(rows.values(), ({ shown }) => shown),
        isOnline: who => rows.get(who)!.streams.size > 0,
        phase: state.phase,
        now: now(),
      }),
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    state: () => ({ ...state, people: Array.from(rows.values(), ({ kept }) => kept) }),
  }
}
