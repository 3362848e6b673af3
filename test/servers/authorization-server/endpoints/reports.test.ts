import { describe, expect, it } from 'vitest'
import { header } from '../../../../src/protocol/http/message.js'
import { basic, client, json, lab, SECRET } from '../support.js'

describe('the event of issued tokens', () => {
  const issued = async (form: Record<string, string>) => {
    const clients = [client('service', { client_secret: 'x', grant_types: ['client_credentials'] })]
    const { token, events } = lab({ clients })
    const response = await token({ grant_type: 'client_credentials', ...form }, [basic('service', 'x')])
    expect(response.status).toBe(200)
    return { answer: json(response), event: events.find(each => each.type === 'token.issued')! }
  }

  it('names the scope that was asked for and not granted', async () => {
    const { answer, event } = await issued({ scope: 'openid records:read offline_access' })
    expect(answer.scope).toBe('records:read')
    expect(event).toMatchObject({ scope: 'records:read', dropped_scope: 'openid offline_access' })
  })

  it('names parameters without effect, and never their values', async () => {
    const without = { audience: 'a', claims: '{}', code: 'secret', unknown: 'x' }
    const { event } = await issued({ ...without, scope: 'records:read' })
    expect([...(event.ignored as string[])].sort()).toEqual(['audience', 'claims', 'code'])
    expect(event).not.toHaveProperty('dropped_scope')
    expect(JSON.stringify(event)).not.toContain('secret')
  })

  it('names nothing where everything counted', async () => {
    const { event } = await issued({ scope: 'records:read' })
    expect(event).not.toHaveProperty('ignored')
  })
})

describe('a secret in the wrong place', () => {
  it.each([
    ['client_id', { grant_type: 'client_credentials', client_id: SECRET }, []],
    ['grant_type', { grant_type: SECRET }, [basic('demo', SECRET)]],
    ['the name of a Basic header', { grant_type: 'client_credentials' }, [basic(SECRET, 'x')]],
  ] as const)('is in no event: %s', async (_, form, headers) => {
    const { token, events } = lab()
    expect((await token(form, headers)).status).toBeGreaterThanOrEqual(400)
    expect(events.at(-1)).toMatchObject({ type: 'token.refused' })
    expect(JSON.stringify(events)).not.toContain(SECRET)
  })

  it('is in no event of the authorization endpoint', async () => {
    const { authorize, events } = lab()
    expect((await authorize({ client_id: SECRET })).status).toBe(400)
    expect(events.at(-1)).toMatchObject({ type: 'authorization.refused' })
    expect(JSON.stringify(events)).not.toContain(SECRET)
  })

  it('does not hide short and readable names', async () => {
    const { token, events } = lab()
    await token({ grant_type: 'client_credentials', client_id: 'dmeo' }, [])
    expect(events.at(-1)).toMatchObject({ evidence: 'dmeo' })
    await token({ grant_type: 'urn:ietf:params:oauth:grant-type:unknown2' })
    expect(events.at(-1)).toMatchObject({ evidence: 'urn:ietf:params:oauth:grant-type:unknown2' })
  })
})

it.each(['/', '/token', '/authorization', '/.well-known/jwks.json', '/userinfo', '/nowhere', '/device'])(
  'no browser guesses the type of %s',
  async path => {
    const response = await lab().get(path)
    expect(header(response, 'x-content-type-options')).toBe('nosniff')
  },
)
