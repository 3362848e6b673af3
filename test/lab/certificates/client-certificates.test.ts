import { X509Certificate } from 'node:crypto'
import { statSync } from 'node:fs'
import https from 'node:https'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { KeyedCertificate } from '../../../src/lab/certificates/authority.js'
import { ensureCertificates } from '../../../src/lab/certificates/certificates.js'
import {
  ensureClientAuthority,
  makeClientCertificate,
  publicJwk,
} from '../../../src/lab/certificates/client-authority.js'
import { judgeCertificate } from '../../../src/lab/certificates/client-certificates.js'
import { type Listener, listen } from '../../../src/lab/listening/listen.js'
import { memoryState } from '../../../src/lab/state/memory-state.js'
import type { ClientCertificate } from '../../../src/protocol/http/message.js'
import { textResponse } from '../../../src/protocol/http/message.js'
import { parseDistinguishedName } from '../../../src/protocol/oauth/distinguished-name.js'
import { recordingBus } from '../../support/ask.js'
import { temporaryFolder } from '../../support/program.js'

const DAY = 86_400_000
const folder = temporaryFolder()
const memory = memoryState()
let ca: KeyedCertificate
let server: { caPem: string; certPem: string; keyPem: string }
let listener: Listener
const seen: (ClientCertificate | undefined)[] = []

function subject(text: string) {
  const read = parseDistinguishedName(text)
  if ('problem' in read) throw new Error(read.problem)
  return read.name
}

const certificate = (from: KeyedCertificate | undefined = ca, now = Date.now(), days = 30) =>
  makeClientCertificate({ subject: subject('CN=shop,O=Example'), names: [], days }, from, now)

beforeAll(async () => {
  ca = await ensureClientAuthority(folder.path)
  server = await ensureCertificates(memory)
  listener = await listen({
    hosts: ['127.0.0.1'],
    port: 0,
    portOption: '--mtls-port',
    home: folder.path,
    bodyLimit: 1024,
    events: recordingBus([]),
    crashed: error => {
      throw error
    },
    tls: server,
    clientCaPem: ca.certPem,
    baseUrl: port => `https://localhost:${port}`,
    site: () => ({
      name: 'test',
      async handle(request) {
        seen.push(request.certificate)
        return textResponse(200, 'seen')
      },
    }),
  })
})
afterAll(async () => {
  await listener.stop()
  memory.remove()
  folder.remove()
})

/** Asks the listener with a certificate, or without one, and returns what the site saw of it. */
async function ask(pair?: KeyedCertificate, agent?: https.Agent): Promise<ClientCertificate | undefined> {
  await new Promise((resolve, reject) => {
    const options = { ca: server.caPem, cert: pair?.certPem, key: pair?.keyPem, agent: agent ?? false }
    https
      .get(`https://localhost:${listener.port}/`, options, response => response.resume().on('end', resolve))
      .on('error', reject)
  })
  return seen.at(-1)
}

describe('the certificate of a client', () => {
  it('reaches the site in DER, with the verdict on its chain', async () => {
    const pair = await certificate()
    expect(await ask(pair)).toEqual({ der: new Uint8Array(new X509Certificate(pair.certPem).raw) })
    expect(await ask()).toBeUndefined()
  })

  it('is not refused in the handshake, whoever issued it', async () => {
    const other = await ensureClientAuthority(memory)
    expect(await ask(await certificate(other))).toMatchObject({ chain: 'other_ca' })
    const selfSigned = await makeClientCertificate(
      { subject: subject('CN=self'), names: [], days: 30 },
      undefined,
      Date.now(),
    )
    expect(await ask(selfSigned)).toMatchObject({ chain: 'self_signed' })
    expect(await ask(await certificate(ca, Date.now() - 60 * DAY))).toEqual({
      der: expect.any(Uint8Array),
      outdated: 'expired',
    })
    expect(await ask(await certificate(ca, Date.now() + 60 * DAY))).toMatchObject({
      outdated: 'not_yet_valid',
    })
    expect(await ask(server)).toMatchObject({ chain: 'other_ca' })
  })

  it('is that of the connection, also when a later connection resumes the session', async () => {
    const pair = await certificate()
    const agent = new https.Agent({ maxCachedSessions: 10 })
    const wanted = { der: new Uint8Array(new X509Certificate(pair.certPem).raw) }
    expect(await ask(pair, agent)).toEqual(wanted)
    expect(await ask(pair, agent)).toEqual(wanted)
  })

  it('must not be an authority, and must be for clients', () => {
    const authority = new X509Certificate(ca.certPem)
    expect(judgeCertificate(authority, authority, Date.now()).chain).toBe('wrong_purpose')
  })
})

describe('the CA of client certificates', () => {
  it('stays the same, keeps its key from others, and signs no other authority', async () => {
    expect((await ensureClientAuthority(folder.path)).certPem).toBe(ca.certPem)
    expect(statSync(join(folder.path, 'client-ca-key.pem')).mode & 0o777).toBe(0o600)
    const { ca: isCa, keyUsage } = new X509Certificate(ca.certPem)
    expect([isCa, keyUsage]).toEqual([true, ['1.3.6.1.5.5.7.3.2']])
    expect(ca.certPem).not.toBe(server.caPem)
  })

  it('issues the names that were asked for', async () => {
    const { certPem } = await makeClientCertificate(
      {
        subject: subject('CN=Loja\\, Ltda,OU=a+OU=b,O=Ex\\C3\\A9mple,C=PT'),
        names: [
          { type: 'dns', value: 'shop.example' },
          { type: 'url', value: 'https://shop.example/client' },
          { type: 'email', value: 'ops@shop.example' },
          { type: 'ip', value: '2001:db8::7' },
        ],
        days: 3,
      },
      ca,
      Date.now(),
    )
    const made = new X509Certificate(certPem)
    expect(made.subject).toBe('C=PT\nO=Exémple\nOU=a + OU=b\nCN=Loja\\, Ltda')
    expect(made.subjectAltName).toBe(
      'DNS:shop.example, URI:https://shop.example/client, email:ops@shop.example, IP Address:2001:DB8:0:0:0:0:0:7',
    )
    expect(Date.parse(made.validTo) - Date.now()).toBeLessThan(3 * DAY + 1000)
  })

  it('shows the public key of a pair, and nothing of the private one', async () => {
    const { certPem } = await certificate()
    expect(Object.keys(publicJwk(certPem)).sort()).toEqual(['crv', 'kty', 'use', 'x', 'x5c', 'y'])
  })
})
