import type { RequestListener } from 'node:http'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Certificates, ensureCertificates } from '../../../../src/lab/certificates/certificates.js'
import { createTrustedResources, metadataAddress } from '../../../../src/lab/outgoing/trusted-resources.js'
import type { AuthorizationServerEvent } from '../../../../src/servers/authorization-server/events.js'
import { listen } from '../../../client/support/tls-server.js'
import { temporaryFolder } from '../../../support/program.js'

const ISSUER = 'https://localhost:8443'
const WELL_KNOWN = '/.well-known/oauth-protected-resource'

let folder: ReturnType<typeof temporaryFolder>
let certificates: Certificates
const ending: (() => unknown)[] = []
beforeEach(async () => {
  folder = temporaryFolder()
  certificates = await ensureCertificates(folder.path, ['localhost'], Date.now())
})
afterEach(async () => {
  for (const end of ending.splice(0)) await end()
  folder.remove()
})

/** Serves one document as the metadata of every resource, with the paths that were asked. */
async function publish(document: (origin: string, path: string) => unknown) {
  const asked: string[] = []
  let origin = ''
  const answer: RequestListener = (request, response) => {
    asked.push(request.url ?? '')
    const body = document(origin, (request.url ?? '').slice(WELL_KNOWN.length))
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }
  const server = await serve(answer)
  origin = server.origin
  return { origin, asked }
}

async function serve(answer: RequestListener) {
  const server = await listen(answer, { cert: certificates.certPem, key: certificates.keyPem })
  ending.push(server.close)
  return server
}

/** A search, its clock, and the events of its requests. */
function search() {
  const clock = { ms: 0 }
  const events: AuthorizationServerEvent[] = []
  const found = createTrustedResources({
    issuer: ISSUER,
    caPem: certificates.caPem,
    elapsed: () => clock.ms,
  })
  const search = (...resources: readonly string[]) => found(resources, event => events.push(event))
  const find = async (...resources: readonly string[]) =>
    (await search(...resources)).map(({ resource }) => resource)
  return { search, find, clock, events }
}

const trusting = (origin: string, path: string) => ({
  resource: `${origin}${path}`,
  authorization_servers: ['https://other.example', ISSUER],
})

