import { describe, expect, it } from 'vitest'
import { text } from '../../../../src/protocol/http/message.js'
import { landed } from '../support.js'
import { codeAt, MFA, strongLab } from './strong-lab.js'

describe('max_age (OpenID Connect Core §3.1.2.1)', () => {
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
    expect(landed(await made.silent())).toHaveProperty('code')
    made.clock.now += 1_000
    expect(landed(await made.silent()).error).toBe('login_required')
    expect(landed(await made.silent({ max_age: '600' }))).toHaveProperty('code')
  })
})
