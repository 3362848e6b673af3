import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { eventsSince, explainEvents, summary } from '../../judge/explain/lab-events/support.js'
import { run } from '../../support/program.js'
import { describeWith, rigs } from '../../support/requires.js'
import { type Serving, serve } from '../../support/serve.js'

let lab: Serving
beforeAll(async () => {
  lab = await serve()
})
afterAll(() => lab.remove())

/** Explains what the lab reported while a client program ran. */
async function recorded(name: string, how: string): Promise<string[]> {
  const before = (await lab.events()).length
  const file = join(import.meta.dirname, `${name}.js`)
  const { code, stderr } = await run(process.execPath, [file, lab.ready.urls.authorization, how], {
    env: { ...lab.env, NODE_EXTRA_CA_CERTS: lab.ready.ca },
  })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const explanation = await explainEvents(await eventsSince(lab, before))
  return summary(explanation).map(line => line.replace(/ \d+(?=,|$)/g, ''))
}

describeWith([rigs], 'the events of a lab that client libraries used, explained', () => {
  // The programs do some things wrong on purpose, after a right login.
  it.each([
    [
      'openid-client',
      'basic',
      [
        'code demo alice refused, fault code-reused',
        // The token of the code that came twice is revoked.
        'api - - refused, fault token-refused',
        'logout demo - granted',
      ],
    ],
    ['oauth4webapi', 'oidc', ['code demo alice refused, fault code-reused']],
    [
      'openid-more',
      '',
      [
        // The pushed request is opened a second time.
        'code demo alice granted, fault request-shown-error',
        'implicit demo-spa alice granted',
        'hybrid demo alice granted',
        'code demo alice granted',
      ],
    ],
    [
      'openid-details',
      '',
      [
        'code demo alice granted',
        // It asks for more than was allowed.
        'refresh demo - refused, fault request-refused',
        'client_credentials demo - granted',
      ],
    ],
  ])('%s %s', async (name, how, expected) => {
    expect(await recorded(name, how)).toEqual(expected)
  })
})
