import { execFileSync } from 'node:child_process'
import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { keysOfMetadata } from '../../../../src/commands/jose/saml-decode.js'
import { examineSaml } from '../../../../src/protocol/saml/examine.js'
import {
  identityProvider,
  samlXml,
  signXml,
} from '../../../servers/authorization-server/assertions/saml-maker.js'
import { describeWith, findProgram } from '../../../support/requires.js'
import { sharedFolder } from '../../../support/shared.js'

const now = Date.parse('2026-01-01T00:01:00Z')
const DSIG = 'http://www.w3.org/2000/09/xmldsig#'
const MORE = 'http://www.w3.org/2001/04/xmldsig-more#'
const ENC = 'http://www.w3.org/2001/04/xmlenc#'
const C14N = 'http://www.w3.org/2001/10/xml-exc-c14n#'

/** The frame of a signature, which xmlsec1 fills in. */
const frame = (method: string, digest: string, prefixes = '') => {
  const inclusive =
    prefixes === '' ? '' : `<ec:InclusiveNamespaces xmlns:ec="${C14N}" PrefixList="${prefixes}"/>`
  return `<ds:Signature xmlns:ds="${DSIG}"><ds:SignedInfo><ds:CanonicalizationMethod Algorithm="${C14N}"/><ds:SignatureMethod Algorithm="${method}"/><ds:Reference URI="#_a1"><ds:Transforms><ds:Transform Algorithm="${DSIG}enveloped-signature"/><ds:Transform Algorithm="${C14N}">${inclusive}</ds:Transform></ds:Transforms><ds:DigestMethod Algorithm="${digest}"/><ds:DigestValue/></ds:Reference></ds:SignedInfo><ds:SignatureValue/></ds:Signature>`
}
const framed = (signature: string) => samlXml().replace('<saml:Subject>', `${signature}<saml:Subject>`)