describe('a resource that publishes its metadata (RFC 9728)', () => {
  it('is trusted as its metadata write it when they name this issuer', async () => {
    const { origin, asked } = await publish(trusting)
    const { find, events } = search()
    expect(await find(origin, `${origin}/records?a=1`)).toEqual([origin, `${origin}/records?a=1`])
    expect(asked.sort()).toEqual([WELL_KNOWN, `${WELL_KNOWN}/records?a=1`])
    expect(events[0]).toEqual({
      type: 'resource_metadata.fetched',
      resource: origin,
      url: `${origin}${WELL_KNOWN}`,
    })
    expect(await search().find(`${origin}/`)).toEqual([origin])
  })

  it.each<[string, unknown, readonly string[]]>([
    ['none', undefined, []],
    ['a list', ['a', 'b'], ['a', 'b']],
    ['a list with what is no scope', ['a', 7, 'b"', '', null], ['a']],
    ['a text', 'a b', []],
  ])('needs the scopes of its metadata: %s', async (_, scopes_supported, scopes) => {
    const { origin } = await publish((own, path) => ({ ...trusting(own, path), scopes_supported }))
    expect(await search().search(origin)).toEqual([{ resource: origin, scopes }])
  })

  it.each<[string, unknown, string, string]>([
    ['names another issuer', { authorization_servers: ['https://other.example'] }, 'does not name', '§2'],
    ['names an issuer that begins so', { authorization_servers: [`${ISSUER}/a`] }, 'does not name', '§2'],
    ['names no issuer', {}, 'does not name', '§2'],
    ['names an issuer outside a list', { authorization_servers: ISSUER }, 'does not name', '§2'],
    [
      'is about another resource',
      { authorization_servers: [ISSUER], resource: 'https://localhost:1' },
      'another resource',
      '§3.3',
    ],
  ])('is not trusted when it %s', async (_, members, description, section) => {
    const { origin } = await publish(own => ({ resource: own, ...(members as object) }))
    const { find, events } = search()
    expect(await find(origin)).toEqual([])
    expect(events).toEqual([
      expect.objectContaining({
        type: 'resource_metadata.failed',
        description: expect.stringContaining(description),
        rule: `RFC 9728 ${section}`,
      }),
    ])
  })

  it.each<[string, RequestListener]>([
    ['is missing', (_, response) => response.writeHead(404).end()],
    ['is no JSON', (_, response) => response.end('<html>')],
    [
      'is too long',
      (_, response) => response.setHeader('content-type', 'application/json').end(' '.repeat(6000)),
    ],
    [
      'never ends',
      (_, response) => response.writeHead(200, { 'content-type': 'application/json' }).write('{'),
    ],
    ['is elsewhere', (_, response) => response.writeHead(302, { location: 'https://localhost:1/' }).end()],
  ])('is not trusted when its metadata %s', async (_, answer) => {
    const { origin } = await serve(answer)
    const { find, events } = search()
    const started = performance.now()
    expect(await find(origin)).toEqual([])
    expect(performance.now() - started).toBeLessThan(4000)
    expect(events).toEqual([expect.objectContaining({ type: 'resource_metadata.failed', resource: origin })])
  })

  it('is not trusted under a certificate of another authority', async () => {
    const { origin, asked } = await publish(trusting)
    const other = temporaryFolder()
    const { caPem } = await ensureCertificates(other.path, ['localhost'], Date.now())
    const find = createTrustedResources({ issuer: ISSUER, caPem })
    expect(await find([origin], () => {})).toEqual([])
    expect(asked).toEqual([])
    other.remove()
  })

  it('is asked once a minute, also by requests at the same time', async () => {
    const { origin, asked } = await publish(trusting)
    const { find, clock } = search()
    await Promise.all([find(origin), find(origin), find(origin)])
    clock.ms = 59_999
    expect(await find(origin)).toEqual([origin])
    expect(asked).toHaveLength(1)
    clock.ms = 60_001
    expect(await find(origin)).toEqual([origin])
    expect(asked).toHaveLength(2)
  })

  it('is asked again soon after it could not be reached', async () => {
    let trusts = false
    const { origin } = await publish((own, path) => (trusts ? trusting(own, path) : {}))
    const { find, clock } = search()
    expect(await find(origin)).toEqual([])
    trusts = true
    expect(await find(origin)).toEqual([])
    clock.ms = 3000
    expect(await find(origin)).toEqual([origin])
  })

  it('is one of two that are asked at the same time', async () => {
    let open = 0
    let most = 0
    const { origin } = await serve((request, response) => {
      open++
      most = Math.max(most, open)
      setTimeout(() => {
        open--
        const path = (request.url ?? '').slice(WELL_KNOWN.length)
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify(trusting(origin, path)))
      }, 20)
    })
    const resources = Array.from({ length: 8 }, (_, i) => `${origin}/${i}`)
    expect(await search().find(...resources)).toEqual(resources)
    expect(most).toBe(2)
  })
})

describe('the address of metadata', () => {
  it.each([
    ['https://localhost:8444', `https://localhost:8444${WELL_KNOWN}`],
    ['https://127.0.0.2/a/b', `https://127.0.0.2${WELL_KNOWN}/a/b`],
    ['https://[::1]:8444/?x=1', `https://[::1]:8444${WELL_KNOWN}?x=1`],
    ['http://localhost:8444', undefined],
    ['https://127.evil.example', undefined],
    ['https://localhost.evil.example', undefined],
    ['https://api.example', undefined],
    ['https://10.0.0.1', undefined],
    ['https://user@localhost', undefined],
    ['urn:example:orders', undefined],
    ['orders', undefined],
  ])('of %s is %s', (resource, address) => {
    expect(metadataAddress(resource)).toBe(address)
  })
})
