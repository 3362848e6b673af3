import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AuthorizationServerEvent } from '../../../../src/servers/authorization-server/events.js'
import {
  ClientKeysError,
  createClientKeys,
  type KeyedClient,
} from '../../../../src/servers/authorization-server/stores/client-keys.js'
import { forAll } from '../../../support/for-all.js'

const URL = 'https://client.example/jwks'
const CLIENT: KeyedClient = { client_id: 'web', jwks_uri: URL }
const key = (kid: string) => ({ kty: 'OKP', crv: 'Ed25519', x: 'AAAA', kid })
const set = (...kids: string[]) => JSON.stringify({ keys: kids.map(key) })

/** A store, its clock, the addresses that it asked, and its events. */
function store(answer: (n: number, url: string) => string | Promise<string>) {
  const clock = { now: 1_000_000 }
  const asked: string[] = []
  const events: AuthorizationServerEvent[] = []
  const keys = createClientKeys({
    now: () => clock.now,
    fetchDocument: async url => ({ body: await answer(asked.push(url), url) }),
  })
  const publish = (event: AuthorizationServerEvent) => void events.push(event)
  const kids = async (kid?: string, client = CLIENT) =>
    (await keys(client, { publish, kid })).keys.map(each => each.kid)
  return { keys, kids, clock, asked, events, publish }
}

const down = () => Promise.reject(new Error('connect ECONNREFUSED'))

describe('the keys of a client', () => {
  it('are those of its registration, without a fetch', async () => {
    const jwks = { keys: [key('own')] }
    const { keys, asked, publish } = store(() => set('far'))
    expect(await keys({ client_id: 'web', jwks }, { publish })).toBe(jwks)
    expect(asked).toEqual([])
  })

  it('are fetched once for requests that come together and later', async () => {
    const { keys, kids, asked, events, publish } = store(() => set('one'))
    const [a, b] = await Promise.all([keys(CLIENT, { publish }), keys(CLIENT, { publish, kid: 'one' })])
    expect(a).toBe(b)
    expect(await kids('one')).toEqual(['one'])
    expect(asked).toEqual([URL])
    expect(events).toEqual([
      { type: 'client_keys.fetched', client_id: 'web', jwks_uri: URL, reason: 'first use', kids: ['one'] },
    ])
  })

  it('are fetched again for an unknown kid, once in 10 seconds', async () => {
    const { kids, clock, asked, events } = store(n => set('one', ...(n > 1 ? ['two'] : [])))
    expect(await kids('one')).toEqual(['one'])
    clock.now += 9999
    expect(await kids('two')).toEqual(['one'])
    clock.now += 1
    expect(await kids('two')).toEqual(['one', 'two'])
    expect(await kids('three')).toEqual(['one', 'two'])
    expect(asked).toHaveLength(2)
    expect(events[1]).toMatchObject({ reason: 'unknown kid', kids: ['one', 'two'] })
  })

  it('are fetched again after ten minutes, so that a removed key ends', async () => {
    const { kids, clock, asked } = store(n => set(n === 1 ? 'stolen' : 'new'))
    await kids()
    clock.now += 600_000 - 1
    expect(await kids()).toEqual(['stolen'])
    clock.now += 1
    expect(await kids()).toEqual(['new'])
    expect(asked).toHaveLength(2)
  })

  it('stay in use while their address fails', async () => {
    const { kids, clock, events } = store(n => (n === 1 ? set('one') : down()))
    await kids()
    clock.now += 600_000
    expect(await kids('two')).toEqual(['one'])
    const failed = { type: 'client_keys.failed', reason: 'age', description: 'connect ECONNREFUSED' }
    expect(events[1]).toMatchObject(failed)
  })

  it('are an error while their address never answered, which is asked again after 10 seconds', async () => {
    const { kids, clock, asked } = store(n => (n === 1 ? down() : set('one')))
    const refused =
      /the document at the client's jwks_uri: this server cannot read it; the event of the lab names the cause$/
    await expect(kids()).rejects.toThrow(refused)
    await expect(kids()).rejects.toThrow(refused)
    expect(asked).toHaveLength(1)
    clock.now += 10_000
    expect(await kids()).toEqual(['one'])
  })

  it('are an error for a client without keys, and on a server that fetches nothing', async () => {
    const { keys, publish } = store(down)
    await expect(keys({ client_id: 'web' }, { publish })).rejects.toThrow('registered without keys')
    const alone = createClientKeys({ now: () => 0 })
    await expect(alone(CLIENT, { publish })).rejects.toThrow('this server cannot read it')
  })

  it.each([
    ['no JSON', '<html>', 'it answered no JSON'],
    ['no set', '{"kty":"RSA"}', 'keys is missing'],
    ['a list of texts', '{"keys":["a"]}', 'no public key'],
    ['a secret', '{"keys":[{"kty":"oct","k":"AAAA"}]}', 'no public key'],
    ['a private key', '{"keys":[{"kty":"OKP","crv":"Ed25519","x":"A","d":"A"}]}', 'no public key'],
  ])('are refused where the address answers %s', async (_, body, problem) => {
    const { kids, events } = store(() => body)
    await expect(kids()).rejects.toThrow(/uri: this server cannot read it; the event of the lab names/)
    expect(events[0]).toMatchObject({ description: expect.stringContaining(problem) })
  })

  it('have their public members alone', async () => {
    const odd = { ...key('one'), use: 'enc', alg: 7, x5c: ['MII'], k: 'secret', oth: [] }
    const { keys, publish } = store(() => JSON.stringify({ keys: [odd] }))
    expect(await keys(CLIENT, { publish })).toEqual({
      keys: [{ ...key('one'), use: 'enc', x5c: ['MII'] }],
    })
  })

  it('of 200 addresses of a host are kept', async () => {
    const { kids, asked } = store((_, url) => set(url))
    const at = (n: number): KeyedClient => ({ client_id: `c${n}`, jwks_uri: `https://c.example/${n}` })
    const other = { client_id: 'other', jwks_uri: 'https://other.example/' }
    await kids(undefined, other)
    for (let n = 0; n <= 200; n++) await kids(undefined, at(n))
    await kids(undefined, at(200))
    await kids(undefined, other)
    expect(asked).toHaveLength(202)
    await kids(undefined, at(0))
    expect(asked).toHaveLength(203)
  })

  it('of any answer are a set of public keys or a ClientKeysError', () =>
    forAll(fc.oneof(fc.string(), fc.json()), async body => {
      const { kids } = store(() => body)
      await kids().catch(error => expect(error).toBeInstanceOf(ClientKeysError))
    }))
})
