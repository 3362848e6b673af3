import { expect, it } from 'vitest'
import { header } from '../../../../src/protocol/http/message.js'
import { ecKey, makeJwt } from '../../../protocol/tokens/jwt-maker.js'
import { registrationLab, WEB } from '../registration/support.js'
import { basic, client, json } from '../support.js'

const ID = 'https://client.example/client.json'
const JWKS = 'https://client.example/jwks'
const SECTOR = 'https://sector.example/redirects.json'
const UNREADABLE = 'this server cannot read it; the event of the lab names the cause'

const key = ecKey('one')
const pairwise = { subject_type: 'pairwise', sector_identifier_uri: SECTOR } as const
const SIGNER = { iss: 'signer', sub: 'signer', aud: 'https://localhost:8443' }
const clients = [
  client('signer', { jwks_uri: JWKS, token_endpoint_auth_method: 'private_key_jwt' }),
  client('pairwise', { ...pairwise, client_secret: 'x', grant_types: ['client_credentials'] }),
  client('demo', { client_secret: 'x' }),
]

/** A server whose clients' documents are at the addresses of the record alone. */
function world(documents: Readonly<Record<string, unknown>> = {}) {
  const fetchDocument = async (url: string) => {
    if (!Object.hasOwn(documents, url)) throw new Error('connect ECONNREFUSED 127.0.0.1:9')
    return { body: JSON.stringify(documents[url]), contentType: 'application/json' }
  }
  const server = registrationLab({}, { clients, clientIdDocuments: true }, { fetchDocument })
  const now = Math.floor(server.clock.now / 1000)
  let count = 0
  const assertion = (by = key) => ({
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: makeJwt(by, { kid: 'one' }, { ...SIGNER, jti: `${++count}`, exp: now + 60 }),
  })
  return { ...server, assertion }
}

type World = ReturnType<typeof world>

const REFRESH = { grant_type: 'refresh_token' }
const SERVICE = { grant_type: 'client_credentials' }
const FETCHING: readonly [string, (server: World) => ReturnType<World['post']>][] = [
  ['client_id at /token', ({ post }) => post('/token', { ...REFRESH, client_id: ID })],
  ['client_id at /par', ({ post }) => post('/par', { response_type: 'code', client_id: ID })],
  ['client_id at /revocation', ({ post }) => post('/revocation', { token: 'x', client_id: ID })],
  ['jwks_uri at /token', ({ post, assertion }) => post('/token', { ...REFRESH, ...assertion() })],
  ['jwks_uri at /par', ({ post, assertion }) => post('/par', { response_type: 'code', ...assertion() })],
  ['jwks_uri at /revocation', ({ post, assertion }) => post('/revocation', { token: 'x', ...assertion() })],
  ['sector_identifier_uri at /register', ({ register }) => register({ ...WEB, ...pairwise })],
  [
    'sector_identifier_uri at /register/ID',
    async ({ registered, manage }) => {
      const own = await registered(WEB)
      return manage(own, 'PUT', { ...WEB, ...pairwise, client_id: own.client_id })
    },
  ],
  ['sector_identifier_uri at /token', ({ post }) => post('/token', SERVICE, [basic('pairwise', 'x')])],
]

it.each(FETCHING)('no script reads the error of a document that cannot be had: %s', async (_, send) => {
  const server = world()
  // The second answer comes from what the server remembers.
  for (const answer of [await send(server), await send(server)]) {
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(json(answer).error_description).toContain(UNREADABLE)
    expect(answer.headers.filter(([name]) => name.startsWith('access-control'))).toEqual([])
  }
})

it.each<[string, Readonly<Record<string, unknown>>, (server: World) => ReturnType<World['post']>]>([
  [
    'the keys do not fit',
    { [JWKS]: { keys: [ecKey('one').publicJwk] } },
    ({ post, assertion }) => post('/token', { ...REFRESH, ...assertion() }),
  ],
  ['an address is missing', { [SECTOR]: [] }, ({ register }) => register({ ...WEB, ...pairwise })],
  [
    'the client may not be registered so',
    { [ID]: { client_id: ID, redirect_uris: [], client_secret: 'x' } },
    ({ post }) => post('/token', { ...REFRESH, client_id: ID }),
  ],
])('nor that of a document that was read: %s', async (_, documents, send) => {
  const answer = await send(world(documents))
  expect(answer.status).toBe(400)
  expect(header(answer, 'access-control-allow-origin')).toBeUndefined()
})

it.each<[string, number, (server: World) => ReturnType<World['post']>]>([
  ['a registration', 201, ({ register }) => register({ ...WEB, ...pairwise })],
  [
    'the error of a client whose document is good',
    400,
    ({ post }) => post('/token', { ...REFRESH, client_id: ID }),
  ],
  ['an error without a document', 400, ({ post }) => post('/token', SERVICE, [basic('demo', 'x')])],
])('scripts read %s', async (_, status, send) => {
  const document = { client_id: ID, redirect_uris: WEB.redirect_uris }
  const answer = await send(world({ [SECTOR]: WEB.redirect_uris, [ID]: document }))
  expect([answer.status, header(answer, 'access-control-allow-origin')]).toEqual([status, '*'])
})
