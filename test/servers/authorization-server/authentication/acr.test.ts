import { describe, expect, it } from 'vitest'
import { header, text } from '../../../../src/protocol/http/message.js'
import { basic, claimsOf, field, json, landed, query, SECRET } from '../support.js'
import { codeAt, MFA, PWD, strongLab } from './strong-lab.js'

const BOB = { username: 'bob', password: 'builder' }
const essential = (acr: object) => JSON.stringify({ id_token: { acr: { essential: true, ...acr } } })

describe('the strength of a login', () => {
  it('is in both tokens, the same after a refresh, and in introspection', async () => {
    const made = strongLab()
    const { tokens, id, access } = await made.tokensOf(await made.loginTwice({ acr_values: MFA }))
    expect(id).toMatchObject({ acr: MFA, amr: ['pwd', 'otp', 'mfa'] })
    expect(access).toMatchObject({ acr: MFA, auth_time: id.auth_time })
    made.clock.now += 600_000
    const form = { grant_type: 'refresh_token', refresh_token: String(tokens.refresh_token) }
    const token = String(json(await made.token(form)).access_token)
    const shown = json(await made.post('/introspection', { token }, [basic('demo', SECRET)]))
    expect(shown).toMatchObject({ acr: MFA, auth_time: id.auth_time })
  })

  it('is that of a password without a wish', async () => {
    const made = strongLab()
    const { id, access } = await made.tokensOf(await made.person.login(made.request()))
    expect(id).toMatchObject({ acr: PWD, amr: ['pwd'] })
    expect(access).toMatchObject({ acr: PWD })
  })

  it('is in an access token of the implicit grant, which comes without an id_token', async () => {
    const made = strongLab()
    const asked = { response_type: 'token', client_id: 'demo-spa', scope: 'openid records:read' }
    const answer = header(await made.person.login(made.request(asked)), 'location')
    const fragment = new URLSearchParams(answer?.split('#')[1])
    expect(fragment.get('id_token')).toBeNull()
    expect(claimsOf(fragment.get('access_token'))).toMatchObject({ acr: PWD })
  })
})

describe('acr_values (OpenID Connect Core §3.1.2.1)', () => {
  it.each([
    ['unknown classes alone', '1 2', PWD],
    ['the password first', `${PWD} ${MFA}`, PWD],
    ['an unknown class before the password', `gold ${PWD}`, PWD],
    ['nothing', '', PWD],
    ['both, the code first', `${MFA} ${PWD}`, MFA],
    ['an unknown class before the code', `gold ${MFA}`, MFA],
  ])('with %s decide the class', async (_, acr_values, acr) => {
    expect((await strongLab().idOf({ acr_values })).acr).toBe(acr)
  })

  it('is a wish: a user without a second factor gets a weaker login', async () => {
    expect(await strongLab().idOf({ acr_values: MFA }, BOB)).toMatchObject({ sub: 'bob', acr: PWD })
  })

  it('works without the scope openid (RFC 9470 §5)', async () => {
    const made = strongLab()
    const { access } = await made.tokensOf(await made.loginTwice({ acr_values: MFA, scope: 'records:read' }))
    expect(access.acr).toBe(MFA)
  })

  it('has a default of the client', async () => {
    const made = strongLab({}, { default_acr_values: [MFA] })
    expect((await made.idOf({})).acr).toBe(MFA)
    expect((await made.idOf({ acr_values: PWD, prompt: 'login' })).acr).toBe(PWD)
  })
})

describe('a session', () => {
  it('is made stronger by a code alone, then asks for consent', async () => {
    const made = strongLab()
    const first = await made.idOf({})
    made.clock.now += 60_000
    const wanted = { acr_values: MFA, scope: 'openid records:read records:write' }
    const page = await made.person.authorize(made.request(wanted))
    expect(text(page.body)).toContain('Enter a code')
    const consent = await made.enter(page, wanted, codeAt(made.clock.now))
    expect(text(consent.body)).toContain('Allow access?')
    const form = { consent: 'allow', csrf: field(consent, 'csrf') }
    const answer = await made.person.post(`/authorization?${query(made.request(wanted))}`, form)
    // The password is as old as before: only the code is new.
    expect((await made.tokensOf(answer)).id).toMatchObject({ acr: MFA, auth_time: first.auth_time })
  })

  it('answers a weaker wish without a page, by the class that was asked for', async () => {
    const made = strongLab()
    await made.loginTwice({ acr_values: MFA })
    const claims = essential({ value: PWD })
    expect((await made.tokensOf(await made.silent({ claims }))).id.acr).toBe(PWD)
    expect((await made.tokensOf(await made.silent())).id.acr).toBe(MFA)
  })

  it.each([
    ['a wish', { acr_values: MFA }],
    ['a demand', { claims: essential({ values: [MFA] }) }],
  ])('that is too weak for %s gets interaction_required with prompt=none', async (_, asked) => {
    const made = strongLab()
    await made.person.login(made.request())
    expect(landed(await made.silent(asked))).toMatchObject({ error: 'interaction_required', state: 's' })
  })

  it('answers prompt=none where the client accepts the weaker class too', async () => {
    const made = strongLab()
    await made.person.login(made.request())
    expect(landed(await made.silent({ acr_values: `${MFA} ${PWD}` }))).toHaveProperty('code')
  })

  it('that ended while its code was awaited does not come back', async () => {
    const made = strongLab()
    await made.person.login(made.request())
    const wanted = { acr_values: MFA }
    const page = await made.person.authorize(made.request(wanted))
    const csrf = field(await made.person.get('/end-session'), 'csrf')
    await made.person.post('/end-session', { csrf, logout: 'yes' })
    const answer = await made.enter(page, wanted, codeAt(made.clock.now))
    expect(text(answer.body)).toContain('Your login has ended')
  })

  it('is not skipped on the way to consent', async () => {
    const made = strongLab()
    const wanted = { acr_values: MFA, prompt: 'consent' }
    await made.loginTwice({ acr_values: MFA })
    const csrf = field(await made.person.authorize(made.request(wanted)), 'csrf')
    // Another tab logs the same person in again, by a password alone.
    await made.person.login(made.request({ prompt: 'login' }))
    const target = `/authorization?${query(made.request(wanted))}`
    const answer = await made.person.post(target, { consent: 'allow', csrf })
    expect(text(answer.body)).toContain('Enter a code')
  })
})

describe('an essential acr (OpenID Connect Core §5.5.1.1)', () => {
  it.each([
    ['one class that a code reaches', { value: MFA }, {}, MFA],
    ['classes of which a code reaches one', { values: ['gold', MFA] }, {}, MFA],
    ['no value', {}, {}, PWD],
    ['a class before acr_values', { value: PWD }, { acr_values: MFA }, PWD],
  ])('of %s is the class of the login', async (_, acr, more, reached) => {
    expect((await strongLab().idOf({ claims: essential(acr), ...more })).acr).toBe(reached)
  })

  it.each([{ value: 'gold' }, { values: ['1', '2'] }, { values: [] }, { values: [7] }])(
    '%j is refused before any page',
    async acr => {
      const made = strongLab()
      const answer = landed(await made.person.authorize(made.request({ claims: essential(acr) })))
      expect(answer).toMatchObject({ error: 'unmet_authentication_requirements', state: 's' })
    },
  )

  it('is refused after the login of a user without a second factor', async () => {
    const made = strongLab()
    const answer = await made.person.login(made.request({ claims: essential({ value: MFA }) }), BOB)
    expect(landed(answer).error).toBe('unmet_authentication_requirements')
  })
})
