import { header, headerValues, splitUrl } from '../../../protocol/http/message.js'
import { parseChallenges } from '../../../protocol/oauth/bearer.js'
import { isJsonObject, parsedJson, withoutEnd } from '../../../protocol/values.js'
import { wordsOf } from '../words.js'
import { readCassette, readPostmanRun } from './cassettes.js'
import { readings, repairJson } from './clean.js'
import { about, explainError, explainExchanges, type Fragment, type Reader } from './fragment.js'
import { readHttpText } from './http-text.js'
import { explainRequest, readAddress, readCommand, readForm } from './requests.js'
import { readCors, readPage, readSentence } from './sentences.js'
import { isErrorLike, readHeader, readKey, readObject, readPem, readSaml, readToken } from './values.js'

/** Longest text that is taken for a fragment, in characters. */
export const MAX_FRAGMENT = 2 * 1024 * 1024

// JSON

const readJson: Reader = async text => {
  if (!/^[[{]/.test(text)) return undefined
  const parsed = parsedJson(text)
  const value = parsed === undefined ? repairJson(text) : parsed
  const isCut = parsed === undefined && value !== undefined
  const cassette = readCassette(value)
  if (cassette) return ofExchanges('cassette', 'a VCR cassette', cassette)
  const run = readPostmanRun(value)
  if (run) return ofExchanges('postman_run', 'the report of a Postman run', run)
  const whole = isCut ? JSON.stringify(value) : text
  const fragment = isJsonObject(value) ? readObject(value, whole) : readList(value, whole)
  if (fragment === undefined || !isCut) return fragment
  const cut = about(
    'remark',
    'cut-off',
    'RFC 6749 §5.1',
    'the text is cut off, and is read as far as it goes',
    'copy the whole of it',
  )
  return { ...fragment, findings: [...fragment.findings, cut] }
}

const readList = (value: unknown, text: string): Fragment | undefined => {
  const words = isErrorLike(value) ? wordsOf({ status: 400, headers: [], body: text }) : undefined
  return words && explainError(words, { what: 'token_error', title: 'an error answer in JSON', parts: [] })
}

// Texts of programs

async function ofExchanges(
  what: string,
  title: string,
  exchanges: Parameters<typeof explainExchanges>[0],
): Promise<Fragment> {
  const explanation = await explainExchanges(exchanges)
  const fragment = { what, title, parts: [], findings: [], explanation }
  const refused = exchanges.find(({ exchange }) => (exchange.response?.status ?? 0) >= 400)?.exchange
  if (refused?.response === undefined || explanation.flows.length > 0) return fragment
  const words = wordsOf(refused.response)
  if (words !== undefined) return { ...explainError(words, fragment), explanation }
  const { status } = refused.response
  const schemes = parseChallenges(headerValues(refused.response, 'www-authenticate')).map(
    ({ scheme }) => scheme,
  )
  const wants = schemes.length === 0 ? '' : `; the server wants ${schemes.join(' or ')}`
  const text = `${refused.request.method} ${splitUrl(refused.request.url).path} was answered with ${status}${wants}`
  const sent = header(refused.request, 'authorization') === undefined
  const next = status === 401 && sent ? 'send a token: Authorization: Bearer TOKEN' : undefined
  return { ...fragment, findings: [about('fault', 'request-refused', 'RFC 6750 §3', text, next)] }
}

const readTrace: Reader = text => {
  const found = readHttpText(text)
  if (found === undefined) return undefined
  const title = found.tool === 'HTTP' ? 'HTTP messages' : `the output of ${found.tool}`
  const [only] = found.exchanges
  // A message alone is judged by what it says.
  const isAlone =
    found.exchanges.length === 1 && found.tool === 'HTTP' && only?.exchange.response === undefined
  return (
    (isAlone && only ? explainRequest(only.exchange.request, ', as an HTTP message') : undefined) ??
    ofExchanges('http', title, found.exchanges)
  )
}

const readYaml: Reader = async text => {
  if (!/^(?:---\s*\n)?(?:http_interactions|interactions):/m.test(text)) return undefined
  const { parseYaml } = await import('../../../protocol/yaml-text.js')
  const exchanges = readCassette((await parseYaml(text)).value)
  return exchanges && ofExchanges('cassette', 'a VCR cassette', exchanges)
}

const READERS: readonly Reader[] = [
  readTrace,
  readCommand,
  readJson,
  readYaml,
  readPem,
  readSaml,
  readToken,
  readKey,
  readHeader,
  readAddress,
  readForm,
  readPage,
  readCors,
]

async function readWith(readers: readonly Reader[], text: string): Promise<Fragment | undefined> {
  for (const read of readers) {
    const fragment = await read(text)
    if (fragment !== undefined) return fragment
  }
  return undefined
}

/** Pieces that stand in a longer text, each with the readers that it is for: addresses, lines of a log of requests, tokens, forms. */
const PIECES: readonly (readonly [RegExp, readonly Reader[]])[] = [
  [
    /\b[a-z][\w+.-]{1,30}:\/\/?[^\s"'<>`()[\]{}|\\?#]{1,300}[?#][^\s"'<>`()[\]{}|\\]{1,8000}/gi,
    [readAddress],
  ],
  [/(?<=\b(?:(?:GET|POST) |(?:ur[il]|path)=)"?)\/[^\s"]*\?[^\s"]+/gi, [readAddress]],
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]*(?:\.[\w-]+){0,2}/g, [readToken]],
  [/\bgrant_type=[^\s"'&]+&[^\s"']+/g, [readForm]],
]

/** Most pieces of one text that are explained. */
const MAX_PIECES = 5

/** Most braces in a text at which JSON is tried. */
const MAX_TRIED = 50

const OBJECT = /^\{(?:[^{}"]|"(?:[^"\\]|\\.)*"|\{(?:[^{}"]|"(?:[^"\\]|\\.)*"|\{[^{}]*\})*\})*\}/

/** JSON that stands in a string of a program, as it was before: `Response: {\"error\":…}`. */
const unquoted = (text: string): string =>
  /\{(?:\\n|\s)*\\"/.test(text) && !/\{\s*"/.test(text)
    ? text.replace(/(?<!\\)\\+(["n])/g, (_, after: string) => (after === 'n' ? '\n' : after))
    : text

/** Finds the pieces of a text that are something of OAuth, in their order, and returns them with the text between them. */
async function piecesOf(pasted: string): Promise<{ pieces: readonly Fragment[]; between: string }> {
  const text = unquoted(pasted)
  const found: { at: number; end: number; fragment: Fragment }[] = []
  const note = (at: number, piece: string, fragment: Fragment | undefined) => {
    if (fragment) found.push({ at, end: at + piece.length, fragment })
  }
  let at = text.indexOf('{')
  for (let tried = 0; at >= 0 && tried < MAX_TRIED; tried++) {
    const object = OBJECT.exec(text.slice(at, at + 64 * 1024))?.[0] ?? ''
    const fragment = object === '' ? undefined : await readJson(object)
    note(at, object, fragment)
    // Something else in braces may hold JSON.
    at = text.indexOf('{', at + (fragment === undefined ? 1 : object.length))
  }
  for (const [pattern, readers] of PIECES) {
    for (const { 0: piece, index } of [...text.matchAll(pattern)].slice(0, MAX_PIECES)) {
      note(index, piece, await readWith(readers, withoutEnd(piece, '.,;:!?)')))
    }
  }
  found.sort((a, b) => a.at - b.at)
  let [between, from] = ['', 0]
  for (const { at, end } of found) {
    between += `${text.slice(from, at)} `
    from = Math.max(from, end)
  }
  return {
    pieces: withLoop(found.map(({ fragment }) => fragment).slice(0, MAX_PIECES)),
    between: between + text.slice(from),
  }
}

/** Adds a remark to a login that begins after the callback of another one, such as in the log of requests. */
function withLoop(pieces: readonly Fragment[]): readonly Fragment[] {
  const ended = pieces.findIndex(({ what }) => what === 'callback')
  return pieces.map((piece, i) => {
    if (ended < 0 || i < ended || piece.what !== 'authorization_request') return piece
    const again = about(
      'remark',
      'login-again',
      'RFC 6265 §5.4',
      'a login begins here after the callback of another one: where one browser made both, the application did not keep the first',
      'check the cookie of the session: host, path, Secure, SameSite and size; record the login, and explain the recording',
    )
    return { ...piece, findings: [...piece.findings, again] }
  })
}

/** True for what quotes an error of a program. A token or an address beside a message has faults of its own. */
const reportsError = ({ findings, explanation }: Fragment): boolean =>
  explanation !== undefined || findings.some(({ words }) => words !== undefined)

/**
 * Recognises a text that somebody pasted, and explains it: as a whole, else by the pieces in it and by the words of a message, of which what reports
 * an error comes first. Undefined for a text that is nothing of OAuth.
 */
export async function explainText(pasted: string): Promise<Fragment | undefined> {
  if (pasted.length > MAX_FRAGMENT) return undefined
  const texts = readings(pasted).filter(text => text !== '')
  for (const text of texts) {
    const whole = await readWith(READERS, text)
    if (whole !== undefined) return whole
  }
  const { pieces, between } = await piecesOf(texts[0] ?? '')
  const said = pieces.some(reportsError) || between.trim() === '' ? undefined : await readSentence(between)
  const [first, ...more] = said === undefined ? pieces : [said, ...pieces]
  return first === undefined || more.length === 0 ? first : { ...first, more }
}
