import type { RoomMessage, RoomPhase } from '../../protocol/room/messages.js'
import type { Lesson } from '../model.js'

/** The end of a task at which a learner is. */
export interface TaskEnd {
  readonly lesson: Pick<Lesson, 'name' | 'tasks'>
  /** The task that was done; undefined at the end of the lesson. */
  readonly task: string | undefined
}

/** The pace of a room, for one learner. */
export interface RoomGate {
  phase(): RoomPhase
  /** Takes a message of the teacher's program. */
  hear(message: RoomMessage): void
  /** Connected to the teacher's program, or not. */
  online(online: boolean): void
  /** The reason for which the learner waits, one sentence. Undefined: the next task may be done. @param now milliseconds since the epoch */
  reason(end: TaskEnd, now: number): string | undefined
}

const shareText = (share: number): string =>
  share === 1 ? 'when everybody has it' : `at ${Math.round(share * 100)} %`

/**
 * Makes the gate of a room. Nobody waits for a teacher who cannot be heard, in another lesson than that of the room, nor before the explanation of a lesson:
 * its last task is followed by reading.
 */
export function createRoomGate(first: RoomPhase): RoomGate {
  let phase = first
  let connected = false
  let counts: Extract<RoomMessage, { type: 'waiting' }> | undefined
  /** A task that was open once stays so, also when more people join. */
  const opened = new Set<string>()

  function isReached(key: string, share: number): boolean {
    if (counts?.task === key && counts.of > 0 && counts.done / counts.of >= share) opened.add(key)
    return opened.has(key)
  }

  return {
    phase: () => phase,
    hear(message) {
      if (message.type === 'phase') phase = message
      if (message.type === 'waiting') counts = message
    },
    online(online) {
      connected = online
    },
    reason({ lesson, task }, now) {
      const { pace, open } = phase
      if (!connected || pace.kind === 'free' || (phase.lesson ?? lesson.name) !== lesson.name)
        return undefined
      if (pace.kind === 'until') {
        const at = new Date(pace.at)
        if (at.getTime() <= now) return undefined
        const clock = at.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })
        return `The room goes on at ${clock}.`
      }
      if (task === undefined) {
        return phase.lesson === undefined ? undefined : 'The room begins the next lesson together.'
      }
      const key = `${lesson.name}/${task}`
      if (task === lesson.tasks.at(-1)?.name || open.includes(key) || isReached(key, pace.share))
        return undefined
      const goesOn = `the room goes on ${shareText(pace.share)}.`
      return counts?.task === key
        ? `${counts.done} of ${counts.of} have it; ${goesOn}`
        : goesOn.charAt(0).toUpperCase() + goesOn.slice(1)
    },
  }
}
