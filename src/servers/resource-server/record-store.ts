/** A stored value. It is kept in memory while the server runs. */
export interface StoredRecord {
  readonly id: string
  /** ISO 8601 UTC. */
  readonly at: string
  /** `sub` of the token; null for a token without a `sub`. */
  readonly by: string | null
  readonly value: unknown
}

/** The records of all subjects. */
export interface RecordStore {
  /** Returns the records of one subject, oldest first. */
  readonly of: (claims: Claims) => readonly StoredRecord[]
  readonly add: (claims: Claims, value: unknown) => StoredRecord
}

type Claims = Readonly<Record<string, unknown>>

/** Most records kept. A new record replaces the oldest. */
const MAX_RECORDS = 100

const subjectOf = ({ sub }: Claims): string | null => (typeof sub === 'string' ? sub : null)

/** Makes an empty store, which `/records` and the MCP tools share. */
export function createRecordStore(ports: {
  readonly now: () => number
  readonly random: (length: number) => Uint8Array
}): RecordStore {
  const records: StoredRecord[] = []
  return {
    of(claims) {
      const by = subjectOf(claims)
      return records.filter(each => each.by === by)
    },
    add(claims, value) {
      const record: StoredRecord = {
        id: Buffer.from(ports.random(9)).toString('base64url'),
        at: new Date(ports.now()).toISOString(),
        by: subjectOf(claims),
        value,
      }
      records.push(record)
      if (records.length > MAX_RECORDS) records.shift()
      return record
    },
  }
}
