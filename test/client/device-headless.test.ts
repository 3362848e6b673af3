import { expect, it } from 'vitest'
import { createHeadlessVerifier } from '../../src/client/device-headless.js'
import type { DeviceVisit } from '../../src/client/device-verifier.js'
import { type HttpResponse, redirectResponse } from '../../src/protocol/http/message.js'
import { login, sendTo } from '../flows/support/world.js'
import { page } from '../support/ask.js'

const home = 'https://as.test'

const loginPage = '<form method=post action=/in><input name=u><input type=password name=p></form>'
const consentPage =
  '<form method=post action=/agree><input type=hidden name=a value=1><button>Yes</button></form>'

it('reports each redirect on the way to a decision as a visit of its own', async () => {
  const answers: Readonly<Record<string, HttpResponse>> = {
    'GET /device': redirectResponse('/login?user_code=ABCD-EFGH'),
    'GET /login': page(loginPage),
    'POST /in': redirectResponse('/consent'),
    'GET /consent': page(consentPage),
    'POST /agree': redirectResponse('/status'),
    'GET /status': page('<h1>Device Login Successful</h1>'),
  }
  const { verify } = createHeadlessVerifier({
    send: sendTo({ [home]: async ({ method, url }) => answers[`${method} ${new URL(url).pathname}`]! }),
    askLogin: login(['alice', 'wonderland']),
  })
  const visits: DeviceVisit[] = []
  const task = { url: `${home}/device`, userCode: 'ABCD-EFGH', clientId: 'demo' }
  for await (const visit of verify({ ...task, signal: new AbortController().signal })) visits.push(visit)
  expect(
    visits.map(({ name, exchange, repeats, note }) => [
      name,
      `${exchange?.request.method} ${exchange?.request.url.slice(home.length)}`,
      repeats ?? false,
      note,
    ]),
  ).toEqual([
    ['device_verification', 'GET /device?user_code=ABCD-EFGH', true, undefined],
    ['device_verification', 'GET /login?user_code=ABCD-EFGH', false, undefined],
    ['device_approval', 'POST /in', true, undefined],
    ['device_approval', 'GET /consent', true, 'presses “Yes”'],
    ['device_approval', 'POST /agree', true, undefined],
    ['device_approval', 'GET /status', false, 'Device Login Successful'],
  ])
})
