import { describe, expect, it } from 'vitest'
import { findClient, knownUser } from '../../../src/session/people/users.js'
import { client, usage } from '../support.js'

describe('findClient', () => {
  const clients = [client(), client({ client_id: 'spa' }), client({ client_id: 'legacy' })]

  it('finds a client by name', () => expect(findClient('spa', { clients })).toBe(clients[1]))

  it('answers an unknown name with the known ones and the nearest', () => {
    const error = usage(() => findClient('dmeo', { clients }))
    expect(error).toMatchObject({
      message: 'unknown client "dmeo". Known clients: demo, spa, legacy.',
      hints: ['Did you mean demo?'],
      kind: 'usage',
    })
    expect(usage(() => findClient('zzzzzzzz', { clients })).hints).toEqual([])
  })
})

describe('knownUser', () => {
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
  ])('%s with %s', (typed, password, found) => expect(knownUser(typed, password, users)).toEqual(found))

  it('says what is missing', () => {
    expect(usage(() => knownUser('alcie', undefined, users))).toMatchObject({
      message: 'unknown user "alcie". Known users: alice, bob.',
      hints: ['Did you mean alice?'],
    })
    expect(usage(() => knownUser('bob', undefined, users)).message).toContain('hash')
    expect(usage(() => knownUser(undefined, undefined, [])).message).toContain('no users')
  })
})
