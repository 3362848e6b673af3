import { describe, expect, it } from 'vitest'
import {
  answerFirst,
  answerOnce,
  findClient,
  findUser,
  redirectUriFor,
  secretPlace,
} from '../../src/commands/flow-words.js'
import { EXIT, UsageError } from '../../src/errors.js'
import type { Client } from '../../src/oauth/client.js'

const client = (more: Partial<Client> = {}): Client => ({
  client_id: 'demo',
  redirect_uris: [],
  enabled: true,
  grant_types: [],
  response_types: [],
  require_pkce: false,
  code_challenge_methods: ['S256'],
  token_profile: 'jwt',
  ...more,
})

const usage = (work: () => unknown): UsageError => {
  try {
    work()
  } catch (error) {
    if (error instanceof UsageError) return error
    throw error
  }
  throw new Error('no usage error')
}

describe('findClient', () => {
  const clients = [client(), client({ client_id: 'spa' }), client({ client_id: 'legacy' })]

  it('finds a client by name', () => expect(findClient('spa', clients)).toBe(clients[1]))

  it('answers an unknown name with the known ones and the nearest', () => {
    const error = usage(() => findClient('dmeo', clients))
    expect(error).toMatchObject({
      message: 'unknown client "dmeo". Known clients: demo, spa, legacy.',
      hints: ['Did you mean demo?'],
      exitCode: EXIT.usage,
    })
    expect(usage(() => findClient('zzzzzzzz', clients)).hints).toEqual([])
  })
})

describe('findUser', () => {
  const users = [
    { username: 'alice', password: 'wonderland', claims: {} },
    { username: 'bob', password_hash: 'scrypt$…', claims: {} },
  ]

  it.each([
    [undefined, undefined, { username: 'alice', password: 'wonderland' }],
    ['alice', undefined, { username: 'alice', password: 'wonderland' }],
    ['alice:x:y', undefined, { username: 'alice', password: 'x:y' }],
    ['alice:', undefined, { username: 'alice', password: '' }],
    ['alice', 'typed', { username: 'alice', password: 'typed' }],
    ['bob', 'typed', { username: 'bob', password: 'typed' }],
    ['stranger:x', undefined, { username: 'stranger', password: 'x' }],
    [undefined, 'typed', { username: 'alice', password: 'typed' }],
  ])('%s with %s', (typed, password, found) => expect(findUser(typed, password, users)).toEqual(found))

  it('says what is missing', () => {
    expect(usage(() => findUser('alcie', undefined, users))).toMatchObject({
      message: 'unknown user "alcie". Known users: alice, bob.',
      hints: ['Did you mean alice?'],
    })
    expect(usage(() => findUser('bob', undefined, users)).message).toContain('hash')
    expect(usage(() => findUser(undefined, undefined, [])).message).toContain('no users')
  })
})

describe('redirectUriFor', () => {
  it.each([
    [['http://127.0.0.1/callback', 'https://client.example/cb'], 'http://127.0.0.1:0/callback'],
    [['https://client.example/cb', 'http://127.0.0.1:7000/x?a=1'], 'http://127.0.0.1:0/x?a=1'],
    [['http://[::1]/callback', 'http://127.0.0.1/callback'], 'http://127.0.0.1:0/callback'],
    [['http://[::1]/callback'], 'http://[::1]:0/callback'],
    [['https://client.example/cb'], 'https://client.example/cb'],
    [[], 'http://127.0.0.1:0/callback'],
  ])('%j', (registered, wanted) => {
    expect(redirectUriFor(client({ redirect_uris: registered }), true)).toBe(wanted)
  })

  it('takes IPv6 where there is nothing else', () => {
    const registered = ['http://127.0.0.1/callback', 'http://[::1]/callback']
    expect(redirectUriFor(client({ redirect_uris: registered }), false)).toBe('http://[::1]:0/callback')
  })
})

describe('secretPlace', () => {
  it.each([
    [{}, 'none'],
    [{ client_secret: 's' }, 'client_secret_basic'],
    [{ client_secret: 's', token_endpoint_auth_method: 'client_secret_post' }, 'client_secret_post'],
    [{ client_secret: 's', jwks: { keys: [] } }, 'client_secret_basic'],
  ] as const)('%j', (more, place) => expect(secretPlace(client(more))).toBe(place))

  it('refuses what cannot be sent', () => {
    expect(
      usage(() => secretPlace(client({ token_endpoint_auth_method: 'private_key_jwt' }))).message,
    ).toContain('private_key_jwt')
    expect(usage(() => secretPlace(client({ jwks: { keys: [] } }))).message).toContain('private_key_jwt')
  })
})

describe('answers', () => {
  const user = { username: 'alice', password: 'x' }
  const prompt = { clientId: 'demo' }

  it('are given once', async () => {
    const ask = answerOnce(user)
    expect([await ask(prompt), await ask(prompt)]).toEqual([
      { kind: 'credentials', ...user },
      { kind: 'cancel' },
    ])
  })

  it('are given first, then the person is asked', async () => {
    const ask = answerFirst(user, async () => ({ kind: 'browser' }))
    expect([await ask(prompt), await ask(prompt)]).toEqual([
      { kind: 'credentials', ...user },
      { kind: 'browser' },
    ])
  })
})
