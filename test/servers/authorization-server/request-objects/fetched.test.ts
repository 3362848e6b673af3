import { describe, expect, it } from 'vitest'
import type { FetchDocument } from '../../../../src/servers/authorization-server/settings.js'
import { CALLBACK, json, landed } from '../support.js'
import { accepted, of, refused, signed, world } from './support.js'

const ADDRESS = 'https://client.example/object'
const object = signed(of('fetched'))

function fetching(answer: Partial<Awaited<ReturnType<FetchDocument>>> | Error = {}) {
  const asked: string[] = []
  const fetchDocument: FetchDocument = async url => {
    asked.push(url)
    if (answer instanceof Error) throw answer
    return { body: object, contentType: 'application/oauth-authz-req+jwt', ...answer }
  }
  return { asked, server: world({ requestUriHosts: ['client.example'] }, { fetchDocument }) }
}
const send = (request_uri: string) => ({ client_id: 'fetched', request_uri, redirect_uri: CALLBACK })

describe('a request object of a client’s request_uri', () => {
  it.each([
    ['as it is registered', ADDRESS],
    ['with the hash of older content', `${ADDRESS}#${'h'.repeat(43)}`],
    ['with another fragment', `${ADDRESS}#v2`],
  ])('is fetched, %s', async (_name, address) => {
    const { asked, server } = fetching()
    expect(await accepted(send(address), server)).toMatchObject({ delivery: 'reference' })
    expect(asked).toEqual([ADDRESS])
    expect(server.events).toContainEqual({
      type: 'request_object.fetched',
      client_id: 'fetched',
      request_uri: address,
    })
  })

  it('is fetched once, however long the login takes', async () => {
    const { asked, server } = fetching()
    const { page, cookies, csrf } = await server.openForm(send(ADDRESS))
    const action = /action="([^"]+)"/.exec(Buffer.from(page.body).toString())?.[1]?.replaceAll('&amp;', '&')
    const form = { username: 'alice', password: 'wonderland', csrf }
    expect(landed(await server.post(action ?? '', form, cookies))).toMatchObject({ state: 'inside' })
    expect(asked).toHaveLength(1)
  })

  it('may be of the media type application/jwt, or end with a line', async () => {
    const { server } = fetching({ contentType: 'application/jwt; charset=utf-8', body: `${object}\n` })
    await accepted(send(ADDRESS), server)
  })

  it.each([
    ['of another path', 'https://client.example/other', 'RFC 9101 §10.4.1'],
    ['of another host', 'https://evil.example/object', 'RFC 9101 §10.4.1'],
    ['of a host that the lab does not allow', 'https://elsewhere.example/object', 'RFC 9101 §11.1'],
    ['without TLS', 'http://client.example/object', 'RFC 9101 §5.2'],
    ['of a URN', 'urn:example:object', 'RFC 9101 §5.2'],
    ['that is too long', `${ADDRESS}?${'x'.repeat(512)}`, 'OpenID Connect Core §6.2'],
  ])('is not fetched %s', async (_name, address, rule) => {
    const { asked, server } = fetching()
    expect(await refused(send(address), server)).toMatchObject({ error: 'invalid_request_uri', rule })
    expect(asked).toEqual([])
  })

  it.each([
    ['the address fails', new Error('it answered 404')],
    ['the answer is a page', { contentType: 'text/html' }],
  ])('is refused when %s', async (_name, answer) => {
    const { server } = fetching(answer)
    expect(await refused(send(ADDRESS), server)).toMatchObject({
      error: 'invalid_request_uri',
      channel: 'redirect',
      rule: 'RFC 9101 §5.2.3',
    })
    expect(server.types()).toContain('request_object.failed')
  })

  it('is verified as any other', async () => {
    const { server } = fetching({ body: signed() })
    expect(await refused(send(ADDRESS), server)).toMatchObject({ error: 'invalid_request_object' })
  })

  it('is announced where hosts are allowed', async () => {
    const { server } = fetching()
    expect(json(await server.get('/.well-known/openid-configuration'))).toMatchObject({
      request_uri_parameter_supported: true,
      require_request_uri_registration: true,
    })
    const none = json(await world().get('/.well-known/openid-configuration'))
    expect(none).toMatchObject({ request_uri_parameter_supported: false })
    expect(none).not.toHaveProperty('require_request_uri_registration')
  })
})
