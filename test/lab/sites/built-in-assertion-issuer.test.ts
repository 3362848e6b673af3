import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeSamlAssertion } from '../../../src/client/saml-assertion.js'
import {
  BUILT_IN_ISSUER,
  builtInAssertionIssuer,
  ensureAssertionIssuer,
} from '../../../src/lab/sites/built-in-assertion-issuer.js'
import { createReplayGuard } from '../../../src/protocol/tokens/replay-guard.js'
import { verifySamlAssertion } from '../../../src/servers/authorization-server/assertions/saml.js'
import { sharedFolder } from '../../support/shared.js'

const { path: home } = sharedFolder()
const now = Date.UTC(2026, 0, 1)

describe('the built-in assertion issuer', () => {
  it('is made once by the first program, in a file that others cannot read', async () => {
    const [one, other] = await Promise.all([ensureAssertionIssuer(home), ensureAssertionIssuer(home)])
    expect(one).toEqual(other)
    expect(await ensureAssertionIssuer(home)).toEqual(one)
    const { mode } = await stat(join(home, 'signing-assertions.pem'))
    if (process.platform !== 'win32') expect(mode & 0o777).toBe(0o600)
  })

  it('shows only its public keys', async () => {
    const { issuer, jwks, certificatePem } = await builtInAssertionIssuer(home)
    expect(issuer).toBe(BUILT_IN_ISSUER)
    expect(JSON.stringify(jwks)).not.toContain('"d"')
    expect(certificatePem).not.toContain('PRIVATE')
  })

  it('signs SAML assertions that verify with its certificate', async () => {
    const { keyPem, certificatePem } = await ensureAssertionIssuer(home)
    const assertion = await makeSamlAssertion(
      {
        issuer: BUILT_IN_ISSUER,
        subject: 'alice & <bob>',
        audience: 'https://as.example',
        recipient: 'https://as.example/token',
        id: 'a1',
        issuedAt: now,
        expiresAt: now + 60_000,
      },
      { keyPem, certificatePem },
    )
    const verified = await verifySamlAssertion(assertion, {
      audiences: ['https://as.example'],
      recipient: 'https://as.example/token',
      issuers: [{ issuer: BUILT_IN_ISSUER, certificatePem }],
      replay: createReplayGuard({ now: () => now }),
      clientId: 'app',
      now,
    })
    expect(verified).toMatchObject({ subject: 'alice & <bob>', id: '_a1' })
  })

  it('makes a new key when the file is broken', async () => {
    const before = await ensureAssertionIssuer(home)
    await writeFile(join(home, 'signing-assertions.pem'), before.keyPem)
    const after = await ensureAssertionIssuer(home)
    expect(after.keyPem).not.toBe(before.keyPem)
  })
})
