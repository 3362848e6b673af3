import { expect, it } from 'vitest'
import type { Publication } from '../../../src/judge/doctor/facts.js'
import type { DoctorPorts } from '../../../src/judge/doctor/ports.js'
import { handshakes } from '../../../src/judge/doctor/tls-checks.js'
import { jsonResponse } from '../../../src/protocol/http/message.js'
import { exchanged, portsTo } from './support.js'

const issuer = 'https://id.test'

async function offered(offerTls?: DoctorPorts['offerTls'], overTls = true) {
  const request = { method: 'GET', url: issuer, headers: [], body: new Uint8Array() }
  const exchange = await exchanged(request, () => jsonResponse(200, {}))
  const tls = { protocol: 'TLSv1.3', cipher: 'x' }
  const publication: Publication = {
    issuer,
    documents: [{ url: issuer, exchange: overTls ? { ...exchange, tls } : exchange }],
    members: {},
    metadata: { issuer },
  }
  const ports = { ...portsTo(async () => exchange), ...(offerTls && { offerTls }) }
  const results: string[] = []
  for await (const { name, result } of handshakes(ports, publication)) results.push(`${name} ${result}`)
  return results
}

const NAMES = ['tls-1-0-refused', 'tls-1-1-refused', 'tls-cbc-refused', 'tls-key-transport-refused']
const all = (result: string) => NAMES.map(() => result)

it.each<[string, DoctorPorts['offerTls'], string[]]>([
  ['a server that takes all', async () => 'taken', all('weakness')],
  [
    'a server that takes TLS 1.1',
    async (_url, { version }) => (version === 'TLSv1.1' ? 'taken' : 'refused'),
    ['pass', 'weakness', 'pass', 'pass'],
  ],
  [
    'a server that takes CBC',
    async (_url, { suites = [] }) =>
      suites.some(each => /-SHA\d*$/.test(each) && /ECDHE/.test(each)) ? 'taken' : 'refused',
    ['pass', 'pass', 'weakness', 'pass'],
  ],
  ['a strict server', async () => 'refused', all('pass')],
  ['an OpenSSL that cannot', async () => 'not_offered', all('not_tried')],
  ['a server that nobody reached', async () => undefined, all('not_tried')],
  ['no way to offer anything', undefined, all('not_applicable')],
])('weak offers of TLS: %s', async (_what, offerTls, results) => {
  expect(await offered(offerTls)).toEqual(NAMES.map((name, i) => `${name} ${results[i]}`))
})

it('offers nothing to a server without TLS', async () => {
  const results = all('not_applicable')
  expect(await offered(async () => 'taken', false)).toEqual(NAMES.map((name, i) => `${name} ${results[i]}`))
})
