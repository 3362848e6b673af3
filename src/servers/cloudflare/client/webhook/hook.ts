import { UsageError } from '../../../../protocol/errors.js'
import { parsedUrl } from '../../../../protocol/http/address.js'
import { isThisMachine } from '../access.js'

/** The address of a chat webhook. It is a secret: anyone who has it can post. No message holds a part of it. */
export interface Hook {
  readonly url: string
  /** Removes parts of the address from a text. */
  readonly hide: (text: string) => string
}

/** The shortest secret part of a path, in characters. Shorter parts are names such as `services`. */
const SECRET_LENGTH = 6

/**
 * Reads the address of a hook.
 * @param from the option or the variable that names it, for messages
 * @throws UsageError that does not repeat the address
 */
export function readHook(text: string, from = '--webhook'): Hook {
  const url = parsedUrl(text)
  if (url === undefined || !['https:', 'http:'].includes(url.protocol) || url.username !== '') {
    throw new UsageError(`${from} is not the URL of a chat webhook (it is a secret, and not shown)`, [
      'It looks like https://hooks.slack.com/services/T…/B…/…',
      'The lab has one to try:   https://localhost:8446/services/T0/B0/anything',
    ])
  }
  if (url.protocol === 'http:' && !isThisMachine(text)) {
    throw new UsageError(`${from} is plain http: anyone who sees the address can post in your name`, [
      'Use https; plain http is for this machine alone',
    ])
  }
  if (/(^|\.)discord(app)?\.com$/.test(url.hostname) && !/\/slack\/?$/.test(url.pathname)) {
    throw new UsageError(`${from} is the address for posts in Discord's own form, which has no attachments`, [
      'Add /slack to its end: that address takes posts in the form of Slack.',
    ])
  }
  url.hash = ''
  const { href, host, pathname, search } = url
  const parts = `${pathname}/${search}`.split(/[/?&=]/).filter(part => part.length >= SECRET_LENGTH)
  // The longest secret is replaced first, because one secret may begin with another.
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
