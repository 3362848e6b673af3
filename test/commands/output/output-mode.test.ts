import { describe, expect, it } from 'vitest'
import { asciiOnly, type OutputSituation, outputMode } from '../../../src/commands/output/output-mode.js'

const terminal: OutputSituation = {
  json: false,
  plain: false,
  screenReader: false,
  toFile: false,
  stdinIsTerminal: true,
  stdoutIsTerminal: true,
  env: { TERM: 'xterm-256color' },
}

describe('outputMode', () => {
  it.each([
    ['a terminal', {}, 'tui'],
    ['--json', { json: true }, 'json'],
    ['--json before all', { json: true, plain: true, screenReader: true }, 'json'],
    ['--plain', { plain: true }, 'plain'],
    ['--screen-reader', { screenReader: true }, 'screen-reader'],
    ['--screen-reader in a pipe', { screenReader: true, stdoutIsTerminal: false }, 'screen-reader'],
    ['a pipe', { stdoutIsTerminal: false }, 'plain'],
    ['a file', { toFile: true }, 'plain'],
    ['</dev/null', { stdinIsTerminal: false }, 'plain'],
    ['TERM=dumb', { env: { TERM: 'dumb' } }, 'plain'],
    ['CI', { env: { CI: '1' } }, 'plain'],
    ['CI switched off', { env: { CI: 'false' } }, 'tui'],
    ['CI empty', { env: { CI: '' } }, 'tui'],
    ['a screen reader', { env: { INK_SCREEN_READER: 'true' } }, 'screen-reader'],
    ['a screen reader, in a pipe', { env: { INK_SCREEN_READER: 'true' }, stdoutIsTerminal: false }, 'plain'],
  ] as const)('%s', (_name, situation, mode) => {
    expect(outputMode({ ...terminal, ...situation })).toBe(mode)
  })
})

describe('asciiOnly', () => {
  it.each([
    [{}, false],
    [{ LANG: 'C.UTF-8' }, false],
    [{ LANG: 'de_DE.utf8' }, false],
    [{ LANG: 'C' }, true],
    [{ LANG: 'en_US.UTF-8', LC_ALL: 'C' }, true],
    [{ LANG: 'C', LC_CTYPE: 'C.UTF-8', LC_ALL: '' }, false],
    [{ TERM: 'linux', LANG: 'C.UTF-8' }, true],
  ])('%j', (env, ascii) => expect(asciiOnly(env)).toBe(ascii))
})
