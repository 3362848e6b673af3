import { describe, expect, it } from 'vitest'
import { answerFirst, answerOnce } from '../../src/client/known-login.js'

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
