import { parsedJson } from '../../../protocol/values.js'

/** Sequences that a terminal obeys and nobody sees. */
const ANSI = /\u001b(?:\[[0-9;?]*[A-Za-z]|\][^\u0007\u001b]*(?:\u0007|\u001b\\))/g

/** Pairs that people put around a text. */
const WRAPPED = /^(?:<([^<>\s]+)>|`([^`]+)`|"([^"\n]+)"|'([^'\n]+)'|“([^”\n]+)”|\(([^()\s]+)\))$/

const every = (text: string, pattern: RegExp): boolean =>
  text.split('\n').every(line => line.trim() === '' || pattern.test(line))

/** Removes the marks that mail, editors and Markdown put before lines and around a text. */
function withoutMarks(pasted: string): string {
  let text = pasted
  for (let i = 0; i < 5 && every(text, /^\s*>/); i++) text = text.replace(/^[ \t]*> ?/gm, '').trim()
  const isNumbered = text.includes('\n') && every(text, /^\s*\d{1,5}(?:[|\t]|:(?!\d\d\b)|\s{2,})/)
  if (isNumbered) text = text.replace(/^\s*\d{1,5}(?:[:|\t]| {2,}) ?/gm, '')
  const fence = /^(?:```|~~~)[\w-]*\n(.*?)\n?(?:```|~~~)$/s.exec(text)
  if (fence) text = fence[1]!.trim()
  const link = /^\[[^\]\n]*\]\((\S+)\)$/.exec(text)
  if (link) text = link[1]!
  for (let i = 0; i < 3; i++) {
    const inner = WRAPPED.exec(text)
      ?.slice(1)
      .find(each => each !== undefined)
    if (inner === undefined) break
    text = inner.trim()
  }
  return text
}

/** An address or a token as it stood before a page, a program or a mail wrote it in its own way. */
function unescaped(text: string): string {
  const plain = text
    .replace(/^(?:location|referer|referrer|url|uri):\s*/i, '')
    .replace(/&(?:amp|#38|#x26);/gi, '&')
    .replace(/\\u0026/gi, '&')
    .replace(/\\\//g, '/')
  return /=3D/.test(plain)
    ? plain
        .replace(/=\n/g, '')
        .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
    : plain
}

/** A dictionary of Python, or a hash of Ruby, as JSON. */
const asJson = (text: string): string =>
  text
    .replace(/([{,]\s*)'((?:[^'\\]|\\.)*)'(\s*(?::|=>))/g, '$1"$2"$3')
    .replace(
      /((?::|=>)\s*)'((?:[^'\\]|\\.)*)'/g,
      (_, mark: string, value: string) => `${mark}${JSON.stringify(value)}`,
    )
    .replace(/"\s*=>\s*/g, '":')
    .replace(/\bNone\b|\bnil\b/g, 'null')
    .replace(/\bTrue\b/g, 'true')
    .replace(/\bFalse\b/g, 'false')

const straight = (text: string): string => text.replace(/[“”„«»]/g, '"').replace(/[‘’]/g, "'")

/** The readings of a pasted text, the plainest first: without marks, in one line, with the characters that a program had replaced. */
export function readings(pasted: string): string[] {
  const text = withoutMarks(
    pasted
      .replace(/[\uFEFF\u200B\u2060]/g, '')
      .replace(/\r\n?/g, '\n')
      .replace(ANSI, '')
      .replace(/\u00A0/g, ' ')
      .trim(),
  )
  const lines = text.split('\n').map(line => line.trim())
  // An address or a token that a mail or a terminal broke over several lines. A form and a dictionary have their own line ends.
  const isBroken =
    lines.length > 1 &&
    lines.length < 200 &&
    lines.every(line => /^\S+$/.test(line)) &&
    // Several addresses stand in lines of their own.
    !lines.slice(1).some(line => /^https?:\/\//i.test(line)) &&
    /^(?:<?https?:|eyJ|[\w+/=]{30})/i.test(text)
  const joined = isBroken ? unescaped(/=3D/.test(text) ? text : lines.join('')) : text
  const plain =
    /\s/.test(joined) && !/^(?:location|referer|url):/i.test(joined)
      ? joined
      : withoutMarks(unescaped(joined))
  const all = [plain, text, straight(text)]
  if (/^[{[]/.test(text)) all.push(asJson(straight(text)))
  return [...new Set(all)]
}

/** Longest text that is repaired, in characters. */
const MAX_CUT = 64 * 1024

/** Closes the strings, lists and objects of a JSON text that was cut off. Undefined for a text that is not. */
export function repairJson(text: string): unknown {
  let inString = false
  let escaped = false
  const open: string[] = []
  /** The end of the last whole member, and what was open there. */
  let whole: readonly [end: number, open: readonly string[]] = [0, []]
  for (let i = 0; i < Math.min(text.length, MAX_CUT); i++) {
    const each = text[i]!
    if (escaped) escaped = false
    else if (inString) {
      if (each === '\\') escaped = true
      else if (each === '"') inString = false
    } else if (each === '"') inString = true
    else if (each === '{' || each === '[') open.push(each === '{' ? '}' : ']')
    else if (each === '}' || each === ']') open.pop()
    else if (each === ',') whole = [i, [...open]]
  }
  if (open.length === 0) return undefined
  const close = (start: string, left: readonly string[]) => start + [...left].reverse().join('')
  for (const each of [
    close(`${text}${inString ? '"' : ''}`, open),
    close(text.slice(0, whole[0]), whole[1]),
  ]) {
    // Undefined where the cut is in the middle of a member.
    const value = parsedJson(each)
    if (value !== undefined) return value
  }
  return undefined
}
