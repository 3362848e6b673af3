import { EVENT_FIELDS, type SecurityEvent } from '../../shapes.js'
import { loggedOnly } from '../events/event.js'

/** An attachment of a chat post (interface specification, security events). */
export interface Attachment {
  /** The color of the bar: `good` for an event that was only logged. */
  readonly color: 'good' | 'danger'
  /** One line of text for programs that do not show attachments. */
  readonly fallback: string
  readonly fields: readonly { readonly title: string; readonly value: string; readonly short: boolean }[]
}

/** The sender of a post. Webhooks of an app ignore it. */
interface PostedAs {
  readonly channel?: string | undefined
  readonly username?: string | undefined
  readonly icon_url?: string | undefined
}

/** A chat post, with its members in the order of the JSON. */
export type ChatPost = PostedAs & { readonly attachments: readonly Attachment[] }

/** Fields that need the whole width. */
const LONG: ReadonlySet<string> = new Set(['host', 'uri', 'ua'])

function inOneLine({ action, source, ip, country, host, uri }: SecurityEvent): string {
  const from = country === '' ? ip : `${ip} (${country})`
  const words = [action, source, from && `from ${from}`, `${host}${uri}`]
  return words.filter(each => each !== '').join(' ')
}

/** Builds the attachment of an event: one field for each of its ten fields that is not empty, with the title of the API. */
export function attachmentOf(event: SecurityEvent): Attachment {
  return {
    color: loggedOnly(event.action) ? 'good' : 'danger',
    fallback: chatText(inOneLine(event)),
    fields: EVENT_FIELDS.flatMap(title =>
      event[title] === '' ? [] : [{ title, value: chatText(event[title]), short: !LONG.has(title) }],
    ),
  }
}

/** Splits events into posts of at most `batch` events, in order. */
export function postsOf(events: readonly SecurityEvent[], as: PostedAs, batch: number): ChatPost[] {
  const { channel, username, icon_url } = as
  const head = {
    ...(channel !== undefined && { channel }),
    ...(username !== undefined && { username }),
    ...(icon_url !== undefined && { icon_url }),
  }
  return Array.from({ length: Math.ceil(events.length / batch) }, (_, i) => ({
    ...head,
    attachments: events.slice(i * batch, (i + 1) * batch).map(attachmentOf),
  }))
}

/** The longest value of a field, in UTF-16 units. Some chat services accept at most 1,024. */
const MAX_VALUE = 1000

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** Characters that are invisible, break a line or change the direction of text. */
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu

/** An @ that could begin a mention. In an e-mail address the @ is within a word. */
const mention = /(?<![\p{L}\p{N}_.+-])@(?=[\p{L}\p{N}_])/gu

/** An invisible character that ends a word for every chat service. */
const ZERO_WIDTH_SPACE = '\u200b'

function cut(text: string): string {
  return text.length <= MAX_VALUE ? text : `${text.slice(0, MAX_VALUE - 1).toWellFormed()}…`
}

/**
 * Makes untrusted text safe for chat services. `&`, `<` and `>` become entities, so `<!channel>` notifies nobody. An `@name` is split, because some
 * services would notify that person. Invisible characters become U+FFFD.
 */
export function chatText(text: string): string {
  return cut(text.replace(invisible, '\ufffd'))
    .replace(/[&<>]/g, char => entities[char]!)
    .replace(mention, `@${ZERO_WIDTH_SPACE}`)
}
