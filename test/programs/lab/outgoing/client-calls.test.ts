import type { RequestListener } from 'node:http'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Certificates, ensureCertificates } from '../../../../src/lab/certificates/certificates.js'
import { createClientCalls } from '../../../../src/lab/outgoing/client-sender.js'
import { listen } from '../../../client/support/tls-server.js'
import { temporaryFolder } from '../../../support/program.js'

const FORM = [['logout_token', 'a.b.c+d']] as const

describe('a logout token that is sent to a client', () => {
  let folder: ReturnType<typeof temporaryFolder>
  let certificates: Certificates
  const ending: (() => unknown)[] = []
  beforeEach(async () => {
    folder = temporaryFolder()
    certificates = await ensureCertificates(folder.path, ['localhost'], Date.now())
  })
  afterEach(async () => {
    for (const end of ending.splice(0)) await end()
    folder.remove()
  })

  async function receiver(answer: RequestListener) {
    const server = await listen(answer, { cert: certificates.certPem, key: certificates.keyPem })
    ending.push(server.close)
    return server.origin
  }
  const calls = () => createClientCalls({ caPem: certificates.caPem, host: undefined })

  it('is a form, and the answer comes with status and body', async () => {
    const got: string[] = []
    const origin = await receiver((request, response) => {
      request.setEncoding('utf8').on('data', (part: string) => got.push(part))
      request.on('end', () => response.writeHead(400).end('{"error":"invalid_request"}'))
      got.push(`${request.method} ${request.headers['content-type']}`)
    })
    expect(await calls().post(`${origin}/logout`, FORM, 'registered')).toEqual({
      status: 400,
      body: '{"error":"invalid_request"}',
    })
    expect(got).toEqual(['POST application/x-www-form-urlencoded', 'logout_token=a.b.c%2Bd'])
  })

  it('goes no further than the address of the client', async () => {
    const origin = await receiver(({ url }, response) => {
      if (url === '/logout') response.writeHead(307, { location: '/elsewhere' }).end()
      else response.end('never')
    })
    expect((await calls().post(`${origin}/logout`, FORM, 'registered')).status).toBe(307)
  })

  it.each<[string, RequestListener]>([
    ['never ends', (_, response) => void setInterval(() => response.write('x'.repeat(4096)), 1).unref()],
    ['is long', (_, response) => response.end('x'.repeat(16 * 1024 + 1))],
  ])('takes no answer that %s', async (_, answer) => {
    const origin = await receiver((request, response) => {
      request.once('close', () => response.destroy())
      answer(request, response)
    })
    await expect(calls().post(origin, FORM, 'registered')).rejects.toThrow(/large|long/)
  })

  it('waits five seconds at most', { timeout: 15_000 }, async () => {
    const origin = await receiver(() => {})
    await expect(calls().post(origin, FORM, 'registered')).rejects.toThrow(/within 5 s/)
  })

  it.each([
    ['http://client.example/logout', /not https/],
    ['ftp://localhost/logout', /not https/],
    ['https://user@client.example/logout', /user and password/],
  ])('is not sent to %s', async (url, problem) => {
    await expect(calls().post(url, FORM, 'registered')).rejects.toThrow(problem)
  })

  it('of a client that introduced itself stays on this computer where the lab allows that alone', async () => {
    const got: string[] = []
    const origin = await receiver(({ url }, response) => {
      got.push(url!)
      response.end()
    })
    const callsWith = (allowed: readonly string[]) =>
      createClientCalls({ caPem: certificates.caPem, allowed })
    await callsWith(['localhost']).post(`${origin}/allowed`, FORM, 'introduced')
    await callsWith([]).post(`${origin}/registered`, FORM, 'registered')
    for (const url of [`${origin}/private`, origin.replace('https:', 'http:')]) {
      const posted = callsWith([]).post(url, FORM, 'introduced')
      await expect(posted).rejects.toMatchObject({ kind: 'address' })
    }
    expect(got).toEqual(['/allowed', '/registered'])
  })

  it.each([
    'https://10.0.0.1/',
    'https://169.254.169.254/latest/meta-data/',
    'https://[fd00::1]/',
    'https://0.0.0.0/',
  ])('of a client that introduced itself is not sent to %s', async url => {
    const calls = createClientCalls({ caPem: certificates.caPem, allowed: ['localhost'] })
    for (const sent of [
      calls.post(url, FORM, 'introduced'),
      calls.postJson(url, {}, 'token', 'introduced'),
    ]) {
      await expect(sent).rejects.toThrow(/private network/)
    }
  })

  it('of a client that introduced itself goes by plain http to this computer alone', async () => {
    const calls = createClientCalls({ caPem: certificates.caPem, allowed: ['localhost', 'client.internal'] })
    await expect(calls.post('http://client.internal/', FORM, 'introduced')).rejects.toThrow(/not https/)
    await expect(calls.post('http://127.0.0.1:1/', FORM, 'introduced')).rejects.toThrow(/127\.0\.0\.1:1/)
  })
})
