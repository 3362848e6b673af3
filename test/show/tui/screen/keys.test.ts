import type { Key } from 'ink'
import { describe, expect, it } from 'vitest'
import { wait } from '../../../../src/show/tui/flow/changes.js'
import { FLOW_KEYS } from '../../../../src/show/tui/flow/keys.js'
import { rowOf } from '../../../../src/show/tui/screen/key-rows.js'
import { createKeyReader, keyPresses } from '../../../../src/show/tui/screen/keys.js'
import { stateAfter } from '../flow/draw.js'
import { GRANTED } from '../steps.js'

/** No key at all: the reader takes a flag that is absent for false. */
const none = {} as Key

const names = (input: string, key: Partial<Key> = {}): string[] =>
  keyPresses(input, { ...none, ...key }).map(({ name }) => name)

describe('what Ink reports', () => {
  it.each<[what: string, input: string, key: Partial<Key>, expected: string[]]>([
    ['a letter', 'j', {}, ['j']],
    ['two fast letters', 'jj', {}, ['j', 'j']],
    ['fast letters and Enter', 'a\r', {}, ['a', 'enter']],
    ['Enter', '', { return: true }, ['enter']],
    ['a line feed', '\n', {}, ['enter']],
    ['Backspace, which arrives as delete', '', { delete: true }, ['backspace']],
    ['Ctrl-H', '', { backspace: true }, ['backspace']],
    ['Esc, which arrives with meta', '', { escape: true, meta: true }, ['esc']],
    ['Alt-q, which is not q', 'q', { meta: true }, []],
    ['an arrow', '', { leftArrow: true }, ['left']],
    ['Tab', '', { tab: true }, ['tab']],
    ['Shift-Tab', '', { tab: true, shift: true }, ['shift-tab']],
    ['Ctrl-C', 'c', { ctrl: true }, ['ctrl-c']],
    ['Ctrl-C twice at once', '\x03\x03', {}, ['ctrl-c', 'ctrl-c']],
    ['Ctrl-space', '`', { ctrl: true }, []],
    ['an unknown function key', '[25~', {}, []],
    ['a mouse report', '[<0;10;10M', {}, []],
    ['a focus report', '[I', {}, []],
    ['a keypad key', 'Oj', {}, ['']],
    ['a bracket', '[', {}, ['[']],
    ['an emoji', '👍', {}, ['👍']],
  ])('%s', (_what, input, key, expected) => expect(names(input, key)).toEqual(expected))

  it('never takes pasted text for commands', () => {
    const read = createKeyReader()
    expect(read('[200~', none)).toEqual([])
    expect(read('quit\rQ', none)).toEqual([{ name: '', text: 'quit\rQ' }])
    expect(read('', { ...none, return: true })).toEqual([{ name: '', text: '' }])
    expect(read('[201~', none)).toEqual([])
    expect(read('q', none)).toEqual([{ name: 'q', text: 'q' }])
  })
})

describe('the key table', () => {
  it('gives no key to two commands', () => {
    const keys = FLOW_KEYS.flatMap(binding => binding.keys)
    expect(new Set(keys).size).toBe(keys.length)
  })

  it('hints at nothing that its help page does not explain', () => {
    for (const { hint, help } of FLOW_KEYS) if (hint) expect(help).toBeDefined()
  })

  const help = { ...stateAfter(1), page: 'help' } as const

  it.each([
    ['enter', stateAfter(1), 'send next request'],
    ['enter', wait(stateAfter(1), false), undefined],
    ['enter', stateAfter(6, GRANTED), undefined],
    ['r', stateAfter(0), undefined],
    ['r', stateAfter(6, GRANTED), 'restart the flow'],
    ['n', stateAfter(5), undefined],
    ['z', stateAfter(5), undefined],
    ['', stateAfter(5), undefined],
    ['s', help, undefined],
    ['q', help, 'back, or quit'],
    ['ctrl-z', help, 'suspend'],
  ])('%s', (key, state, meaning) => expect(rowOf(FLOW_KEYS, key, state)?.help?.[1]).toBe(meaning))
})
