import { describe, expect, it } from 'vitest'
import type { Step } from '../../../../src/flows/step.js'
import { text } from '../../../../src/protocol/http/message.js'
import { secondFactorPage } from '../../../../src/servers/authorization-server/pages/login-page.js'
import { shownForm } from '../../../../src/show/render/steps/fields.js'
import { type Entry, messagesOf } from '../../../../src/show/render/steps/sequence.js'
import { LOGIN, LOGIN_FORM, REFUSED_LOGIN, STEPS } from '../../tui/steps.js'

const PASSWORDS = '<form><input name=user><input type=password name=pw></form>'

/** The page of the lab, as its authorization server writes it. */
const LABS = text(
  secondFactorPage(
    {
      request: {
        client: { client_id: 'demo' },
        to: { redirectUri: 'https://rp.example/cb' },
      } as Parameters<typeof secondFactorPage>[0]['request'],
      username: 'alice',
      pending: 'p',
      csrf: 'c',
      action: undefined,
    },
    [],
  ).body,
)

/** A login that answered a form with a page. */
function answered(sent: string, page: string, status = 200): Step {
  const { exchange } = REFUSED_LOGIN
  const { request, response } = exchange!
  return {
    ...REFUSED_LOGIN,
    exchange: {
      ...exchange!,
      request: { ...request, body: sent },
      response: { ...response!, status, body: page },
    },
  }
}

const labelOf = (step: Step): string | undefined => {
  const entry: Entry = { n: step.n, planned: step, step, status: 'done' }
  return messagesOf(entry, 'all')[1]?.label
}

describe('the form that answers a login', () => {
  it.each([
    ['the form again', 'user=a&pw=x', PASSWORDS, '200 login form again'],
    ['the page of the lab', 'username=a&password=x', LABS, '200 one-time code form'],
    [
      'the page of the lab, after a wrong code',
      'otp=1&second_factor=p',
      LABS,
      '200 one-time code form again',
    ],
    [
      'a code that is hidden as it is typed',
      'user=a&pw=x',
      '<form><input type=password name="totp" autocomplete="one-time-code"></form>',
      '200 one-time code form',
    ],
    [
      'a code beside a password',
      'user=a&pw=x',
      '<form><input name=user><input type=password name=pw><input name=otp autocomplete=one-time-code></form>',
      '200 login form again',
    ],
    ['a code without a name', 'user=a&pw=x', '<input autocomplete=one-time-code>', '200 one-time code form'],
    [
      'a page to click through',
      'user=a&pw=x',
      '<title>Allow?</title><form><input type=hidden name=csrf autocomplete=one-time-code><button>Allow</button></form>',
      '200  Allow?',
    ],
  ])('%s', (_, sent, page, label) => expect(labelOf(answered(sent, page))).toBe(label))

  it('keeps the status of the answer', () => {
    expect(labelOf(answered('user=a&pw=x', PASSWORDS, 401))).toBe('401 login form again')
  })

  it('is no answer of other steps, of redirects and of data', () => {
    expect(shownForm(LOGIN_FORM)).toEqual({ name: 'login form', again: false })
    expect(shownForm(LOGIN)).toBeUndefined()
    expect(shownForm({ ...answered('', PASSWORDS), name: 'logout_request' })).toBeUndefined()
    for (const step of STEPS.slice(3)) expect(shownForm(step)).toBeUndefined()
  })

  it('takes no longer for a page of open tags', () => {
    const hostile = '<input '.repeat(150_000)
    const begun = performance.now()
    shownForm(answered('', hostile))
    expect(performance.now() - begun).toBeLessThan(2000)
  })
})
