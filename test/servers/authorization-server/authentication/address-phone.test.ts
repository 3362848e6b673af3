import { describe, expect, it } from 'vitest'
import { browser } from '../browser.js'
import { claimsOf, client, codeRequest, json, lab, landed, SECRET, settings } from '../support.js'

const address = { street_address: 'Christ Church', locality: 'Oxford', country: 'United Kingdom' }
const phone = { phone_number: '+44 1865 555 0100', phone_number_verified: false }
const [alice, ...others] = settings.users

function world(idTokenClaims = false) {
  const made = lab({
    scopes: { ...settings.scopes, address: 'See your address', phone: 'See your number' },
    users: [{ ...alice!, claims: { ...alice!.claims, address, ...phone } }, ...others],
    clients: [client('demo', { client_secret: SECRET, ...(idTokenClaims && { id_token_claims: true }) })],
  })
  /** Logs alice in. Returns the claims of the id_token, and those of /userinfo. */
  async function claims(parameters: Record<string, string>, who = {}) {
    const { code = '' } = landed(await browser(made).login(codeRequest(parameters), who))
    const tokens = json(await made.redeem(code))
    const bearer = ['authorization', `Bearer ${tokens.access_token}`] as const
    const userinfo = json(await made.get('/userinfo', [bearer]))
    return { idToken: claimsOf(tokens.id_token), userinfo }
  }
  return { made, claims }
}

describe('the scopes address and phone (OpenID Connect Core §5.4)', () => {
  it('give their claims at /userinfo, and in the id_token where the client wants them there', async () => {
    const scope = 'openid address phone'
    const usual = await world().claims({ scope })
    expect(usual.userinfo).toEqual({ sub: 'alice', address, ...phone })
    expect(usual.idToken).not.toHaveProperty('address')
    const inside = await world(true).claims({ scope })
    expect(inside.idToken).toMatchObject({ address, ...phone })
  })

  it('give nothing to the other scope, and nothing of a user without them', async () => {
    const { claims } = world()
    expect((await claims({ scope: 'openid phone' })).userinfo).toEqual({ sub: 'alice', ...phone })
    expect((await claims({ scope: 'openid address' })).userinfo).toEqual({ sub: 'alice', address })
    const bob = { username: 'bob', password: 'builder' }
    expect((await claims({ scope: 'openid address phone' }, bob)).userinfo).toEqual({ sub: 'bob' })
  })

  it('are not needed for claims that are named one by one (§5.5)', async () => {
    const asked = { id_token: { address: null }, userinfo: { phone_number: { essential: true } } }
    const { idToken, userinfo } = await world().claims({ scope: 'openid', claims: JSON.stringify(asked) })
    expect(idToken).toMatchObject({ address })
    expect(idToken).not.toHaveProperty('phone_number')
    expect(userinfo).toEqual({ sub: 'alice', phone_number: phone.phone_number })
  })

  it('compare an address as a whole with a wanted value (§5.5.1)', async () => {
    const { claims } = world()
    const wanting = (value: object) => JSON.stringify({ userinfo: { address: { value } } })
    const same = { country: 'United Kingdom', locality: 'Oxford', street_address: 'Christ Church' }
    expect((await claims({ scope: 'openid', claims: wanting(same) })).userinfo).toMatchObject({ address })
    const other = await claims({ scope: 'openid', claims: wanting({ country: 'United Kingdom' }) })
    expect(other.userinfo).toEqual({ sub: 'alice' })
  })

  it('are announced', async () => {
    const metadata = json(await world().made.get('/.well-known/openid-configuration'))
    expect(metadata.scopes_supported).toEqual(expect.arrayContaining(['address', 'phone']))
    const claims = ['address', 'phone_number', 'phone_number_verified']
    expect(metadata.claims_supported).toEqual(expect.arrayContaining(claims))
  })
})
