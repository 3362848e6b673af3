import { scryptSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import {
  createPasswordCheck,
  passwordHashProblem,
} from '../../../src/authorization-server/logins/passwords.js'
import { createSemaphore } from '../../../src/authorization-server/logins/semaphore.js'
import type { User } from '../../../src/authorization-server/model.js'
import { UsageError } from '../../../src/errors.js'
import { codeRequest, lab, landed } from '../support.js'

const salt = Buffer.from('0123456789abcdef')
const hashed = (password: string, N = 16) =>
  `scrypt$${N}$8$1$${salt.toString('base64')}$${scryptSync(password, salt, 32, { N, r: 8, p: 1 }).toString('base64')}`
const plain: User = { username: 'alice', password: 'wonderland', claims: {} }
const hash: User = { username: 'bob', password_hash: hashed('builder'), claims: {} }
const neither: User = { username: 'carol', claims: {} }

describe('a password', () => {
  it.each([[[plain, neither]], [[plain, hash, neither]]])('is checked whoever else is there', async users => {
    const check = createPasswordCheck(users)
    expect(await check(plain, 'wonderland')).toBe('right')
    expect(await check(plain, 'Wonderland')).toBe('wrong')
    expect(await check(plain, '')).toBe('wrong')
    expect(await check(neither, '')).toBe('wrong')
    expect(await check(undefined, '')).toBe('wrong')
    expect(await check(undefined, 'builder')).toBe('wrong')
  })

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

describe('a password_hash', () => {
  const tail = '$8$1$c2FsdA==$AAAAAAAAAAAAAAAAAAAAAAAAAAA='
  it.each([
    ['plain text', /not scrypt/],
    ['bcrypt$12$8$1$c2FsdA==$AAAA', /not scrypt/],
    [`scrypt$1000${tail}`, /power of two/],
    [`scrypt$0${tail}`, /power of two/],
    [`scrypt$1073741824${tail}`, /MiB/],
    ['scrypt$16$8$99$c2FsdA==$AAAAAAAAAAAAAAAAAAAAAAAAAAA=', /p is 1 to 16/],
    ['scrypt$16$8$1$c2FsdA==$AAAA', /16 to 64 bytes/],
  ])('%s is refused at the start', (text, problem) => {
    expect(passwordHashProblem(text)).toMatch(problem)
    expect(() => createPasswordCheck([{ ...hash, password_hash: text }])).toThrow(UsageError)
  })

  it('of scrypt is fine', () => {
    expect(passwordHashProblem(hashed('x'))).toBeUndefined()
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
