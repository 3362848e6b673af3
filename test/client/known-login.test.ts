import { describe, expect, it } from 'vitest'
import { answerFirst, answerOnce } from '../../src/client/known-login.js'

describe('a known login', () => {
  const user = { username: 'alice', password: 'x' }
  const prompt = { clientId: 'demo' }

  it('answers once', async () => {
    const ask = answerOnce(user)
    expect([await ask(prompt), await ask(prompt)]).toEqual([
      { kind: 'credentials', ...user },
      { kind: 'cancel' },
    ])
  })

  it('answers once more for a further request, but not after a refusal of it', async () => {
    const ask = answerOnce(user)
    const kinds = [await ask(prompt), await ask({ ...prompt, again: true })]
    expect(kinds.map(({ kind }) => kind)).toEqual(['credentials', 'credentials'])
    expect(await ask({ ...prompt, again: true, message: 'wrong' })).toEqual({ kind: 'cancel' })
  })

  it('answers first, then asks the person', async () => {
    const ask = answerFirst(user, async () => ({ kind: 'browser' }))
    expect([await ask(prompt), await ask(prompt)]).toEqual([
      { kind: 'credentials', ...user },
      { kind: 'browser' },
    ])
  })
})
