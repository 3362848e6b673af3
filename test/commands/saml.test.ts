import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  encoded,
  identityProvider,
  samlXml,
  signXml,
} from '../servers/authorization-server/assertions/saml-maker.js'
import { runHere } from '../support/in-process.js'
import { cleanEnv, temporaryFolder } from '../support/program.js'

const folder = temporaryFolder()
const env = cleanEnv(folder.path)
const at = (name: string) => join(folder.path, name)
const idp = identityProvider('https://idp.example')
const assertion = signXml(samlXml({ nameId: '<saml:NameID>al\u009bice</saml:NameID>' }), idp)
writeFileSync(at('assertion.txt'), encoded(assertion))
writeFileSync(at('idp.pem'), idp.certificatePem)
const certificate = idp.certificatePem.replace(/-----[^-]+-----|\s/g, '')
writeFileSync(
  at('idp.xml'),
  `<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" xmlns:ds="http://www.w3.org/2000/09/xmldsig#" entityID="https://idp.example"><md:IDPSSODescriptor><md:KeyDescriptor use="signing"><ds:KeyInfo><ds:X509Data><ds:X509Certificate>${certificate}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor></md:IDPSSODescriptor></md:EntityDescriptor>`,
)
writeFileSync(at('empty.xml'), '<a/>')

const decode = (args: readonly string[], input = '') => runHere(['saml', 'decode', ...args], { env, input })
const then = ['--now', '2026-01-01T00:01:00Z']

describe('saml decode', () => {
  it('shows an assertion from a file and from stdin, safely for terminals', async () => {
    const { code, stdout } = await decode([at('assertion.txt'), ...then])
    expect(code).toBe(0)
    expect(stdout).toContain('No signature was verified')
    expect(stdout).toMatch(/NotOnOrAfter .*2026-01-01 00:10:00Z, in 9 min/)
    expect(stdout).not.toContain('\u009b')
    expect(await decode(['-', ...then], encoded(assertion))).toMatchObject({ code: 0, stdout })
  })

  it.each([
    ['its certificate', '--cert', 'idp.pem'],
    ['the metadata of its sender', '--metadata', 'idp.xml'],
  ])('accepts it by %s', async (_name, option, file) => {
    const { code, stdout } = await decode([at('assertion.txt'), option, at(file), ...then, '--json'])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      verdict: 'accepted',
      message: { assertions: [{ name_id: 'al\u009bice', audiences: [['https://as.example']] }] },
      signatures: [{ of: 'Assertion', id: '_a1', algorithm: 'rsa-sha256', digest: 'sha256' }],
    })
  })

  it('refuses it when it is late, and for another reader', async () => {
    const late = await decode([at('assertion.txt'), '--cert', at('idp.pem')])
    expect(late).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/✗ refused: not_on_or_after, confirmation/),
    })
    const other = await decode([at('assertion.txt'), '--audience', 'https://other.example'])
    expect(other).toMatchObject({ code: 1, stdout: expect.stringContaining('✗ audience') })
  })

  it.each([
    [['/none/such'], '', 'cannot read the message'],
    [['-'], 'hello', 'is no SAML message'],
    [['-'], '', 'is no SAML message'],
    [['-', '--cert', '/none/such'], '', 'cannot read the certificate'],
    [['-', '--cert', at('idp.xml')], '', 'holds no certificate'],
    [['-', '--metadata', at('idp.pem')], '', 'is no SAML metadata'],
    [['-', '--metadata', at('empty.xml')], '', 'holds no key for signing'],
    [['-', '--cert', at('idp.pem'), '--metadata', at('idp.xml')], '', 'Leave one out'],
    [['-', '--now', 'soon'], '', 'soon'],
  ])('%j with %j is wrong input', async (args, input, message) => {
    const { code, stdout, stderr } = await decode(args, input)
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(message)])
  })
})
