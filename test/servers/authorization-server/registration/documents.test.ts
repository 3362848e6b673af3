import { describe, expect, it } from 'vitest'
import { strangerAddresses } from '../../../../src/lab/outgoing/client-addresses.js'
import type { DefendedSettings } from '../../../../src/servers/authorization-server/defences.js'
import { weakDefences } from '../../../../src/servers/authorization-server/weak/weak-defences.js'
import { expectError, json } from '../support.js'
import { registrationLab, WEB } from './support.js'

const SECTOR = 'https://sector.example/redirects.json'
const pairwise = { ...WEB, subject_type: 'pairwise', sector_identifier_uri: SECTOR }

function labWith(document: () => string) {
  const asked: string[] = []
  const fetchDocument = async (url: string) => {
    asked.push(url)
    return { body: document(), contentType: 'application/json' }
  }
  return { ...registrationLab({}, {}, { fetchDocument }), asked }
}

describe('a sector_identifier_uri', () => {
  it('is fetched, and lists every address of the client', async () => {
    const { registered, asked } = labWith(() => JSON.stringify(WEB.redirect_uris))
    expect(await registered(pairwise)).toMatchObject({ sector_identifier_uri: SECTOR })
    expect(asked).toEqual([SECTOR])
  })

  it.each([
    ['lacks an address', () => '["https://other.example/cb"]'],
    ['cannot be fetched', () => expect.fail('10.0.0.1 is an address of a private network')],
  ])('refuses a client whose document %s', async (_, document) => {
    const { register, events } = labWith(document)
    const response = await register(pairwise)
    expectError(response, 400, 'invalid_client_metadata')
    expect(json(response).error_description).toMatch(/^sector_identifier_uri: /)
    expect(events.at(-1)).toMatchObject({ rule: 'OpenID Connect Registration §5' })
  })

  it('is checked again at an update', async () => {
    const { registered, manage } = labWith(() => JSON.stringify(WEB.redirect_uris))
    const client = await registered(pairwise)
    const more = [...(WEB.redirect_uris as string[]), 'https://client.example/other']
    const update = { ...pairwise, client_id: client.client_id, redirect_uris: more }
    const response = await manage(client, 'PUT', update)
    expectError(response, 400, 'invalid_client_metadata')
    expect(json(await manage(client, 'GET'))).toEqual(client)
  })
})

describe('an address that the server would call', () => {
  const CALLED = [
    ['jwks_uri', (url: string) => ({ jwks_uri: url, token_endpoint_auth_method: 'private_key_jwt' })],
    ['sector_identifier_uri', (url: string) => ({ subject_type: 'pairwise', sector_identifier_uri: url })],
    ['request_uris', (url: string) => ({ request_uris: [url] })],
    ['backchannel_logout_uri', (url: string) => ({ backchannel_logout_uri: url })],
    [
      'backchannel_client_notification_endpoint',
      (url: string) => ({ backchannel_client_notification_endpoint: url }),
    ],
  ] as const
  const world = (allowed: readonly string[], settings: Partial<DefendedSettings> = {}) => {
    const addressProblem = strangerAddresses(allowed).problem
    const fetchDocument = async () => ({ body: JSON.stringify(WEB.redirect_uris) })
    return registrationLab({}, settings, { addressProblem, fetchDocument })
  }

  it.each(CALLED)('is refused as %s where it is one of a private network', async (member, members) => {
    const { register, registered, manage } = world(['localhost'])
    for (const url of ['https://10.0.0.1/x', 'https://169.254.169.254/latest', 'https://[fd00::1]/x']) {
      const response = await register({ ...WEB, ...members(url) })
      expectError(response, 400, 'invalid_client_metadata')
      expect(json(response).error_description).toMatch(new RegExp(`^${member}: .*private network`))
    }
    const client = await registered(WEB)
    const update = { ...WEB, ...members('https://[fe80::1]/'), client_id: client.client_id }
    expectError(await manage(client, 'PUT', update), 400, 'invalid_client_metadata')
  })

  it.each(CALLED)('may be one of this computer as %s where the lab allows localhost', async (_, members) => {
    for (const url of ['https://localhost:8500/x', 'https://127.0.0.1/x', 'https://[::1]/x']) {
      expect((await world(['localhost']).register({ ...WEB, ...members(url) })).status).toBe(201)
      expectError(await world([]).register({ ...WEB, ...members(url) }), 400, 'invalid_client_metadata')
    }
  })

  it.each(CALLED)('may be a name as %s, which is resolved when it is called', async (_, members) => {
    const response = await world([]).register({ ...WEB, ...members('https://client.example/x') })
    expect(response.status).toBe(201)
  })

  it.each(CALLED)('may be any one as %s in the weak mode open-registration', async (_, members) => {
    const defences = weakDefences(['open-registration'], { outside: '' })
    const response = await world([], { defences }).register({ ...WEB, ...members('https://10.0.0.1/x') })
    expect(response.status).toBe(201)
  })
})
