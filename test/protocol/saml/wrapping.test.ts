import { X509Certificate } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { examineSaml } from '../../../src/protocol/saml/examine.js'
import {
  identityProvider,
  samlXml,
  signResponse,
  signXml,
} from '../../servers/authorization-server/assertions/saml-maker.js'

// Signature wrapping: Somorovsky and others, "On Breaking SAML: Be Whoever You Want to Be" (2012), by the numbers of SAML Raider.

const idp = identityProvider('https://idp.example')
const keys = [new X509Certificate(idp.certificatePem).publicKey]
const now = Date.parse('2026-01-01T00:01:00Z')

const original = signXml(samlXml(), idp)
const [signature = ''] = /<ds:Signature.*<\/ds:Signature>/s.exec(original) ?? []
const unsigned = original.replace(signature, '')
const evil = samlXml({ id: '_evil', nameId: '<saml:NameID>admin</saml:NameID>' })
const inside = (xml: string, part: string, before: string) => xml.replace(before, () => part + before)
/** A signature that holds the element that it signed. */
const around = (part: string, from = signature) =>
  inside(from, `<ds:Object>${part}</ds:Object>`, '</ds:Signature>')

const status =
  '<samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status>'
const response = (content: string, id = '_r1', first = '') =>
  `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${id}" Version="2.0" IssueInstant="2026-01-01T00:00:00Z" InResponseTo="_q1"><saml:Issuer>https://idp.example</saml:Issuer>${first}${status}${content}</samlp:Response>`

const signedResponse = signResponse(response(samlXml()), idp)
const [responseSignature = ''] = /<ds:Signature.*<\/ds:Signature>/s.exec(signedResponse) ?? []
const unsignedResponse = signedResponse.replace(responseSignature, '')

const attacks: Readonly<Record<string, string>> = {
  'XSW1: the signed response in its signature, in a forged response': response(
    evil,
    '_evil_r',
    around(unsignedResponse, responseSignature),
  ),
  'XSW2: the signed response behind its signature, in a forged response': response(
    unsignedResponse + evil,
    '_evil_r',
    responseSignature,
  ),
  'XSW3: a forged assertion before the signed one': response(evil + original),
  'XSW4: the signed assertion in a forged one': response(inside(evil, original, '</saml:Assertion>')),
  'XSW5: the signature in a forged assertion with the same ID, and the signed one behind it': response(
    inside(evil.replace('_evil', '_a1'), signature, '<saml:Subject>') + unsigned,
  ),
  'XSW6: the signed assertion in its signature, in a forged one with the same ID': response(
    inside(evil.replace('_evil', '_a1'), around(unsigned), '<saml:Subject>'),
  ),
  'XSW7: a forged assertion in Extensions': response(
    original,
    '_r1',
    `<samlp:Extensions>${evil}</samlp:Extensions>`,
  ),
  'XSW8: the signed assertion in an Object of a signature beside the forged one': response(
    inside(evil, around(unsigned), '<saml:Subject>'),
  ),
  'a forged assertion as advice of the signed one, behind the signature': response(
    inside(original, `<saml:Advice>${evil}</saml:Advice>`, '</saml:Assertion>'),
  ),
  'a forged assertion in the details of the status': response(original).replace(
    '</samlp:Status>',
    `<samlp:StatusDetail>${evil}</samlp:StatusDetail></samlp:Status>`,
  ),
  'a forged assertion in another namespace of the same prefix': response(
    original + evil.replace('xmlns:saml="urn:oasis', 'xmlns:x="urn:oasis').replaceAll('saml:', 'x:'),
  ),
  'the signature of an assertion on the response': response(evil + unsigned, '_a1', signature),
}

describe('signature wrapping', () => {
  it('leaves what was signed accepted', async () => {
    for (const xml of [response(original), signedResponse]) {
      expect(await examineSaml(xml, { now }, keys)).toMatchObject({ verdict: 'accepted' })
    }
  })

  it.each(Object.entries(attacks))('%s is refused', async (_name, xml) => {
    expect(xml).toContain('admin')
    const { verdict, failed } = await examineSaml(xml, { now }, keys)
    expect(verdict).toBe('refused')
    expect(failed.some(each => /^sign/.test(each))).toBe(true)
  })
})
