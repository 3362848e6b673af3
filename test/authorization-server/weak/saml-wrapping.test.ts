import { describe, expect, it } from 'vitest'
import { verifySamlAssertion } from '../../../src/authorization-server/assertions/saml.js'
import { weakDefences } from '../../../src/authorization-server/weak/weak-defences.js'
import { createReplayGuard } from '../../../src/tokens/replay-guard.js'
import { encoded, identityProvider, samlXml, signXml } from '../assertions/saml-maker.js'

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
})

/** An assertion for alice that nobody signed, around one that was signed for mallory. */
const wrapped = (signed: string) => samlXml({ id: '_evil', extra: `<saml:Advice>${signed}</saml:Advice>` })
const own = (by = provider) => signXml(samlXml({ id: '_own' }).replaceAll('alice', 'mallory'), by)

describe('the mode saml-wrapping', () => {
  it('reads the element around a signed one, which a strict server refuses', async () => {
    const assertion = encoded(wrapped(own()))
    expect(await verifySamlAssertion(assertion, expected(), signedSaml)).toMatchObject({ subject: 'alice' })
    await expect(verifySamlAssertion(assertion, expected())).rejects.toMatchObject({ code: 'invalid_grant' })
  })

  it('still verifies that signature, with the key of the registered issuer', async () => {
    for (const signed of [own(attacker), own().replace('mallory', 'carol'), samlXml({ id: '_own' })]) {
      await expect(
        verifySamlAssertion(encoded(wrapped(signed)), expected(), signedSaml),
      ).rejects.toMatchObject({ code: 'invalid_grant' })
    }
  })

  it('takes an honest assertion, once', async () => {
    const [assertion, conditions] = [encoded(own()), expected()]
    expect(await verifySamlAssertion(assertion, conditions, signedSaml)).toMatchObject({ subject: 'mallory' })
    await expect(verifySamlAssertion(assertion, conditions, signedSaml)).rejects.toMatchObject({
      code: 'invalid_grant',
    })
  })
})
