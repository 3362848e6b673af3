/** Longest text from outside in an event, in UTF-16 units. */
export const MAX_EVENT_TEXT = 200

/** Text from outside, bounded in length and well-formed, for an event. */
export function bounded(text: string, limit = MAX_EVENT_TEXT): string {
  return text.length <= limit ? text.toWellFormed() : `${text.slice(0, limit - 1).toWellFormed()}…`
}

/**
 * Text from outside for an event, where a name is expected that this server does not know. A long text of letters and
 * digits may be a secret in the wrong place, so it is cut in the middle.
 */
export function unknownName(text: string): string {
  return /^(?=.*\d)(?=.*[A-Za-z])[\w+/=.~-]{20,}$/.test(text) ? cut(text) : bounded(text)
}

/** Cuts a code or token in the middle, so that the rest is useless: `k3V9…Qm1`. */
export function cut(secret: string): string {
  return secret.length < 16 ? '…' : `${secret.slice(0, 4)}…${secret.slice(-3)}`.toWellFormed()
}
