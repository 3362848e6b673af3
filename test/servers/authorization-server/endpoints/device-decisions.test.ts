import { describe, expect, it } from 'vitest'
import { text } from '../../../../src/protocol/http/message.js'
import { DEVICE_GRANT } from '../../../../src/servers/authorization-server/grants/polled-grant.js'
import { browser } from '../browser.js'
import { client, field, json, lab, type Parameters, settings } from '../support.js'

const clients = [client('tv', { grant_types: [DEVICE_GRANT] }), ...settings.clients]
const STALE = 'unknown, used or expired'

/** A server, a device that waits, and a browser that shows the page for its code. */
async function waiting(lifetime = 600_000) {
  const server = lab({ clients, lifetimes: { ...settings.lifetimes, code: lifetime } })
  const started = json(await server.post('/device_authorization', { client_id: 'tv', scope: 'openid' }))
  const user_code = String(started.user_code)
  const agent = browser(server)
  const csrf = field(await agent.get(`/device?user_code=${user_code}`), 'csrf')
  const decide = (fields: Parameters = {}) =>
    agent.post('/device', { user_code, csrf, username: 'alice', password: 'wonderland', ...fields })
  return { ...server, started, agent, decide }
}

describe('a device', () => {
  it('is told its lifetime in whole seconds', async () => {
    expect((await waiting(90_999)).started).toMatchObject({ expires_in: 90 })
  })

  it('gets one decision of two that are made at once', async () => {
    const { decide, types } = await waiting()
    const pages = (await Promise.all([decide(), decide({ cancel: 'yes' }), decide()])).map(page =>
      text(page.body),
    )
    expect(pages.filter(page => page.includes(STALE))).toHaveLength(2)
    expect(types().filter(type => /^device_code\.(approved|denied)$/.test(type))).toHaveLength(1)
  })

  it('gets no decision from a form without its code, or with a code that is no code', async () => {
    const { decide, events } = await waiting()
    for (const user_code of [undefined, 'banana', 'BBBB-BBBB']) {
      expect(text((await decide({ user_code })).body)).toContain(STALE)
      expect(events.at(-1)).toMatchObject({ type: 'user_code.refused', reason: 'unknown' })
    }
  })
})
