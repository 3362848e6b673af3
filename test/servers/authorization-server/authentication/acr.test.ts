import { describe, expect, it } from 'vitest'
import { text } from '../../../../src/protocol/http/message.js'
import { field, json, landed, query } from '../support.js'
import { codeAt, MFA, PWD, strongLab } from './strong-lab.js'

const essential = (acr: object) => JSON.stringify({ id_token: { acr: { essential: true, ...acr } } })

describe('the strength of a login', () => {
  it('is in both tokens, the same after a refresh, and in introspection', async () => {
    const made = strongLab()
    const { tokens, id, access } = await made.tokensOf(await made.loginTwice({ acr_values: MFA }))
    expect(id).toMatchObject({ acr: MFA, amr: ['pwd', 'otp', 'mfa'] })
    expect(access).toMatchObject({ acr: MFA, auth_time: id.auth_time })
    made.clock.now += 600_000
    const again = json(
      await made.token({ grant_type: 'refresh_token', refresh_token: String(tokens.refresh_token) }),
    )
    const shown = json(
      await made.post('/introspection', {
        token: String(again.access_token),
        client_id: 'demo',
        client_secret: 'demo-secret-0123456789abcdef0123456789',
      }),
    )
    expect(shown).toMatchObject({ acr: MFA, auth_time: id.auth_time })
  })

  it('is that of a password without a wish, on one page', async () => {
    const made = strongLab()
    const { id, access } = await made.tokensOf(await made.person.login(made.request()))
    expect(id).toMatchObject({ acr: PWD, amr: ['pwd'] })
    expect(access).toMatchObject({ acr: PWD })
  })

  it('is in an access token of the implicit grant, which comes without an id_token', async () => {
    const made = strongLab()
    const asked = { response_type: 'token', client_id: 'demo-spa', scope: 'openid records:read' }
    const answer = await made.person.login(made.request(asked))
    const fragment = new URLSearchParams(
      answer.headers.find(([name]) => name === 'location')?.[1].split('#')[1],
    )
    expect(fragment.get('id_token')).toBeNull()
    expect(
      JSON.parse(Buffer.from(fragment.get('access_token')!.split('.')[1]!, 'base64url').toString()),
    ).toMatchObject({ acr: PWD })
  })
})

describe('acr_values (OpenID Connect Core §3.1.2.1)', () => {
  it.each([
    ['unknown classes alone', '1 2', PWD],
    ['the password first', `${PWD} ${MFA}`, PWD],
    ['an unknown class before the password', `gold ${PWD}`, PWD],
    ['nothing', '', PWD],
  ])('with %s needs one page', async (_, acr_values, acr) => {
    const made = strongLab()
    expect((await made.tokensOf(await made.person.login(made.request({ acr_values })))).id.acr).toBe(acr)
  })

  it.each([MFA, `${MFA} ${PWD}`, `gold ${MFA}`])('%s asks for a code', async acr_values => {
    const made = strongLab()
    expect((await made.tokensOf(await made.loginTwice({ acr_values }))).id.acr).toBe(MFA)
  })

  it('is a wish: a user without a second factor gets a weaker login', async () => {
    const made = strongLab()
    const answer = await made.person.login(made.request({ acr_values: MFA }), {
      username: 'bob',
      password: 'builder',
    })
    expect((await made.tokensOf(answer)).id).toMatchObject({ sub: 'bob', acr: PWD })
  })

  it('works without the scope openid (RFC 9470 §5)', async () => {
    const made = strongLab()
    const { access } = await made.tokensOf(await made.loginTwice({ acr_values: MFA, scope: 'records:read' }))
    expect(access.acr).toBe(MFA)
  })

  it('has a default of the client', async () => {
    const made = strongLab({}, { default_acr_values: [MFA] })
    expect((await made.tokensOf(await made.loginTwice({}))).id.acr).toBe(MFA)
    expect(
      (await made.tokensOf(await made.person.login(made.request({ acr_values: PWD, prompt: 'login' })))).id
        .acr,
    ).toBe(PWD)
  })
})

