import { type NewFact, readFact } from '../../protocol/room/facts.js'
import { SECRET_BYTES } from '../../protocol/room/join-code.js'
import type { RoomMessage, RoomPhase } from '../../protocol/room/messages.js'
import { defined, isJsonObject, parsedObject } from '../../protocol/values.js'

/** A participant as the room keeps it. */
export interface KeptPerson {
  readonly who: string
  readonly name: string
  /** SHA-256 of the token, base64url. */
  readonly token: string
  readonly seed: number
  /** ISO 8601 UTC. */
  readonly joinedAt: string
  readonly leftAt?: string
  /** The last message before this person joined. */
  readonly since: number
  /** Highest number of a fact that came from this person. */
  readonly n: number
}

/** A sentence or hint of the teacher. */
export interface KeptMessage {
  /** From 1. */
  readonly id: number
  /** Left out: for all. */
  readonly who?: string
  readonly message: Extract<RoomMessage, { type: 'say' | 'hint' }>
}

/** A room without the facts of its people, as the file of the teacher's home holds it. */
export interface RoomState {
  readonly version: 1
  readonly name: string
  /** As `learn --course`; left out: all lessons. */
  readonly course?: string
  /** The folder of the teacher's lessons; left out: the built-in ones. */
  readonly folder?: string
  /** 40 random bits in hexadecimal: the part of the code that lets people in. */
  readonly secret: string
  /** The key of the teacher's page. */
  readonly key: string
  readonly phase: RoomPhase
  /** ISO 8601 UTC. */
  readonly endedAt?: string
  readonly people: readonly KeptPerson[]
  /** Oldest first. */
  readonly messages: readonly KeptMessage[]
}

/** A fact as the room keeps it: `at` is by the clock of the teacher. */
export interface KeptFact extends NewFact {
  readonly who: string
  readonly n: number
}

/** Makes the state of a room that nobody has joined. */
export function newRoomState(
  wanted: Pick<RoomState, 'name' | 'course' | 'folder'>,
  { random }: { random: (length: number) => Uint8Array },
): RoomState {
  return {
    version: 1,
    ...wanted,
    secret: Buffer.from(random(SECRET_BYTES)).toString('hex'),
    key: Buffer.from(random(16)).toString('base64url'),
    phase: { pace: { kind: 'free' }, open: [] },
    people: [],
    messages: [],
  }
}

/** Reads a state back. Returns undefined for any other text. */
export function readRoomState(text: string): RoomState | undefined {
  const value = parsedObject(text)
  const isState =
    value?.version === 1 &&
    typeof value.name === 'string' &&
    typeof value.secret === 'string' &&
    typeof value.key === 'string' &&
    isJsonObject(value.phase) &&
    Array.isArray(value.people) &&
    Array.isArray(value.messages)
  return isState ? (value as unknown as RoomState) : undefined
}

/** Reads a line of the file of facts. Returns undefined for a torn line. */
export function readKeptFact(line: string): KeptFact | undefined {
  const { who, ...rest } = parsedObject(line) ?? {}
  if (typeof who !== 'string') return undefined
  const fact = readFact(rest)
  return fact && defined({ ...fact, who })
}
