import { expect, it } from 'vitest'
import { byPassword } from '../../../../src/servers/authorization-server/logins/authentication.js'
import { createConsents } from '../../../../src/servers/authorization-server/logins/consents.js'
import {
  decideSignOn,
  newBrowserSession,
  type PresentPerson,
  type WantedPerson,
} from '../../../../src/servers/authorization-server/logins/sessions.js'
import { NO_CLAIMS } from '../../../../src/servers/authorization-server/parameters/claims-request.js'

const session = {
  username: 'alice',
  ...byPassword(1000),
  consents: createConsents(),
  browser: newBrowserSession(length => new Uint8Array(length)),
}
const decide = (wanted: Partial<WantedPerson>, present: Partial<PresentPerson> = {}) =>
  decideSignOn(
    { prompts: [], maxAge: undefined, loginHint: undefined, claims: NO_CLAIMS, ...wanted },
    { session, sub: 'alice', hintedSubject: undefined, now: 2000, ...present },
  )

it.each<[string, Partial<WantedPerson>, Partial<PresentPerson>]>([
  ['without conditions', {}, {}],
  ['with prompt none', { prompts: ['none'] }, {}],
  ['with prompt consent, which asks on a page of its own', { prompts: ['consent'] }, {}],
  ['that hints at the same user', {}, { hintedSubject: 'alice' }],
  ['of a max_age that has not passed', { maxAge: 1001 }, {}],
  ['with a login_hint for another user', { loginHint: 'bob' }, {}],
])('a session answers a request: %s', (_name, wanted, present) => {
  expect(decide(wanted, present)).toEqual({ kind: 'resume', session })
})

it.each<[string, Partial<WantedPerson>, Partial<PresentPerson>, string | undefined]>([
  ['without a session', {}, { session: undefined }, undefined],
  ['of the hinted user', {}, { session: undefined, hintedSubject: 'bob' }, 'bob'],
  ['of the hinted user, when another is logged in', {}, { hintedSubject: 'bob' }, 'bob'],
  ['with prompt login', { prompts: ['login'] }, {}, 'alice'],
  ['with prompt select_account', { prompts: ['select_account'] }, {}, undefined],
  ['with both prompts', { prompts: ['login', 'select_account'] }, {}, undefined],
  [
    'with a login_hint before the hinted user',
    { loginHint: 'carol' },
    { session: undefined, hintedSubject: 'bob' },
    'carol',
  ],
  ['when max_age has passed', { maxAge: 1000 }, {}, 'alice'],
  ['with max_age 0', { maxAge: 0 }, { now: 1000 }, 'alice'],
])('a login is asked for: %s', (_name, wanted, present, username) => {
  expect(decide(wanted, present)).toEqual({ kind: 'ask', username })
})

it.each<[string, Partial<WantedPerson>, Partial<PresentPerson>]>([
  ['nobody is logged in', {}, { session: undefined }],
  ['another user than the wanted one', {}, { hintedSubject: 'bob' }],
  ['older than max_age', { maxAge: 1000 }, {}],
])('prompt none refuses, and says why: %s', (why, wanted, present) => {
  const decision = decide({ prompts: ['none'], ...wanted }, present)
  expect(decision).toMatchObject({ kind: 'refuse', error: { code: 'login_required' } })
  expect(decision.kind === 'refuse' && decision.error.description).toContain(why)
})
