import { expect, it } from 'vitest'
import { errorLines } from '../../../src/commands/program/error-lines.js'

const MESSAGE =
  'http://id.example has no TLS: passwords, codes and tokens would travel in the clear (RFC 6749 §3.1, §3.2)'
const HINTS = [
  'Name its https address; http is for servers on this computer, such as http://localhost:8080',
  'It looks like:   oauth-lab flow code --issuer https://id.example --client-id web --scope openid',
]

it('stands on a line each where there is no terminal', () =>
  expect(errorLines(MESSAGE, HINTS)).toEqual([`oauth-lab: ${MESSAGE}`, ...HINTS.map(each => `  ${each}`)]))

it('is broken between words at the edge of a terminal, and its command stays one for a shell', () =>
  expect(errorLines(MESSAGE, HINTS, { columns: 80 })).toEqual([
    'oauth-lab: http://id.example has no TLS: passwords, codes and tokens would',
    '           travel in the clear (RFC 6749 §3.1, §3.2)',
    '  Name its https address; http is for servers on this computer, such as',
    '  http://localhost:8080',
    '  It looks like:   oauth-lab flow code --issuer https://id.example \\',
    '                   --client-id web --scope openid',
  ]))

it.each([40, 60, 80, 120])('loses and breaks no word at %i columns', columns => {
  const words = errorLines(MESSAGE, HINTS, { columns }).join(' ').split(/\s+/)
  const whole = errorLines(MESSAGE, HINTS).join(' ').split(/\s+/)
  expect(words.filter(word => word !== '\\')).toEqual(whole)
})
