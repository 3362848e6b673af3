import { scryptSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { UsageError } from '../../../../src/protocol/errors.js'
import { text } from '../../../../src/protocol/http/message.js'
import {
  createPasswordCheck,
  passwordHashProblem,
} from '../../../../src/servers/authorization-server/logins/passwords.js'
import { createSemaphore } from '../../../../src/servers/authorization-server/logins/semaphore.js'
import type { User } from '../../../../src/servers/authorization-server/model.js'
import { codeRequest, lab, landed } from '../support.js'

const salt = Buffer.from('0123456789abcdef')
const hashed = (password: string, N = 16) =>
  `scrypt$${N}$8$1$${salt.toString('base64')}$${scryptSync(password, salt, 32, { N, r: 8, p: 1, maxmem: 2 ** 26 }).toString('base64')}`
const plain: User = { username: 'alice', password: 'wonderland', claims: {} }
const hash: User = { username: 'bob', password_hash: hashed('builder'), claims: {} }
const neither: User = { username: 'carol', claims: {} }

describe('a password', () => {
  it.each([[[plain, neither]], [[plain, hash, neither]]])(
    'is checked with any other users registered',
    async users => {
      const check = createPasswordCheck(users)
      expect(await check(plain, 'wonderland')).toBe('right')
      expect(await check(plain, 'Wonderland')).toBe('wrong')
      expect(await check(plain, '')).toBe('wrong')
      expect(await check(neither, '')).toBe('wrong')
      expect(await check(undefined, '')).toBe('wrong')
      expect(await check(undefined, 'builder')).toBe('wrong')
    },
  )

  it('is checked against a hash', async () => {
    const check = createPasswordCheck([plain, hash])
    expect(await check(hash, 'builder')).toBe('right')
    expect(await check(hash, 'wonderland')).toBe('wrong')
    expect(await check(plain, 'builder')).toBe('wrong')
  })

  it('with a hash of many rounds logs in through the page', async () => {
    const users = [{ ...hash, password_hash: hashed('builder', 2 ** 14) }]
    const { login } = lab({ users })
    const response = await login(codeRequest(), { username: 'bob', password: 'builder' })
    expect(landed(response).code).toBeDefined()
  })

  it('is not checked while more than a hundred others wait', async () => {
    const check = createPasswordCheck([hash])
    const verdicts = await Promise.all(Array.from({ length: 110 }, () => check(hash, 'builder')))
    expect(verdicts.filter(verdict => verdict === 'right')).toHaveLength(102)
    expect(verdicts.filter(verdict => verdict === 'busy')).toHaveLength(8)
    expect(await check(hash, 'builder')).toBe('right')
  })
})

describe('an unknown user', () => {
  const cheap: User = { ...hash, username: 'dave', password_hash: hashed('cheap', 2) }
  const costly: User = { ...hash, password_hash: hashed('builder', 2 ** 13) }

  it.each([
    ['nobody', undefined],
    ['a user without a hash', plain],
  ])('costs a hash, and waits like the others: %s', async (_, user) => {
    const check = createPasswordCheck([plain, cheap])
    const verdicts = await Promise.all(Array.from({ length: 110 }, () => check(user, 'nonsense')))
    expect(verdicts.filter(verdict => verdict === 'busy')).toHaveLength(8)
  })

  it('costs a hash once a user with a hash was added', async () => {
    const users = [plain]
    const check = createPasswordCheck(users)
    const many = () => Promise.all(Array.from({ length: 110 }, () => check(undefined, 'builder')))
    expect(await many()).not.toContain('busy')
    users.push(cheap)
    expect(await many()).toContain('busy')
    expect(await check(cheap, 'cheap')).toBe('right')
  })

  it.each([[[cheap, costly]], [[costly, cheap]]])('costs as much as the costliest hash', async users => {
    const check = createPasswordCheck(users)
    const order: string[] = []
    await Promise.all([
      check(undefined, 'x').then(() => order.push('nobody')),
      check(cheap, 'x').then(() => order.push('cheap')),
    ])
    expect(order).toEqual(['cheap', 'nobody'])
  })

  it.each([
    ['nobody', undefined],
    ['a user without a password', neither],
    ['a user with another password', plain],
    ['a user with a cheaper hash', cheap],
  ])('is not logged in by the password of the costliest hash: %s', async (_, user) => {
    expect(await createPasswordCheck([plain, neither, cheap, hash])(user, 'builder')).toBe('wrong')
  })

  it('gets the same page as a wrong password, even for the password of another user', async () => {
    const { login, events } = lab({ users: [plain, hash] })
    const page = await login(codeRequest(), { username: 'nobody', password: 'builder' })
    const wrong = await login(codeRequest(), { username: 'bob', password: 'wrong' })
    expect([page.status, wrong.status]).toEqual([200, 200])
    for (const each of [page, wrong]) expect(text(each.body)).toContain('Username or password is wrong')
    expect(events.filter(event => event.type === 'code.issued')).toEqual([])
  })
})

describe('a password_hash', () => {
  const tail = '$8$1$c2FsdA==$AAAAAAAAAAAAAAAAAAAAAAAAAAA='
  it.each([
    ['plain text', /not scrypt/],
    ['bcrypt$12$8$1$c2FsdA==$AAAA', /not scrypt/],
    [`scrypt$1000${tail}`, /power of two/],
    [`scrypt$0${tail}`, /power of two/],
    [`scrypt$1${tail}`, /power of two/],
    [` scrypt$16${tail}`, /not scrypt/],
    [`scrypt$16${tail} `, /not scrypt/],
    [`scrypt$1073741824${tail}`, /MiB/],
    ['scrypt$16$8$99$c2FsdA==$AAAAAAAAAAAAAAAAAAAAAAAAAAA=', /p is 1 to 16/],
    ['scrypt$16$8$17$c2FsdA==$AAAAAAAAAAAAAAAAAAAAAAAAAAA=', /p is 1 to 16/],
    ['scrypt$16$8$0$c2FsdA==$AAAAAAAAAAAAAAAAAAAAAAAAAAA=', /p is 1 to 16/],
    ['scrypt$16$0$1$c2FsdA==$AAAAAAAAAAAAAAAAAAAAAAAAAAA=', /r is at least 1/],
    ['scrypt$16$8$1$c2FsdA==$AAAA', /16 to 64 bytes/],
    [`scrypt$16$8$1$c2FsdA==$${Buffer.alloc(15).toString('base64')}`, /16 to 64 bytes/],
    [`scrypt$16$8$1$c2FsdA==$${Buffer.alloc(65).toString('base64')}`, /16 to 64 bytes/],
    [`scrypt$131072$16$1$c2FsdA==$${Buffer.alloc(16).toString('base64')}`, /257 MiB/],
  ])('%s is refused at the start', (hashText, problem) => {
    expect(passwordHashProblem(hashText)).toMatch(problem)
    expect(() => createPasswordCheck([{ ...hash, password_hash: hashText }])).toThrow(UsageError)
  })

  it.each([
    ['of scrypt', hashed('x')],
    ['with the least cost', `scrypt$2$1$1$c2FsdA==$${Buffer.alloc(16).toString('base64')}`],
    ['with the longest hash', `scrypt$2$1$16$c2FsdA==$${Buffer.alloc(64).toString('base64')}`],
    ['that needs 128 MiB', `scrypt$131072$8$1$c2FsdA==$${Buffer.alloc(32).toString('base64')}`],
  ])('%s is accepted', (_, hashText) => {
    expect(passwordHashProblem(hashText)).toBeUndefined()
  })
})

describe('a semaphore', () => {
  it('never runs more than its number, keeps the order, and goes on after a failure', async () => {
    const run = createSemaphore({ atOnce: 2, waiting: 10 })
    let running = 0
    let most = 0
    const order: number[] = []
    const task = (n: number) =>
      run(async () => {
        order.push(n)
        most = Math.max(most, ++running)
        await Promise.resolve()
        running--
        if (n === 1) throw new Error('one')
        return n
      })
    const results = await Promise.allSettled([0, 1, 2, 3, 4].map(task))
    expect(most).toBe(2)
    expect(order).toEqual([0, 1, 2, 3, 4])
    expect(results.map(result => result.status)).toEqual([
      ...['fulfilled', 'rejected', 'fulfilled', 'fulfilled', 'fulfilled'],
    ])
  })
})
