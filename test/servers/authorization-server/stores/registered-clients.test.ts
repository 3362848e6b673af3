import { describe, expect, it } from 'vitest'
import {
  createDocumentClients,
  createRegisteredClients,
  createRegistry,
} from '../../../../src/servers/authorization-server/stores/registry.js'
import { client } from '../support.js'

const TOKEN = 'token-0123456789abcdef'

describe('registered clients', () => {
  it('finds, lists, replaces and removes a client', () => {
    const store = createRegisteredClients()
    expect(store.add({ client: client('one'), at: 5 }, TOKEN, '192.0.2.1')).toBe(true)
    expect(store.client('one')?.client_id).toBe('one')
    expect(store.clients().map(each => each.client_id)).toEqual(['one'])
    expect(store.replace({ client: client('one', { client_name: 'One' }) })).toBe(true)
    expect(store.find('one')).toMatchObject({ at: 5, client: { client_name: 'One' } })
    expect(store.isTokenOf('one', TOKEN)).toBe(true)
    expect(store.remove('one')).toBe(true)
    expect(store.remove('one')).toBe(false)
    expect(store.client('one')).toBeUndefined()
    expect(store.isTokenOf('one', TOKEN)).toBe(false)
    expect(store.size).toBe(0)
  })

  it('replaces no client that it does not have', () => {
    const store = createRegisteredClients()
    expect(store.replace({ client: client('one') })).toBe(false)
    expect(store.size).toBe(0)
  })

  it.each(['', 'token', `${TOKEN} `, TOKEN.toUpperCase()])('does not take %j for the token', token => {
    const store = createRegisteredClients()
    store.add({ client: client('one'), at: 0 }, TOKEN, '192.0.2.1')
    expect(store.isTokenOf('one', token)).toBe(false)
    expect(store.isTokenOf('two', token)).toBe(false)
  })

  it('keeps no token, only its digest', () => {
    const store = createRegisteredClients()
    store.add({ client: client('one'), at: 0 }, TOKEN, '192.0.2.1')
    expect(JSON.stringify(store.find('one'))).not.toContain(TOKEN)
  })

  it('refuses beyond its count, and takes another client when one has gone', () => {
    const store = createRegisteredClients({ limit: 2 })
    const add = (id: string) => store.add({ client: client(id), at: 0 }, TOKEN, '192.0.2.1')
    expect([add('a'), add('b'), add('c')]).toEqual([true, true, false])
    expect(store.client('c')).toBeUndefined()
    store.remove('a')
    expect(add('c')).toBe(true)
  })

  it('refuses one network beyond its count, and takes a client from another', () => {
    const store = createRegisteredClients({ limit: 4 })
    const add = (id: string, owner: string) => store.add({ client: client(id), at: 0 }, TOKEN, owner)
    expect(add('first', '192.0.2.2')).toBe(true)
    const flood = Array.from({ length: 100 }, (_, i) => add(`flood ${i}`, '192.0.2.1'))
    expect(flood.filter(Boolean)).toHaveLength(3)
    expect(store.client('first')).toBeDefined()
    expect([add('second', '192.0.2.2'), add('third', '192.0.2.3')]).toEqual([true, true])
  })

  it('refuses beyond its bytes, a larger replacement too, and forgets the bytes of what went', () => {
    const store = createRegisteredClients({ maxBytes: 6500 })
    const big = (id: string, length: number) => client(id, { client_name: 'n'.repeat(length) })
    expect(store.add({ client: big('a', 500), at: 0 }, TOKEN, '192.0.2.1')).toBe(true)
    expect(store.replace({ client: big('a', 3000) })).toBe(false)
    expect(store.client('a')?.client_name).toHaveLength(500)
    for (let turn = 0; turn < 20; turn++) {
      expect(store.add({ client: big('b', 500), at: 0 }, TOKEN, '192.0.2.1')).toBe(true)
      expect(store.replace({ client: big('b', 600) })).toBe(true)
      expect(store.remove('b')).toBe(true)
    }
  })

  it('returns the same list of ids until a client comes or goes', () => {
    const store = createRegisteredClients()
    const none = store.ids()
    expect(store.ids()).toBe(none)
    store.add({ client: client('one'), at: 0 }, TOKEN, '192.0.2.1')
    const one = store.ids()
    expect(one).toEqual(['one'])
    store.replace({ client: client('one', { client_name: 'One' }) })
    expect(store.ids()).toBe(one)
    store.remove('one')
    expect(store.ids()).toEqual([])
  })
})

describe('the registry', () => {
  const lists = [client('one', { client_name: 'of the file' }), client('two')]

  it('finds clients of the file first, then those of its sources in order', () => {
    const [first, second] = [createRegisteredClients(), createRegisteredClients()]
    const registry = createRegistry(lists, [], { sources: [first, second] })
    first.add({ client: client('one', { client_name: 'a look-alike' }), at: 0 }, TOKEN, '192.0.2.1')
    first.add({ client: client('three', { client_name: 'first' }), at: 0 }, TOKEN, '192.0.2.1')
    second.add({ client: client('three', { client_name: 'second' }), at: 0 }, TOKEN, '192.0.2.1')
    expect(registry.client('one')?.client_name).toBe('of the file')
    expect(registry.client('three')?.client_name).toBe('first')
    expect(registry.clients().map(each => each.client_id)).toEqual(['one', 'two', 'three'])
  })

  it('makes each client once, as the server registers it', () => {
    const source = createRegisteredClients()
    source.add({ client: client('three'), at: 0 }, TOKEN, '192.0.2.1')
    const registered = (each: ReturnType<typeof client>) => ({ ...each, require_pkce: true })
    const registry = createRegistry(lists, [], { registered, sources: [source] })
    expect(registry.client('three')?.require_pkce).toBe(true)
    expect(registry.client('three')).toBe(registry.client('three'))
    expect(registry.clients().every(each => each.require_pkce)).toBe(true)
    source.remove('three')
    expect(registry.client('three')).toBeUndefined()
  })

  it('lists the same clients until one comes, goes or changes', () => {
    const [list, source, documents] = [[...lists], createRegisteredClients(), createDocumentClients()]
    let own: (typeof lists)[number] | undefined
    const registry = createRegistry(list, [], {
      ownClient: { id: 'two', client: listed => own ?? listed },
      sources: [source, documents],
    })
    const url = 'https://app.example/client'
    const changes: (() => unknown)[] = [
      () => list.push(client('three')),
      () => source.add({ client: client('four'), at: 0 }, TOKEN, '192.0.2.1'),
      () => source.replace({ client: client('four', { client_name: 'Four' }) }),
      () => documents.keep({ client: client(url), freshUntil: 0 }),
      () => documents.keep({ client: client(url, { client_name: 'Changed' }), freshUntil: 0 }),
      () => {
        own = client('two', { client_name: 'of the lab' })
      },
      () => source.remove('four'),
      () => list.pop(),
    ]
    for (const change of changes) {
      const before = registry.clients()
      expect(registry.clients()).toBe(before)
      change()
      expect(registry.clients()).not.toEqual(before)
    }
  })

  it('follows a list whose clients come and go', () => {
    const list = [client('one'), client('two')]
    const registry = createRegistry(list, [])
    const nameOf = (id: string) => registry.client(id)?.client_name
    expect(registry.client('two')).toBeDefined()
    list.splice(1, 1)
    expect(registry.client('two')).toBeUndefined()
    list.push(client('two', { client_name: 'again' }))
    expect(nameOf('two')).toBe('again')
    list.push(client('two', { client_name: 'the last counts' }))
    expect(nameOf('two')).toBe('the last counts')
  })
})