describeWith(['xmlsec1', 'openssl'], 'assertions of xmlsec1', () => {
  const folder = sharedFolder()
  const at = (name: string) => join(folder.path, name)
  const xmlsec = (...args: string[]) =>
    execFileSync(findProgram('xmlsec1')!, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  /** Versions from 1.3 on ask for the key by its name, which these signatures have not. */
  const loose = (): readonly string[] => (/ 1\.[12]\./.test(xmlsec('--version')) ? [] : ['--lax-key-search'])
  const keys: Record<string, KeyObject> = {}

  beforeAll(() => {
    const ways = { rsa: ['RSA'], ec: ['EC', '-pkeyopt', 'ec_paramgen_curve:P-256'] } as const
    for (const [name, [algorithm, ...options]] of Object.entries(ways)) {
      const args = ['genpkey', '-algorithm', algorithm, ...options]
      const pem = execFileSync(findProgram('openssl')!, args, {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      })
      writeFileSync(at(`${name}.pem`), pem)
      keys[name] = createPublicKey(createPrivateKey(pem))
    }
  })

  function signed(key: string, xml: string): string {
    writeFileSync(at('frame.xml'), xml)
    const id = ['--id-attr:ID', 'urn:oasis:names:tc:SAML:2.0:assertion:Assertion']
    return xmlsec('--sign', ...loose(), '--privkey-pem', at(`${key}.pem`), ...id, at('frame.xml'))
  }

  it.each([
    ['rsa', `${MORE}rsa-sha256`, `${ENC}sha256`],
    ['rsa', `${MORE}rsa-sha384`, `${MORE}sha384`],
    ['rsa', `${MORE}rsa-sha512`, `${ENC}sha512`],
    ['ec', `${MORE}ecdsa-sha256`, `${ENC}sha256`],
    ['ec', `${MORE}ecdsa-sha512`, `${ENC}sha512`],
  ])('are accepted with a key of the kind %s by %s', async (key, method, digest) => {
    const xml = signed(key, framed(frame(method, digest)))
    const own = [keys[key]!]
    expect(await examineSaml(xml, { now }, own)).toMatchObject({
      verdict: 'accepted',
      lint: [{ name: 'no_authn' }],
    })
    expect(await examineSaml(xml.replace('alice', 'admin'), { now }, own)).toMatchObject({
      verdict: 'refused',
    })
    const [other] = Object.entries(keys).filter(([name]) => name !== key)
    expect(await examineSaml(xml, { now }, [other![1]])).toMatchObject({ verdict: 'refused' })
  })

  it('are accepted where the signature includes namespaces', async () => {
    const typed = framed(frame(`${MORE}rsa-sha256`, `${ENC}sha256`, 'xs')).replace(
      '<saml:Assertion ',
      '<saml:Assertion xmlns:xs="http://www.w3.org/2001/XMLSchema" ',
    )
    expect(await examineSaml(signed('rsa', typed), { now }, [keys.rsa!])).toMatchObject({
      verdict: 'accepted',
    })
  })

  it('are refused with SHA-1, which a remark names', async () => {
    const xml = signed('rsa', framed(frame(`${DSIG}rsa-sha1`, `${DSIG}sha1`)))
    const { verdict, lint } = await examineSaml(xml, { now }, [keys.rsa!])
    expect([verdict, lint.map(({ name }) => name)]).toEqual(['refused', ['sha1', 'no_authn']])
  })

  it('are verified by xmlsec1 where ours made them, and their metadata have its key', async () => {
    const idp = identityProvider('https://idp.example')
    writeFileSync(at('ours.xml'), signXml(samlXml(), idp))
    writeFileSync(at('ours.pem'), idp.certificatePem)
    const id = ['--id-attr:ID', 'urn:oasis:names:tc:SAML:2.0:assertion:Assertion']
    expect(() =>
      xmlsec('--verify', ...loose(), '--pubkey-cert-pem', at('ours.pem'), ...id, at('ours.xml')),
    ).not.toThrow()
    const base64 = idp.certificatePem.replace(/-----[A-Z ]+-----|\s/g, '')
    const metadata = `<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://idp.example"><IDPSSODescriptor><KeyDescriptor use="signing"><KeyInfo xmlns="${DSIG}"><X509Data><X509Certificate>\n${base64}\n</X509Certificate></X509Data></KeyInfo></KeyDescriptor></IDPSSODescriptor></EntityDescriptor>`
    const signer = await keysOfMetadata(metadata)
    expect(signer).toMatchObject({ entityId: 'https://idp.example', keys: [{ asymmetricKeyType: 'rsa' }] })
    expect(await examineSaml(signXml(samlXml(), idp), { now }, signer.keys)).toMatchObject({
      verdict: 'accepted',
    })
  })

  it('are named where they are encrypted, and nothing is accepted by them', async () => {
    const template = `<EncryptedData xmlns="${ENC}" Type="${ENC}Element"><EncryptionMethod Algorithm="${ENC}aes256-cbc"/><KeyInfo xmlns="${DSIG}"><EncryptedKey xmlns="${ENC}"><EncryptionMethod Algorithm="${ENC}rsa-oaep-mgf1p"/><KeyInfo xmlns="${DSIG}"/><CipherData><CipherValue/></CipherData></EncryptedKey></KeyInfo><CipherData><CipherValue/></CipherData></EncryptedData>`
    writeFileSync(at('template.xml'), template)
    writeFileSync(at('secret.xml'), signXml(samlXml(), identityProvider('https://idp.example')))
    writeFileSync(at('reader.pem'), String(keys.rsa!.export({ type: 'spki', format: 'pem' })))
    const data = xmlsec(
      ...[
        '--encrypt',
        '--pubkey-pem',
        at('reader.pem'),
        '--session-key',
        'aes-256',
        '--xml-data',
        at('secret.xml'),
      ],
      at('template.xml'),
    ).replace(/<\?xml.*?\?>/, '')
    const xml = `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="_r1" Version="2.0" IssueInstant="2026-01-01T00:00:00Z" InResponseTo="_q1"><saml:EncryptedAssertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">${data}</saml:EncryptedAssertion></samlp:Response>`
    expect(xml).not.toContain('alice')
    const { lint, message } = await examineSaml(xml, { now }, undefined)
    expect(message.encrypted).toEqual(['EncryptedAssertion (aes256-cbc)'])
    expect(lint).toMatchObject([
      { name: 'encrypted', text: expect.stringContaining('only its reader has the key') },
    ])
    expect(await examineSaml(xml, { now }, [keys.rsa!])).toMatchObject({ verdict: 'refused' })
  })
})
