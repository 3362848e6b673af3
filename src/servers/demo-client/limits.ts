/** Largest body of a request, in bytes. */
export const MAX_BODY_BYTES = 16 * 1024

/** Longest note, in UTF-16 units, as `maxlength` counts them. */
export const MAX_NOTE_LENGTH = 2000

/** Most notes of one account. */
export const MAX_NOTES = 50

/** Most memory of all notes, in bytes. */
export const MAX_NOTES_BYTES = 8 * 1024 * 1024

/** Time that a login may take, in milliseconds. */
export const LOGIN_LIFETIME = 10 * 60_000

/** Time that a session lasts from its login, in milliseconds. */
export const SESSION_LIFETIME = 8 * 3_600_000

/** Most logins under way, and most sessions. */
export const MAX_KEPT = 5000

/** Most memory of either, in bytes. */
export const MAX_KEPT_BYTES = 8 * 1024 * 1024

/** The path that receives logout tokens. */
export const BACK_CHANNEL_PATH = '/backchannel-logout'
