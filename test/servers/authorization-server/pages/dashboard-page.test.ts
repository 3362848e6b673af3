import { describe, expect, it } from 'vitest'
import { createBus } from '../../../../src/protocol/events.js'
import { type Header, header, text } from '../../../../src/protocol/http/message.js'
import { keepRecentEvents } from '../../../../src/protocol/recent-events.js'
import { isSecretName } from '../../../../src/protocol/safe-output/secret-names.js'
import { dashboardAddress } from '../../../../src/servers/authorization-server/endpoints/web-dashboard.js'
import { lab } from '../support.js'

const KEY = 'k3y_of-this-lab'

function world(dashboardKey: string | undefined = KEY) {
  const bus = createBus(() => 0)
  const localLab = {
    events: keepRecentEvents(bus, 0),
    builtInUsers: [],
    httpUrl: () => undefined,
    clientUrl: () => undefined,
    ...(dashboardKey !== '' && { dashboardKey }),
  }
  return { bus, ...lab({}, undefined, { localLab }) }
}

/** The path and the query of the address that a person opens. */
const first = dashboardAddress('', KEY)

async function opened(get: ReturnType<typeof world>['get']): Promise<Header> {
  const answer = await get(first)
  return ['cookie', (header(answer, 'set-cookie') ?? '').split(';')[0]!]
}

describe('the dashboard as a page', () => {
  it('makes its key a cookie that no script and no other site can use', async () => {
    const answer = await world().get(first)
    expect([answer.status, header(answer, 'location')]).toEqual([302, '/web'])
    expect(header(answer, 'set-cookie')).toMatch(
      /^__Host-web-8443=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Strict$/,
    )
    expect(header(answer, 'set-cookie')).not.toContain(KEY)
    expect(isSecretName(/\?(.*?)=/.exec(first)![1]!)).toBe(true)
  })

  it.each<[string, string, readonly Header[]]>([
    ['without a key', '/web', []],
    ['with a wrong key', dashboardAddress('', 'wrong'), []],
    ['with the key as a cookie', '/web', [['cookie', `__Host-web-8443=${KEY}`]]],
    ['for events without a cookie', '/web/events', []],
  ])('is refused %s', async (_, path, headers) => {
    const answer = await world().get(path, headers)
    expect(answer.status).toBe(401)
    expect(text(answer.body)).toContain('oauth-lab serve --web')
  })

  it('is not there unless it was asked for', async () => {
    expect((await world('').get(first)).status).toBe(404)
  })

  it('streams whole events with their texts, after the last one that the page has', async () => {
    const { get, bus } = world()
    const cookie = await opened(get)
    expect((await get('/web', [cookie])).status).toBe(200)
    bus.publish({ type: 'login.shown', client_id: 'demo' })
    bus.openRequest().publish({ type: 'login.failed', username: 'alice', description: '<b>' })
    const answer = await get('/web/events?after=1', [cookie])
    const { value } = (await answer.stream![Symbol.asyncIterator]().next()) as { value: Uint8Array }
    const [id, data = ''] = text(value).split('\n')
    expect(id).toBe('id: 2')
    expect(JSON.parse(data.slice('data: '.length))).toMatchObject({
      event: { type: 'login.failed', request: 1, username: 'alice' },
      text: expect.stringContaining('<b>'),
      refused: true,
    })
  })
})
