import { defined } from '../../../protocol/values.js'
import { errorByCode, KNOWN_CODES, knownError, underscored } from '../known-errors.js'
import { errorByMessage, withoutCode } from '../known-messages.js'
import { failureOnPage, pageText, type ServerWords, wordsOf } from '../words.js'
import { about, explainError, part, type Reader } from './fragment.js'

/** Longest line that is quoted, in characters. */
const MAX_LINE = 300

/** Messages of Chromium, Firefox and Safari about CORS: the origin of the page where they name it, and the reason. */
const CORS: readonly RegExp[] = [
  /from origin '(?<origin>[^']+)' has been blocked by CORS policy: (?<why>.*)/is,
  /Cross-Origin Request Blocked: (?<why>.*)/is,
  /Origin (?<origin>https?:\/\/\S+) is not allowed by Access-Control-Allow-Origin(?<why>.*)/is,
  /(?<why>Cross-Origin Read Blocking .*|OpaqueResponseBlocking.*)/i,
  /(?<why>cannot load \S{1,2000} due to access control checks.*)/is,
]

/** The next move after the reason of a browser. */
function corsMove(why: string, origin: string | undefined): string {
  const field = /header(?: field)? ([\w-]+|‘[\w-]+’) is not allowed|missing token ‘([\w-]+)’/i.exec(why)
  if (field)
    return `let Access-Control-Allow-Headers name ${field[1] ?? field[2]}, or do not send this header to the server`
  if (/method .* is not allowed/i.test(why)) return 'let Access-Control-Allow-Methods name the method'
  if (/credentials/i.test(why))
    return 'send the request without credentials, or let the answer name the origin and Access-Control-Allow-Credentials: true'
  if (/redirect(?!_uri)/i.test(why))
    return 'answer OPTIONS at this address itself, without a redirect, such as one to a login page or to https'
  return `let the endpoint allow ${origin === undefined ? 'the origin of the page' : `the origin ${origin}`}; an authorization endpoint allows none: send the browser there, no script`
}

/** Explains a message of a browser about CORS. */
export const readCors: Reader = text => {
  const found = CORS.map(pattern => pattern.exec(text)?.groups).find(each => each !== undefined)
  if (found === undefined) return undefined
  const { origin, why = '' } = found
  const said = why
    .replace(/^[.\s]+/, '')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_LINE)
  const sentence = `the browser kept the answer from the page${said === '' ? '' : `: ${said}`}`
  return {
    what: 'cors_message',
    title: 'a message of a browser about CORS',
    parts: origin === undefined ? [] : [part('origin', origin, 'the page that asked')],
    findings: [about('fault', 'cors', 'RFC 9700 §2.6', sentence, corsMove(why, origin))],
  }
}

/** A code of one word means nothing in a sentence. */
const STANDALONE = KNOWN_CODES.filter(each => /[_\dA-Z]/.test(each))
/** The same as words of a text, in small letters or capitals. The name of a setting or a metric is no code: `token_expired=false`. */
const IN_TEXT = STANDALONE.flatMap(each => [each, each.toUpperCase()]).map(
  code => [code, new RegExp(`\\b${code}\\b(?!=)`)] as const,
)

/** The error that the line of a log names in members: `error="…" error_description="…"`, or as a map of Go, Ruby or PHP. */
function inMembers(text: string): ServerWords | undefined {
  const [, inMap, saidInMap] =
    /\bmap\[.{0,300}?\berror:([\w.-]+)(?: error_description:(.{1,300}?))?(?: \w+:|\])/.exec(text) ?? []
  if (inMap !== undefined) return defined({ code: inMap, text: saidInMap })
  const member = (name: string) =>
    // A word without quotes is a code where no sentence goes on after it.
    new RegExp(
      `\\b${name}["'\\]]?\\s*(?:=>|[=:])\\s*(?:"([^"]{1,300})"|'([^']{1,300})'|([\\w.-]{3,80})(?![\\w.-]| [a-z]+ [a-z]+\\b))`,
    )
      .exec(text)
      ?.slice(1)
      .find(Boolean)
  const code = member('error') ?? member('error_code')
  // A class of a program is no code: its message says more.
  if (code === undefined || !/^[\w.-]*[a-z][\w.-]*$/i.test(code) || !/[_.\dA-Z]/.test(code)) return undefined
  if (/^(?:[A-Z]\w*)?(?:Error|Exception)$/.test(code)) return undefined
  const said = member('error_description') ?? member('reason')
  return said === undefined ? { code } : { code, text: said }
}

/** The code that the class of an exception names: `InvalidGrantError`, `ServerError`. */
const codeOfClass = (text: string): string | undefined =>
  [...withoutCode(text).matchAll(/\b([A-Z][a-z]+[A-Za-z]*)(?:Error|Exception)\b/g)]
    .flatMap(([whole, name = '']) => [name, whole])
    .map(underscored)
    .find(each => STANDALONE.includes(each))

/** Explains an error code, a line of a log, or a message of a program. */
export const readSentence: Reader = text => {
  const lineWith = (isIt: (line: string) => boolean) => (text.split('\n').find(isIt) ?? text).trim()
  const members = inMembers(text)
  const entra = /\bAADSTS\d{4,7}\b(?:: [^\n"]{1,300})?/.exec(text)?.[0]
  const known = errorByCode(text) ? text : IN_TEXT.find(([, inText]) => inText.test(text))?.[0]
  const message = errorByMessage(text)
  const told = lineWith(each => errorByMessage(each) === message)
  const named = message ? undefined : (members?.code ?? codeOfClass(text))
  const code = entra?.split(':', 1)[0] ?? known ?? named
  if (code !== undefined) {
    const isTold = message !== undefined && knownError({ code, text: told }) !== errorByCode(code)
    const shown = lineWith(each => (text.includes(code) ? each.includes(code) : codeOfClass(each) === code))
    const line = (members?.code === code ? members.text : entra) ?? (isTold ? told : shown)
    const words = { code, ...(text !== code && { text: line }) }
    const where = knownError(words)?.where ?? 'an error of a server'
    return explainError(words, { what: 'error_code', title: `the error ${code}: ${where}`, parts: [] })
  }
  if (message === undefined) return undefined
  const title = message.where.startsWith('a message') ? message.where : `a message about ${message.where}`
  return explainError({ text: told }, { what: 'error_message', title, parts: [] })
}

/** Explains a page, or an answer in XML, that reports an error. */
export const readPage: Reader = text => {
  if (/^<(?:\?xml|(?:\w+:)?(?:Envelope|Fault|Error|OAuth)\b)/.test(text)) {
    const said = wordsOf({ status: 400, headers: [['content-type', 'text/xml']], body: text })
    return (
      said && explainError(said, { what: 'error_page', title: 'an answer of a server, in XML', parts: [] })
    )
  }
  if (!/^\s*<(?:!doctype html|html|head|body|div|title|h1|script|p|a)\b/i.test(text)) return undefined
  const words =
    wordsOf({ status: 200, headers: [['content-type', 'text/html']], body: text }) ?? failureOnPage(text)
  if (words === undefined || pageText(text) === '') return undefined
  return explainError(words, { what: 'error_page', title: 'a page of a server', parts: [] })
}
