import { expect, it } from 'vitest'
import { paint, THEME } from '../../../../src/show/tui/screen/terminal.js'

it('uses nothing that a light or a dark terminal could not show: named colours in front, no background', () => {
  for (const look of Object.values(THEME)) {
    for (const code of (look?.[0] ?? '').split(';').filter(each => each !== '')) {
      // Bold, dim, reversed, red, green, yellow, cyan; never black, white, or a colour of its own.
      expect(['1', '2', '7', '31', '32', '33', '36']).toContain(code)
    }
  }
})

it('switches off what it switches on, so that no colour runs on', () => {
  const ends: Readonly<Record<string, string>> = {
    1: '22',
    2: '22',
    7: '27',
    31: '39',
    32: '39',
    33: '39',
    36: '39',
  }
  for (const look of Object.values(THEME)) {
    if (look)
      expect(look[1].split(';').sort()).toEqual(
        look[0]
          .split(';')
          .map(code => ends[code])
          .sort(),
      )
  }
})

it('paints a line with its tones, or without any', () => {
  const line = [
    { text: 'a', tone: 'plain' },
    { text: 'b', tone: 'refused' },
    { text: '', tone: 'dim' },
  ] as const
  expect(paint(line, true)).toBe('a\x1b[1;31mb\x1b[22;39m')
  expect(paint(line, false)).toBe('ab')
})
