import { describe, expect, it } from 'vitest'
import { createReplayGuard } from '../../../../src/protocol/tokens/replay-guard.js'
import {
  SAML2_BEARER_GRANT_TYPE,
  verifySamlAssertion,
} from '../../../../src/servers/authorization-server/assertions/saml.js'
import { weakDefences } from '../../../../src/servers/authorization-server/weak/weak-defences.js'
import { refusal } from '../../../support/refusal.js'
import { encoded, identityProvider, samlXml, signXml } from '../assertions/saml-maker.js'
import { basic, claimsOf, client, expectError, ISSUER, json, lab, SECRET } from '../support.js'

const now = Date.parse('2026-01-01T00:01:00Z')
const provider = identityProvider('https://idp.example')
const attacker = identityProvider('https://idp.example', 2)
const { signedSaml } = weakDefences(['saml-wrapping'], { outside: 'https://counter.example/' })

const expected = () => ({
  issuers: [provider],
  audiences: ['https://as.example'],
  recipient: 'https://as.example/token',
  now,
  replay: createReplayGuard({ now: () => now }),
  clientId: 'app',
})

/** An assertion for alice that nobody signed, around one that was signed for mallory. */
const wrapped = (signed: string) => samlXml({ id: '_evil', extra: `<saml:Advice>${signed}</saml:Advice>` })
const own = (by = provider) => signXml(samlXml({ id: '_own' }).replaceAll('alice', 'mallory'), by)

/** A server that trusts the provider, at the time of its assertions, and a client that sends one. */
function server(weak: boolean) {
  const partner = client('partner', { client_secret: SECRET, grant_types: [SAML2_BEARER_GRANT_TYPE] })
  const trusting = lab({
    clients: [partner],
    assertionIssuers: async () => [provider],
    ...(weak && { defences: weakDefences(['saml-wrapping'], { outside: 'https://counter.example/' }) }),
  })
  trusting.clock.now = now
  const here = {
    audiences: [ISSUER],
    confirmation: `Recipient="${ISSUER}/token" NotOnOrAfter="2026-01-01T00:05:00Z"`,
  }
  const signed = signXml(samlXml({ ...here, id: '_own' }).replaceAll('alice', 'bob'), provider)
  const assertion = encoded(samlXml({ ...here, id: '_evil', extra: `<saml:Advice>${signed}</saml:Advice>` }))
  return trusting.token({ grant_type: SAML2_BEARER_GRANT_TYPE, assertion }, [basic('partner', SECRET)])
}

describe('the mode saml-wrapping', () => {
  it('gives bob a token of alice at the token endpoint, which refuses him without it', async () => {
    expect(claimsOf(json(await server(true)).access_token)).toMatchObject({ sub: 'alice' })
    expectError(await server(false), 400, 'invalid_grant')
  })

  it('reads the element around a signed one, which a strict server refuses', async () => {
    const assertion = encoded(wrapped(own()))
    expect(await verifySamlAssertion(assertion, expected(), signedSaml)).toMatchObject({ subject: 'alice' })
    expect((await refusal(verifySamlAssertion(assertion, expected()))).code).toBe('invalid_grant')
  })

  it('still verifies that signature, with the key of the registered issuer', async () => {
    for (const signed of [own(attacker), own().replace('mallory', 'carol'), samlXml({ id: '_own' })]) {
      const read = verifySamlAssertion(encoded(wrapped(signed)), expected(), signedSaml)
      expect((await refusal(read)).code).toBe('invalid_grant')
    }
  })

  it('takes an honest assertion, once', async () => {
    const [assertion, conditions] = [encoded(own()), expected()]
    expect(await verifySamlAssertion(assertion, conditions, signedSaml)).toMatchObject({ subject: 'mallory' })
    const again = await refusal(verifySamlAssertion(assertion, conditions, signedSaml))
    expect(again.code).toBe('invalid_grant')
  })
})
