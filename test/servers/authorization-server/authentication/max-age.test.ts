import { describe, expect, it } from 'vitest'
import { text } from '../../../../src/protocol/http/message.js'
import { landed } from '../support.js'
import { codeAt, MFA, strongLab } from './strong-lab.js'

describe('max_age (OpenID Connect Core §3.1.2.1)', () => {
  it('0 asks for the password each time, and the login then answers', async () => {
    const made = strongLab()
    await made.person.login(made.request())
    made.clock.now += 5000
    const page = await made.person.authorize(made.request({ max_age: '0' }))
    expect(text(page.body)).toContain('name="password"')
    const { id } = await made.tokensOf(await made.person.login(made.request({ max_age: '0' })))
    expect(id.auth_time).toBe(Math.floor(made.clock.now / 1000))
  })

  it('with acr_values takes both factors again', async () => {
    const made = strongLab()
    const wanted = { max_age: '0', acr_values: MFA }
    await made.loginTwice(wanted)
    made.clock.now += 60_000
    const page = await made.person.login(made.request(wanted))
    expect(text(page.body)).toContain('Enter a code')
    const { id } = await made.tokensOf(await made.enter(page, wanted, codeAt(made.clock.now)))
    expect(id).toMatchObject({ acr: MFA, auth_time: Math.floor(made.clock.now / 1000) })
  })

  it('has a default of the client, which the request replaces', async () => {
    const made = strongLab({}, { default_max_age: 60, require_auth_time: true })
    await made.person.login(made.request())
    made.clock.now += 59_000
    expect(landed(await made.person.authorize(made.request({ prompt: 'none' })))).toHaveProperty('code')
    made.clock.now += 1_000
    expect(landed(await made.person.authorize(made.request({ prompt: 'none' }))).error).toBe('login_required')
    expect(
      landed(await made.person.authorize(made.request({ prompt: 'none', max_age: '600' }))),
    ).toHaveProperty('code')
  })
})
