import { describe, expect, it } from 'vitest'
import { createHeadlessApproval } from '../../src/client/approval-headless.js'
import type { ApprovalTask, ApprovalVisit } from '../../src/client/authentication-device.js'
import { parseForm } from '../../src/protocol/http/form.js'
import {
  type HttpRequest,
  type HttpResponse,
  redirectResponse,
  text,
} from '../../src/protocol/http/message.js'
import { login, sendTo } from '../flows/support/world.js'
import { page } from '../support/ask.js'

const home = 'https://as.test'

const loginPage = (alert = '') =>
  page(
    `${alert && `<p role=alert>${alert}</p>`}<form method=post action=/in><input name=u><input type=password name=p></form>`,
  )

const asked = (handle: string, message?: string, more = '', client = '') =>
  `<section>${client && `<code>${client}</code>`}<p><b>Till</b> wants to:</p>${message === undefined ? '' : `<p><strong><bdi>${message}</bdi></strong></p>`}
<form method=post action=/decide>${more}<input type=hidden name=request value=${handle}>
<button name=decision value=allow>Allow</button> <button name=decision value=deny>Deny</button></form></section>`

type Answers = Readonly<Record<string, HttpResponse | ((request: HttpRequest) => HttpResponse)>>

const usual: Answers = {
  'GET /ciba': loginPage(),
  'POST /in': page(asked('r1', 'W4SCT')),
  'POST /decide': page('<h1>Access allowed</h1>'),
}

async function decide(answers: Answers = {}, task: Partial<ApprovalTask> = {}, more: object = {}) {
  const sent: HttpRequest[] = []
  const all: Answers = { ...usual, ...answers }
  const device = createHeadlessApproval({
    send: sendTo({
      [home]: async request => {
        sent.push(request)
        const answer = all[`${request.method} ${new URL(request.url).pathname}`]!
        return typeof answer === 'function' ? answer(request) : answer
      },
    }),
    askLogin: login(['alice', 'wonderland']),
    page: `${home}/ciba`,
    ...more,
  })
  const visits: ApprovalVisit[] = []
  let error: unknown
  try {
    const whole = { clientId: 'till', signal: new AbortController().signal, ...task }
    for await (const visit of device.decide(whole)) visits.push(visit)
  } catch (problem) {
    error = problem
  }
  const last = sent.at(-1)!
  return { visits, error, sent, decision: Object.fromEntries(parseForm(text(last.body))) }
}

describe('the headless authentication device', () => {
  it('logs in, compares the message, and allows', async () => {
    const { visits, error, decision } = await decide({}, { bindingMessage: 'W4SCT' })
    expect(error).toBeUndefined()
    expect(visits.map(({ name, note, repeats }) => [name, note, repeats ?? false])).toEqual([
      ['approval_page', 'asks for a login', true],
      ['approval_page', 'shows “W4SCT” too', false],
      ['approval', 'Access allowed', false],
    ])
    expect(visits[1]?.checks).toEqual([
      { name: 'binding_message', ok: true, rule: 'OpenID Connect CIBA Core §7.1', detail: 'W4SCT' },
    ])
    expect(decision).toEqual({ request: 'r1', decision: 'allow' })
  })

  it('denies', async () => {
    const { decision, visits } = await decide(
      { 'POST /decide': redirectResponse('/done'), 'GET /done': page('<h1>Access refused</h1>') },
      { denies: true },
    )
    expect(visits.at(-1)).toMatchObject({ name: 'approval', note: 'Access refused' })
    expect(decision).toEqual({})
    const plain = await decide({}, { denies: true })
    expect(plain.decision).toEqual({ request: 'r1', decision: 'deny' })
  })

  it.each([
    ['the one with its message', 'W4SCT', 'r2'],
    ['the first without a message', undefined, 'r1'],
  ])('chooses of several requests %s', async (_which, bindingMessage, handle) => {
    const { decision } = await decide(
      { 'POST /in': page(asked('r1', 'W4SCTX') + asked('r2', 'W4SCT') + asked('r3', 'OTHER')) },
      bindingMessage === undefined ? {} : { bindingMessage },
    )
    expect(decision).toMatchObject({ request: handle, decision: 'allow' })
  })

  it('chooses the one of its client, though another client waits with the same message', async () => {
    const shown =
      asked('r1', 'W4SCT', '', 'shop') + asked('r2', 'W4SCT', '', 'till') + asked('r3', 'W4SCT', '', 'till')
    const { decision } = await decide({ 'POST /in': page(shown) }, { bindingMessage: 'W4SCT' })
    expect(decision).toMatchObject({ request: 'r2', decision: 'allow' })
  })

  it.each([
    ['another message', page(asked('r1', 'W4SCT and more')), /another message/],
    ['no message', page(asked('r1')), /another message/],
    ['no request', page('<h1>Requests</h1><p>No request waits for you.</p>'), /asks this person nothing/],
    ['an error', page('<p role=alert>Too many logins</p>', 429), /Too many logins/],
  ])('approves nothing where the page shows %s', async (_what, shown, problem) => {
    const { error, sent } = await decide({ 'POST /in': shown }, { bindingMessage: 'W4SCT' })
    expect(error).toMatchObject({
      rule: 'OpenID Connect CIBA Core §8',
      description: expect.stringMatching(problem),
    })
    expect(sent.map(({ url }) => new URL(url).pathname)).toEqual(['/ciba', '/in'])
  })

  it('reports a refused login, and a decision that came too late', async () => {
    const wrong = await decide({ 'POST /in': loginPage('Username or password is wrong.') })
    expect(wrong.error).toMatchObject({ code: 'login_failed', description: 'Username or password is wrong.' })
    const late = await decide({ 'POST /decide': page('<h1>Requests</h1><p role=alert>It has expired.</p>') })
    expect(late.error).toMatchObject({ description: 'It has expired.' })
    const again = await decide({ 'POST /decide': page(asked('r1', 'W4SCT')) })
    expect(again.error).toMatchObject({ code: 'unknown_page' })
  })

  it('types the one-time code that an approval needs', async () => {
    const field = '<input name=otp autocomplete=one-time-code>'
    const answers = { 'POST /in': page(asked('r1', 'W4SCT', field)) }
    const { decision } = await decide(answers, {}, { oneTimeCode: () => '123456' })
    expect(decision).toEqual({ request: 'r1', decision: 'allow', otp: '123456' })
    const { decision: denied } = await decide(answers, { denies: true })
    expect(denied).toMatchObject({ decision: 'deny' })
    const { error } = await decide(answers)
    expect(error).toMatchObject({ description: expect.stringContaining('one-time code') })
  })
})
