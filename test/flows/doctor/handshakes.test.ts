import { expect, it } from 'vitest'
import type { Publication } from '../../../src/flows/doctor/facts.js'
import type { DoctorPorts } from '../../../src/flows/doctor/ports.js'
import { handshakes } from '../../../src/flows/doctor/tls-checks.js'
import { jsonResponse } from '../../../src/http/message.js'
import { exchanged, portsTo } from './support.js'

const issuer = 'https://id.test'

async function offered(takesTls?: DoctorPorts['takesTls'], overTls = true) {
  const request = { method: 'GET', url: issuer, headers: [], body: new Uint8Array() }
  const exchange = await exchanged(request, () => jsonResponse(200, {}))
  const tls = { protocol: 'TLSv1.3', cipher: 'x' }
  const publication: Publication = {
    issuer,
    documents: [{ url: issuer, exchange: overTls ? { ...exchange, tls } : exchange }],
    members: {},
    metadata: { issuer },
  }
  const ports = { ...portsTo(async () => exchange), ...(takesTls && { takesTls }) }
  const results: string[] = []
  for await (const { name, result } of handshakes(ports, publication)) results.push(`${name} ${result}`)
  return results
}

it.each([
  ['a server that takes both', async () => true, ['weakness', 'weakness']],
  [
    'a server that takes TLS 1.1',
    async (_url: string, version: string) => version === 'TLSv1.1',
    ['pass', 'weakness'],
  ],
  ['a strict server', async () => false, ['pass', 'pass']],
  ['a server that nobody reached', async () => undefined, ['not_tried', 'not_tried']],
  ['no way to offer anything', undefined, ['not_applicable', 'not_applicable']],
] as const)('old versions of TLS: %s', async (_what, takes, [first, second]) => {
  expect(await offered(takes)).toEqual([`tls-1-0-refused ${first}`, `tls-1-1-refused ${second}`])
})

it('offers nothing to a server without TLS', async () => {
  const takes = async () => true
  expect(await offered(takes, false)).toEqual([
    'tls-1-0-refused not_applicable',
    'tls-1-1-refused not_applicable',
  ])
})
