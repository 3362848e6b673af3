import { UsageError } from '../../protocol/errors.js'

/** The name by which `--server` means the lab of the room. Each command reads it, and few load the rest of a room. */
export const ROOM = 'room'

/** Refuses the name where settings for other programs need an address. @throws UsageError */
export function refuseRoomName(server: string | undefined): void {
  if (server !== ROOM) return
  throw new UsageError('these settings are for another program, which knows no --server room', [
    'Name the address that join printed, such as:  --server https://192.0.2.7:8443',
  ])
}
