/** Longest value of a field that is posted, in UTF-16 units: some chat services take no more than 1,024. */
const MAX_VALUE = 1000

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** What draws nothing, breaks a line or turns the direction of writing. */
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu

/** An @ that could begin the name of somebody or of everybody. In an e-mail address it is within a word. */
const mention = /(?<![\p{L}\p{N}_.+-])@(?=[\p{L}\p{N}_])/gu

/** Nobody sees it, and no chat service takes what is around it for one word. */
const ZERO_WIDTH_SPACE = '\u200b'

function cut(text: string): string {
  return text.length <= MAX_VALUE ? text : `${text.slice(0, MAX_VALUE - 1).toWellFormed()}…`
}

/**
 * Text from outside as chat services show it and do not act on it: `&`, `<` and `>` as entities and nothing else
 * (so `<!channel>` calls nobody), an `@name` that some services would obey kept from being one, and characters that
 * cannot be seen as U+FFFD.
 */
export function chatText(text: string): string {
  return cut(text.replace(invisible, '\ufffd'))
    .replace(/[&<>]/g, char => entities[char]!)
    .replace(mention, `@${ZERO_WIDTH_SPACE}`)
}
