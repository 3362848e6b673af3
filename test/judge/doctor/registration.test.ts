import { describe, expect, it } from 'vitest'
import type { Finding } from '../../../src/judge/doctor/finding.js'
import { examineRegistration } from '../../../src/judge/doctor/registration/examine-registration.js'
import { type HttpResponse, jsonResponse, splitUrl, text } from '../../../src/protocol/http/message.js'
import { ISSUER, REDIRECT_URI, type Tamper, world } from '../../flows/support/world.js'
import { names, problems } from './support.js'

/** The findings about registrations at the authorization server of this project, its answers changed. */
async function examined(tamper?: Tamper, registration = true): Promise<Finding[]> {
  const { send } = await world({ registration, ...(tamper && { tamper }) })
  const metadata = { issuer: ISSUER, ...(registration && { registration_endpoint: `${ISSUER}/register` }) }
  const found: Finding[] = []
  const ports = { send, signal: new AbortController().signal }
  for await (const each of examineRegistration(ports, metadata, REDIRECT_URI)) found.push(each)
  return found
}

const path = (url: string) => splitUrl(url).path

/** Changes the answer to a registration whose metadata hold this text. */
const registering =
  (holds: string, change: (answer: HttpResponse) => HttpResponse): Tamper =>
  (request, answer) =>
    path(request.url) === '/register' && text(request.body).includes(holds) ? change(answer) : undefined

/** Changes the answers to one method at the addresses where clients are managed. */
const managing =
  (method: string, change: (answer: HttpResponse, token: string | undefined) => HttpResponse): Tamper =>
  (request, answer) =>
    path(request.url).startsWith('/register/') && request.method === method
      ? change(answer, request.headers.find(([name]) => name === 'authorization')?.[1])
      : undefined

/** An answer as if the client had been registered as it asked. */
const asAsked = (members: object) => (): HttpResponse =>
  jsonResponse(201, { client_id: 'made', ...members }, [['cache-control', 'no-store']])

type Case = [name: string, tamper: Tamper, broken: string[]]

describe('the registration of clients', () => {
  it('has nothing wrong at the lab, and leaves nothing behind', async () => {
    const found = await examined()
    expect(problems(found)).toEqual([])
    expect(names(found, 'not_tried')).toEqual([])
    expect(found.find(({ name }) => name === 'registration-left')).toMatchObject({
      result: 'pass',
      detail: 'every client was deleted',
    })
  })

  it.each<Case>([
    [
      'a script as redirect_uri',
      registering('javascript:', asAsked({ redirect_uris: ['javascript:alert(document.domain)//'] })),
      ['script-redirect-registration'],
    ],
    [
      'an address with a fragment',
      registering('#answer', asAsked({ redirect_uris: ['https://client.example/callback#answer'] })),
      ['fragment-redirect-registration'],
    ],
    [
      'the software statement of a stranger',
      registering('software_statement', asAsked({ client_name: 'A trusted client' })),
      ['foreign-software-statement'],
    ],
    [
      'another error than the rule has',
      registering('javascript:', () => jsonResponse(400, { error: 'invalid_request' })),
      ['script-redirect-registration'],
    ],
    [
      'credentials that may be stored',
      registering('doctor', answer => ({
        ...answer,
        headers: answer.headers.filter(([name]) => name !== 'cache-control'),
      })),
      ['registration-no-store'],
    ],
    [
      'a registration that everybody reads',
      managing('GET', (answer, token) =>
        token === undefined ? jsonResponse(200, { client_id: 'anybody' }) : answer,
      ),
      ['registration-without-token'],
    ],
    [
      'a client that is deleted and stays',
      managing('GET', (answer, token) =>
        answer.status === 401 && token !== undefined ? jsonResponse(200, { client_id: 'still' }) : answer,
      ),
      ['registration-other-token', 'registration-delete'],
    ],
  ])('names %s', async (_name, tamper, broken) => {
    expect(problems(await examined(tamper))).toEqual(broken)
  })

  it('leaves a value out where the answer leaves it out', async () => {
    const found = await examined(
      registering('data:', asAsked({ redirect_uris: ['https://client.example/cb'] })),
    )
    expect(problems(found)).toEqual([])
  })

  it('names the clients that stay where none can be deleted', async () => {
    const found = await examined((request, answer) => {
      if (path(request.url) !== '/register' || answer.status !== 201) return undefined
      const {
        registration_client_uri: _u,
        registration_access_token: _t,
        ...rest
      } = JSON.parse(text(answer.body))
      return { ...answer, body: Buffer.from(JSON.stringify(rest)) }
    })
    expect(problems(found)).toEqual([])
    expect(found.at(-1)).toMatchObject({
      name: 'registration-left',
      result: 'not_applicable',
      detail: expect.stringMatching(/registered stays \S+$/),
    })
  })

  it('does not send the token of a registration to another origin', async () => {
    const asked: string[] = []
    await examined((request, answer) => {
      asked.push(splitUrl(request.url).origin)
      if (path(request.url) !== '/register' || answer.status !== 201) return undefined
      const members = {
        ...JSON.parse(text(answer.body)),
        registration_client_uri: 'https://elsewhere.test/c',
      }
      return { ...answer, body: Buffer.from(JSON.stringify(members)) }
    })
    expect(new Set(asked)).toEqual(new Set([ISSUER]))
  })

  it.each([
    [401, 'not_applicable'],
    [429, 'not_tried'],
    [500, 'fault'],
  ])('judges a server that answers %i to an honest client', async (status, result) => {
    const found = await examined(registering('', () => jsonResponse(status, { error: 'no' })))
    expect(found.find(({ name }) => name === 'registration-works')).toMatchObject({ result })
    expect(found.filter(({ result: each }) => each === 'pass')).toEqual([])
  })

  it('does not apply where clients need a key', async () => {
    const ports = {
      send: () => Promise.reject(new Error('no request is sent')),
      signal: new AbortController().signal,
    }
    const metadata = {
      issuer: ISSUER,
      registration_endpoint: `${ISSUER}/register`,
      token_endpoint_auth_methods_supported: ['private_key_jwt'],
    }
    for await (const { result } of examineRegistration(ports, metadata, REDIRECT_URI))
      expect(result).toBe('not_applicable')
  })

  it('does not apply without an endpoint', async () => {
    const found = await examined(undefined, false)
    expect(new Set(found.map(({ result }) => result))).toEqual(new Set(['not_applicable']))
  })
})
