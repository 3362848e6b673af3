import { isIP } from 'node:net'

/** The place of a room's HTTPS port. */
export interface RoomAddress {
  /** An IP address without brackets, or a name. */
  readonly host: string
  readonly port: number
}

/** The port of a workshop, where its address names none. */
const PORT = 8448

/** Reads `192.0.2.7:8448`, `[2001:db8::7]:8448`, or either without the port. Undefined for another text. */
export function readRoomAddress(text: string): RoomAddress | undefined {
  const bare = text
    .trim()
    .replace(/^https:\/\//i, '')
    .replace(/\/$/, '')
  const [, six, name, port = String(PORT)] =
    /^(?:\[([\da-f:.]+(?:%[\w.-]+)?)\]|([\w.-]{1,253}))(?::(\d{1,5}))?$/i.exec(bare) ?? []
  const host = six ?? name ?? (isIP(bare) === 6 ? bare : undefined)
  const number = Number(port)
  return host === undefined || number < 1 || number > 65_535 ? undefined : { host, port: number }
}
