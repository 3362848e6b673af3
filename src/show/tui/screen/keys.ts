import type { Key } from 'ink'

/**
 * One press of a key, or a piece of pasted text. `name` is `enter`, `tab`, `shift-tab`, `esc`, `backspace`, `up`,
 * `down`, `left`, `right`, `pageup`, `pagedown`, `home`, `end`, `ctrl-x`, the character itself, or empty for what no
 * command can be; `text` is what it would type.
 */
export interface KeyPress {
  readonly name: string
  readonly text: string
}

const named: ReadonlyArray<readonly [flag: keyof Key, name: string]> = [
  ['upArrow', 'up'],
  ['downArrow', 'down'],
  ['leftArrow', 'left'],
  ['rightArrow', 'right'],
  ['pageUp', 'pageup'],
  ['pageDown', 'pagedown'],
  ['home', 'home'],
  ['end', 'end'],
  ['return', 'enter'],
  ['escape', 'esc'],
  ['tab', 'tab'],
  // Backspace arrives as `delete`.
  ['backspace', 'backspace'],
  ['delete', 'backspace'],
]

const controls: Readonly<Record<string, string>> = {
  '\r': 'enter',
  '\n': 'enter',
  '\t': 'tab',
  '\x1b': 'esc',
  '\x7f': 'backspace',
  '\b': 'backspace',
}

function pressOf(char: string): KeyPress {
  const control = controls[char]
  if (control !== undefined) return { name: control, text: '' }
  const code = char.codePointAt(0)!
  if (code >= 1 && code <= 26) return { name: `ctrl-${String.fromCharCode(code + 0x60)}`, text: '' }
  return code < 0x20 ? { name: '', text: '' } : { name: char, text: char }
}

/** Key sequences of terminals that Ink does not know arrive without their escape character, as in `[25~`. */
const unknownSequence = /^\[[\x20-\x3f]*[\x40-\x7e]$/
const unknownKeypad = /^O[\x40-\x7e]$/

/**
 * The key presses in one report of Ink: one key, several fast ones, or an unknown sequence, which is not a key.
 */
export function keyPresses(input: string, key: Key): KeyPress[] {
  const found = named.find(([flag]) => key[flag] === true)
  if (found) return [{ name: found[1] === 'tab' && key.shift ? 'shift-tab' : found[1], text: '' }]
  if (key.meta) return []
  if (key.ctrl) return /^[a-z]$/.test(input) ? [{ name: `ctrl-${input}`, text: '' }] : []
  if (input.length > 1 && unknownSequence.test(input)) return []
  if (unknownKeypad.test(input)) return [{ name: '', text: input }]
  return [...input].map(pressOf)
}

const PASTE_BEGINS = '[200~'
const PASTE_ENDS = '[201~'

/**
 * Reads key presses and keeps pasted text apart, so that a paste is never obeyed as commands. A terminal with
 * bracketed paste puts the two marks around it.
 */
export function createKeyReader(): (input: string, key: Key) => KeyPress[] {
  let pasting = false
  return (input, key) => {
    if (input === PASTE_BEGINS || input === PASTE_ENDS) {
      pasting = input === PASTE_BEGINS
      return []
    }
    return pasting ? [{ name: '', text: input }] : keyPresses(input, key)
  }
}

/** More is not taken: a paste can be anything. */
const LONGEST = 4096

/** A line after `text` was typed or pasted behind it. Line breaks and other controls of a paste are left out. */
export function typed(line: string, text: string, longest = LONGEST): string {
  return (line + text.replace(/\p{Cc}/gu, '').toWellFormed()).slice(0, longest)
}

/** A line without its last character, as people count them. */
export function erased(line: string): string {
  const characters = new Intl.Segmenter('en', { granularity: 'grapheme' })
  return [...characters.segment(line)]
    .slice(0, -1)
    .map(({ segment }) => segment)
    .join('')
}
