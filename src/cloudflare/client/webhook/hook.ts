import { UsageError } from '../../../errors.js'
import { isThisMachine } from '../access.js'

/** The address of a chat webhook. Anyone who has it can post: it is a secret, and no message holds a part of it. */
export interface Hook {
  readonly url: string
  /** Returns a text without parts of the address. */
  readonly hide: (text: string) => string
}

/** Shortest secret part of a path, in characters. Shorter parts are words such as `services`. */
const SECRET_LENGTH = 6

/**
 * Reads the address of a hook.
 * @throws UsageError that does not repeat the address
 */
export function readHook(text: string): Hook {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !['https:', 'http:'].includes(url.protocol) || url.username !== '') {
    throw new UsageError('--webhook is not the URL of a chat webhook (it is a secret, and not shown)', [
      'It looks like https://hooks.slack.com/services/T…/B…/…',
      'The lab has one to try:   https://localhost:8446/services/T0/B0/anything',
    ])
  }
  if (url.protocol === 'http:' && !isThisMachine(text)) {
    throw new UsageError('--webhook is plain http: anyone who sees the address can post in your name', [
      'Use https; plain http is for this machine alone',
    ])
  }
  url.hash = ''
  const { href, host, pathname, search } = url
  const parts = `${pathname}/${search}`.split(/[/?&=]/).filter(part => part.length >= SECRET_LENGTH)
  // The longest first: one secret may be the beginning of another.
  const whole = [text, href, `${pathname}${search}`, pathname, host, url.hostname]
  const secrets = [...new Set([...whole, ...parts])]
    .flatMap(each => [each, decoded(each)])
    .filter(each => each.length > 1)
    .sort((a, b) => b.length - a.length)
  const hide = (message: string) =>
    secrets.reduce((hidden, secret) => hidden.replaceAll(secret, '…'), message)
  return { url: href, hide }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
