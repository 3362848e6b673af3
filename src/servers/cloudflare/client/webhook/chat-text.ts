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
