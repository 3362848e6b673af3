import { heldBytes } from '../../protocol/bounded-maps.js'
import { RequestRefusal } from './forms.js'
import { MAX_NOTE_LENGTH, MAX_NOTES, MAX_NOTES_BYTES } from './settings.js'

/** A note of a person. */
export interface Note {
  readonly id: string
  readonly text: string
  /** Milliseconds since the epoch. */
  readonly at: number
}

/** The notes of all accounts, in memory. */
export interface Notes {
  /** Returns the notes of an account, newest first. */
  of(account: string): readonly Note[]
  /** @throws RequestRefusal for an empty or long text, and where there is no room */
  add(account: string, text: string): Note
  /** Deletes a note. Returns false where the account has no such note. */
  remove(account: string, id: string): boolean
}

/**
 * Returns a text as it is kept: line ends as LF (a form sends CRLF), without space at its ends. The text is copied,
 * because V8 keeps the whole form alive through a part of it.
 */
function normalized(text: string): string {
  return Buffer.from(text.replace(/\r\n?/g, '\n').trim(), 'utf8').toString('utf8')
}

/** Makes the empty store of notes. */
export function createNotes(ports: {
  readonly now: () => number
  readonly random: (length: number) => Uint8Array
}): Notes {
  const kept = new Map<string, readonly Note[]>()
  let bytes = 0
  const sizeOf = (account: string, note: Note) => heldBytes(account) + heldBytes(note)

  return {
    of: account => kept.get(account) ?? [],
    add(account, typed) {
      const text = normalized(typed)
      if (text === '') throw new RequestRefusal(400, 'the note is empty', 'RFC 9110 §15.5.1')
      if (text.length > MAX_NOTE_LENGTH) {
        throw new RequestRefusal(
          413,
          `the note has ${text.length} characters; ${MAX_NOTE_LENGTH} are allowed`,
          'RFC 9110 §15.5.14',
        )
      }
      const notes = kept.get(account) ?? []
      if (notes.length >= MAX_NOTES) {
        throw new RequestRefusal(409, `you have ${MAX_NOTES} notes; delete one first`, 'RFC 9110 §15.5.10')
      }
      const note = { id: Buffer.from(ports.random(12)).toString('base64url'), text, at: ports.now() }
      const size = sizeOf(account, note)
      if (bytes + size > MAX_NOTES_BYTES) {
        throw new RequestRefusal(503, 'all notes together take too much memory', 'RFC 9110 §15.6.4')
      }
      bytes += size
      kept.set(account, [note, ...notes])
      return note
    },
    remove(account, id) {
      const notes = kept.get(account) ?? []
      const gone = notes.find(each => each.id === id)
      if (gone === undefined) return false
      bytes -= sizeOf(account, gone)
      const left = notes.filter(each => each !== gone)
      if (left.length === 0) kept.delete(account)
      else kept.set(account, left)
      return true
    },
  }
}
