import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type LabDocument, readLabDocument } from '../../../src/protocol/room/lab-document.js'

const secret = 'abcdefghijklmnopqrstuvwxyz012345'
const example: LabDocument = {
  urls: {
    authorization: 'https://192.0.2.7:8443',
    http: 'http://192.0.2.7:8080',
    resource: 'https://192.0.2.7:8444',
    cluster: 'https://[2001:db8::7]:8445',
    dns: 'https://192.0.2.7:8446/client/v4',
  },
  ca: '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n',
  client: { client_id: 'k7-03-app', client_secret: secret },
  user: { username: 'k7-03', password: secret },
  cluster: { namespace: 'k7-03', token: secret },
  dns: { token: secret },
}

/** The example with another value at a place. */
function changed(place: string, value: unknown): unknown {
  const [member = '', part] = place.split('.')
  const old = example[member as keyof LabDocument]
  return { ...example, [member]: part === undefined ? value : { ...(old as object), [part]: value } }
}

describe('readLabDocument', () => {
  it('returns the members of a document, and no others', () => {
    expect(readLabDocument(example)).toEqual(example)
    expect(readLabDocument({ ...example, more: 1, user: { ...example.user, admin: true } })).toEqual(example)
  })

  it.each<[place: string, value: unknown]>([
    ['urls', undefined],
    ['urls.authorization', 'http://192.0.2.7:8443'],
    ['urls.authorization', 'https://192.0.2.7:8443/path'],
    ['urls.resource', 'https://user:password@192.0.2.7'],
    ['urls.cluster', 'https://192.0.2.7:8445?x'],
    ['urls.dns', `https://${'a'.repeat(300)}`],
    ['urls.http', 'javascript:alert(1)'],
    ['ca', 'no certificate'],
    ['ca', `-----BEGIN CERTIFICATE-----\n${'A'.repeat(30_000)}\n-----END CERTIFICATE-----`],
    ['client.client_id', 'K7 03'],
    ['client.client_secret', ''],
    ['user.username', '../k7'],
    ['user.password', 'x'.repeat(200)],
    ['cluster.namespace', 'k7-03\u001b[2J'],
    ['cluster.token', 7],
    ['dns.token', `${secret}\r\nx: y`],
    ['dns', []],
  ])('refuses %s as %j', (place, value) => expect(readLabDocument(changed(place, value))).toBeUndefined())

  it('throws for nothing', () => {
    const places = Object.entries(example).flatMap(([member, parts]) => [
      member,
      ...(typeof parts === 'string' ? [] : Object.keys(parts).map(part => `${member}.${part}`)),
    ])
    fc.assert(
      fc.property(fc.constantFrom(...places), fc.anything(), (place, value) => {
        const read = readLabDocument(changed(place, value))
        if (read !== undefined) expect(JSON.stringify(read).length).toBeLessThan(25_000)
      }),
    )
    fc.assert(fc.property(fc.jsonValue(), value => void readLabDocument(value)))
  })
})
