import { expect, it } from 'vitest'
import { signsFor } from '../../../../src/show/render/text/signs.js'
import { loginAnswer, loginLines, openLogin, typeIn } from '../../../../src/show/tui/flow/login.js'

const pastes = 'https://app.example/cb'
const text = (form: Parameters<typeof loginLines>[0]) =>
  loginLines(form, 76, false, signsFor({ ascii: false }))
    .map(line => line.map(part => part.text).join(''))
    .join('\n')

it('the panel for a pasted address takes a long one, and answers with it', () => {
  const form = openLogin({ clientId: 'web', pastes }, undefined, undefined)
  const landed = `${pastes}?code=${'c'.repeat(2000)}&state=s`
  const filled = typeIn(form, `${landed}\r\n`)
  expect(loginAnswer(filled)).toEqual({ kind: 'code', code: landed })
  expect(text(form)).toContain(`It ends at ${pastes}`)
  expect(text(form)).toMatch(/address {2}/)
})

it('the panel for a one-time code stays short', () => {
  const form = openLogin({ clientId: 'web', oneTimeCode: true }, undefined, undefined)
  expect(typeIn(form, '1'.repeat(2000)).code).toHaveLength(256)
  expect(text(form)).toContain('one-time code')
})