describe('a session', () => {
  it('is made stronger by a code alone, then asks for consent', async () => {
    const made = strongLab()
    const first = await made.tokensOf(await made.person.login(made.request()))
    made.clock.now += 60_000
    const wanted = { acr_values: MFA, scope: 'openid records:read records:write' }
    const page = await made.person.authorize(made.request(wanted))
    expect(text(page.body)).toContain('Enter a code')
    const consent = await made.enter(page, wanted, codeAt(made.clock.now))
    expect(text(consent.body)).toContain('Allow access?')
    const answer = await made.person.post(`/authorization?${query(made.request(wanted))}`, {
      consent: 'allow',
      csrf: field(consent, 'csrf'),
    })
    const { id } = await made.tokensOf(answer)
    // The password is as old as before: only the code is new.
    expect(id).toMatchObject({ acr: MFA, auth_time: first.id.auth_time })
  })

  it('answers a weaker wish without a page, by the class that was asked for', async () => {
    const made = strongLab()
    await made.loginTwice({ acr_values: MFA })
    const claims = essential({ value: PWD })
    expect(
      (await made.tokensOf(await made.person.authorize(made.request({ claims, prompt: 'none' })))).id.acr,
    ).toBe(PWD)
    expect((await made.tokensOf(await made.person.authorize(made.request({ prompt: 'none' })))).id.acr).toBe(
      MFA,
    )
  })

  it.each([
    ['a wish', { acr_values: MFA }],
    ['a demand', { claims: essential({ values: [MFA] }) }],
  ])('that is too weak for %s gets interaction_required with prompt=none', async (_, asked) => {
    const made = strongLab()
    await made.person.login(made.request())
    expect(landed(await made.person.authorize(made.request({ ...asked, prompt: 'none' })))).toMatchObject({
      error: 'interaction_required',
      state: 's',
    })
  })

  it('answers prompt=none where the client accepts the weaker class too', async () => {
    const made = strongLab()
    await made.person.login(made.request())
    expect(
      landed(await made.person.authorize(made.request({ acr_values: `${MFA} ${PWD}`, prompt: 'none' }))),
    ).toHaveProperty('code')
  })

  it('that ended while its code was awaited does not come back', async () => {
    const made = strongLab()
    await made.person.login(made.request())
    const wanted = { acr_values: MFA }
    const page = await made.person.authorize(made.request(wanted))
    const question = await made.person.get('/end-session')
    await made.person.post('/end-session', { csrf: field(question, 'csrf'), logout: 'yes' })
    expect(text((await made.enter(page, wanted, codeAt(made.clock.now))).body)).toContain(
      'Your login has ended',
    )
  })

  it('is not skipped on the way to consent', async () => {
    const made = strongLab()
    const wanted = { acr_values: MFA, prompt: 'consent' }
    await made.loginTwice({ acr_values: MFA })
    const consent = await made.person.authorize(made.request(wanted))
    // Another tab logs the same person in again, by a password alone.
    await made.person.login(made.request({ prompt: 'login' }))
    const answer = await made.person.post(`/authorization?${query(made.request(wanted))}`, {
      consent: 'allow',
      csrf: field(consent, 'csrf'),
    })
    expect(text(answer.body)).toContain('Enter a code')
  })
})

describe('an essential acr (OpenID Connect Core §5.5.1.1)', () => {
  it.each([{ value: MFA }, { values: ['gold', MFA] }])('%j is reached by a code', async acr => {
    const made = strongLab()
    expect((await made.tokensOf(await made.loginTwice({ claims: essential(acr) }))).id.acr).toBe(MFA)
  })

  it.each([{ value: 'gold' }, { values: ['1', '2'] }, { values: [] }, { values: [7] }])(
    '%j is refused before any page',
    async acr => {
      const made = strongLab()
      expect(landed(await made.person.authorize(made.request({ claims: essential(acr) })))).toMatchObject({
        error: 'unmet_authentication_requirements',
        state: 's',
      })
    },
  )

  it('is refused after the login of a user without a second factor', async () => {
    const made = strongLab()
    const answer = await made.person.login(made.request({ claims: essential({ value: MFA }) }), {
      username: 'bob',
      password: 'builder',
    })
    expect(landed(answer).error).toBe('unmet_authentication_requirements')
  })

  it('without a value is answered with the class of the login', async () => {
    const made = strongLab()
    expect(
      (await made.tokensOf(await made.person.login(made.request({ claims: essential({}) })))).id.acr,
    ).toBe(PWD)
  })

  it('goes before acr_values', async () => {
    const made = strongLab()
    const answer = await made.person.login(
      made.request({ claims: essential({ value: PWD }), acr_values: MFA }),
    )
    expect((await made.tokensOf(answer)).id.acr).toBe(PWD)
  })
})
