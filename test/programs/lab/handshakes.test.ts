import { once } from 'node:events'
import https from 'node:https'
import net from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import tls from 'node:tls'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Certificates, ensureCertificates } from '../../../src/lab/certificates/certificates.js'
import { handshakeReason, handshakeText } from '../../../src/lab/listening/handshake-failure.js'
import type { Listener } from '../../../src/lab/listening/listen.js'
import type { NewEvent } from '../../../src/protocol/events.js'
import { helloListener } from '../../lab/hello-listener.js'
import { recordingBus } from '../../support/ask.js'
import { run, temporaryFolder, until } from '../../support/program.js'
import { describeWith } from '../../support/requires.js'

const home = temporaryFolder()
const events: NewEvent[] = []
let certificates: Certificates
let listener: Listener
beforeAll(async () => {
  certificates = await ensureCertificates(home.path)
  listener = await helloListener(home.path, certificates, {
    events: recordingBus(events),
    waits: { headers: 5000, request: 5000, check: 200, handshake: 400 },
  })
})
afterAll(async () => {
  await listener.stop()
  home.remove()
})
afterEach(() => {
  events.length = 0
})

const failures = () => events.filter(({ type }) => type === 'handshake.failed')

/** The next failed handshake, which is the only one. */
async function failed(): Promise<NewEvent> {
  const [event] = await until(
    () => (failures().length > 0 ? failures() : undefined),
    () => 'no handshake.failed',
  )
  expect(failures()).toHaveLength(1)
  return event!
}

/** Sends bytes as they are, and returns everything that comes back until the server closes. */
async function raw(bytes: string): Promise<string> {
  const socket = net.connect(listener.port, '127.0.0.1')
  let answer = ''
  socket.setEncoding('latin1').on('data', chunk => {
    answer += chunk
  })
  socket.on('error', () => {})
  socket.write(bytes, 'latin1')
  await once(socket, 'close')
  return answer
}

describe('a TLS listener', () => {
  it('notes a Node client that does not trust the CA, and from where it came', async () => {
    const request = https.get({ host: '127.0.0.1', port: listener.port, agent: false })
    const [error] = (await once(request, 'error')) as [NodeJS.ErrnoException]
    expect(error.code).toMatch(/SIGNATURE|SELF_SIGNED/)
    expect(await failed()).toMatchObject({
      type: 'handshake.failed',
      site: 'test',
      remoteAddress: '127.0.0.1',
      reason: 'closed',
      hint: expect.stringContaining('oauth-lab ca env'),
    })
  })

  it.each([
    ['GET', 'GET /secret?x=1 HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['POST', `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 60000\r\n\r\n${'a'.repeat(60_000)}`],
    ['CONNECT', 'CONNECT id.example:443 HTTP/1.1\r\nHost: id.example\r\n\r\n'],
  ])('answers plain HTTP, a %s, with 400 and one sentence', async (_, request) => {
    const answer = await raw(request)
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
    expect(answer).toContain('\r\nX-Content-Type-Options: nosniff\r\n')
    expect(answer.split('\r\n\r\n')[1]).toBe(
      `This port speaks HTTPS: use https://localhost:${listener.port}/\n`,
    )
    const { reason, description, hint } = await failed()
    expect([reason, hint]).toEqual(['plain_http', `use https://localhost:${listener.port}`])
    expect(JSON.stringify(description)).not.toContain('secret')
  })

  it('notes what is neither TLS nor HTTP, and sends nothing', async () => {
    expect(await raw('SSH-2.0-OpenSSH_9.2\r\n')).toBe('')
    expect(await failed()).toMatchObject({ reason: 'not_tls' })
  })

  it('notes a handshake that takes too long', async () => {
    expect(await raw('\x16\x03\x01\x00')).toBe('')
    expect(await failed()).toMatchObject({ reason: 'timeout' })
  })

  it('reports neither a check of the port nor a successful handshake', async () => {
    const check = net.connect(listener.port, '127.0.0.1')
    await once(check, 'connect')
    check.destroy()
    const { caPem } = certificates
    const socket = tls.connect({
      host: '127.0.0.1',
      port: listener.port,
      ca: caPem,
      servername: 'localhost',
    })
    await once(socket, 'secureConnect')
    socket.end()
    await once(socket, 'close')
    await delay(100)
    expect(failures()).toEqual([])
  })
})

describeWith(['openssl'], 'a TLS listener and OpenSSL', () => {
  const connect = (...options: string[]) =>
    run('openssl', ['s_client', '-connect', `127.0.0.1:${listener.port}`, ...options], {
      env: { HOME: home.path, PATH: process.env.PATH ?? '' },
    })

  it.each([
    ['does not know the CA', ['-verify_return_error'], 'unknown_ca'],
    ['speaks TLS 1.1 alone', ['-tls1_1', '-cipher', 'ALL:@SECLEVEL=0'], 'protocol_version'],
    ['has no cipher of ours', ['-tls1_2', '-cipher', 'AES128-SHA'], 'no_shared_cipher'],
  ])('notes a client that %s', async (_, options, reason) => {
    await connect(...options)
    expect(await failed()).toMatchObject({ reason })
  })
})

describe('the reason of a failed handshake', () => {
  it.each([
    ['ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', 'unknown_ca'],
    ['ERR_SSL_SSL/TLS_ALERT_BAD_CERTIFICATE', 'certificate_refused'],
    ['ERR_SSL_SSLV3_ALERT_CERTIFICATE_UNKNOWN', 'certificate_refused'],
    ['ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED', 'certificate_expired'],
    ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', 'protocol_version'],
    ['ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE', 'no_shared_cipher'],
    ['ERR_SSL_TLSV1_ALERT_DECODE_ERROR', 'other'],
    ['EPIPE', 'closed'],
    ['toString', 'other'],
    [undefined, 'other'],
  ] as const)('%s is %s', (code, reason) => expect(handshakeReason(code)).toBe(reason))

  it('names the code when there is no better name', () => {
    expect(handshakeText('other', 'ERR_SSL_X', 'https://localhost')).toEqual({
      description: 'failed the handshake: ERR_SSL_X',
    })
  })
})
