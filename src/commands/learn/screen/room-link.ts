import { reportToRoom } from '../../../learn/engine/report-to-room.js'
import { createRoomGate } from '../../../learn/engine/room-gate.js'
import type { FactName } from '../../../protocol/room/facts.js'
import type { RoomMessage } from '../../../protocol/room/messages.js'
import { defined } from '../../../protocol/values.js'
import { followRoom } from '../../../session/room/follow.js'
import { readOutbox } from '../../../session/room/outbox.js'
import type { RoomProfile } from '../../../session/room/profile.js'
import type { RoomNow } from '../../../show/tui/learn/content.js'
import type { LearnState } from '../../../show/tui/learn/state.js'
import type { Store } from '../../../show/tui/screen/store.js'
import type { Context } from '../context.js'
import { givenHint } from '../help.js'
import { type Bookmark, type RoomLink, sessionNow } from './board.js'

/** Milliseconds without a change until a learner counts as idle. */
const IDLE = 5 * 60_000

/** Milliseconds that a report may take while the screen goes on, and between two checks of the pace. */
const PATIENCE = 5_000
const PERIOD = 1_000

/** The parts that the link acts on. */
interface LinkPorts {
  readonly store: Store<LearnState>
  readonly bookmark: Bookmark
  readonly context: () => Promise<Context>
}

/** Follows the teacher, and reports what the learner does, until it is closed. */
export function createRoomLink(
  room: RoomProfile,
  first: Context,
  { store, bookmark, context }: LinkPorts,
): RoomLink {
  const { learner, globals } = first
  const { home } = globals
  const gate = createRoomGate(room.phase)
  const ends = new AbortController()
  let reporting: Promise<void> | undefined
  let again = false
  let idle: NodeJS.Timeout | undefined

  const set = (change: Partial<RoomNow>) =>
    store.update(state => ({ ...state, room: { ...(state.room ?? shownFirst), ...change } }))
  const shownFirst: RoomNow = { room: room.room, name: room.name, online: false, waiting: 0 }

  /** The task at whose end the learner is; undefined before. */
  const taskDone = (): string | undefined => bookmark.done?.task.name

  function showGate(): void {
    const { lesson: page, room: now } = store.get()
    const lesson = first.lessons.find(({ name }) => name === page?.name)
    const waits = lesson !== undefined && (page?.phase === 'passed' || page?.phase === 'end')
    const reason = waits
      ? gate.reason({ lesson, task: page.phase === 'end' ? undefined : taskDone() }, Date.now())
      : undefined
    const elsewhere =
      lesson !== undefined && gate.phase().lesson !== lesson.name ? gate.phase().lesson : undefined
    const opened = now?.gate !== undefined && reason === undefined && waits
    if (now?.gate === reason && now?.lesson === elsewhere) return
    store.update(({ room = shownFirst, ...state }) => {
      const { gate: _, lesson: __, ...rest } = room
      return { ...state, room: { ...rest, ...defined({ gate: reason, lesson: elsewhere }) } }
    })
    if (opened) notice('The room goes on: Enter.')
  }

  const notice = (text: string) => store.update(state => ({ ...state, notice: text }))

  /** A sentence stays until a key, with those before it that nobody read yet. */
  function say(text: string): void {
    const said = `The teacher: ${text}`
    store.update(({ notice, ...state }) => {
      const unread = typeof notice === 'string' && notice.startsWith('The teacher:') ? `${notice}  ` : ''
      return { ...state, notice: unread + said, room: { ...(state.room ?? shownFirst), said: text } }
    })
  }

  async function giveHint(): Promise<void> {
    const given = bookmark.done === undefined ? await givenHint(await context()) : undefined
    if (given !== undefined) notice('The teacher gives you a hint. It does not count as one that you took.')
  }

  async function hear(message: RoomMessage): Promise<void> {
    gate.hear(message)
    if (message.type === 'say') say(message.text)
    if (message.type === 'hint') await giveHint()
    if (message.type === 'end') {
      set({ ended: true })
      notice('The teacher has ended the workshop. Your progress stays, and learn goes on as before.')
    }
    showGate()
  }

  function online(isOnline: boolean): void {
    gate.online(isOnline)
    set({ online: isOnline })
    showGate()
    if (isOnline) report()
  }

  async function reportOnce(fact: FactName | undefined): Promise<void> {
    const { lesson, task } = sessionNow(await context()) ?? {}
    const at = new Date().toISOString()
    const place = lesson && defined({ lesson: lesson.name, task: taskDone() ?? task?.name })
    await reportToRoom(home, learner, {
      facts: fact === undefined ? [] : [{ at, fact, ...place }],
      at: lesson && taskDone() !== undefined ? `${lesson.name}/${taskDone()}` : null,
      patience: PATIENCE,
    }).catch(() => {})
    const { waiting } = await readOutbox(home, learner)
    set({ waiting: waiting.length })
  }

  /** One report at a time; what happens during one is in the next. */
  function report(fact?: FactName): void {
    if (reporting !== undefined && fact === undefined) {
      again = true
      return
    }
    const before = reporting ?? Promise.resolve()
    const mine = before.then(() => reportOnce(fact)).catch(() => {})
    reporting = mine
    void mine.then(() => {
      if (reporting === mine) reporting = undefined
      if (!again || ends.signal.aborted) return
      again = false
      report()
    })
  }

  function changed(): void {
    clearTimeout(idle)
    idle = setTimeout(() => report('idle'), IDLE)
    showGate()
    report()
  }

  set({})
  const following = followRoom(home, learner, room, { message: hear, online }, ends.signal)
    .then(isGone => {
      if (isGone) set({ online: false, gone: true })
    })
    .catch(() => {})
  const clock = setInterval(showGate, PERIOD)

  return {
    phase: gate.phase,
    changed,
    stuck() {
      report('stuck')
      notice('The teacher sees that you are stuck here.')
    },
    async close() {
      clearInterval(clock)
      clearTimeout(idle)
      ends.abort()
      await following
      await reporting
    },
  }
}
