import type { RequestListener } from 'node:http'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Certificates, ensureCertificates } from '../../../../src/lab/certificates/certificates.js'
import { isInside } from '../../../../src/lab/outgoing/client-addresses.js'
import { createClientDocuments } from '../../../../src/lab/outgoing/client-sender.js'
import { listen } from '../../../client/support/tls-server.js'
import { temporaryFolder } from '../../../support/program.js'

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

async function serve(answer: RequestListener) {
  const server = await listen(answer, { cert: certificates.certPem, key: certificates.keyPem })
  ending.push(server.close)
  return server.origin
}

const fetcher = (host?: string) => createClientDocuments({ caPem: certificates.caPem, host })

describe('documents of clients', () => {
  it('are fetched from this computer by a lab that listens on loopback alone', async () => {
    let accept: string | undefined
    const origin = await serve((request, response) => {
      accept = request.headers.accept
      response.writeHead(200, { 'content-type': 'application/jwk-set+json' }).end('{"keys":[]}')
    })
    for (const host of [undefined, 'localhost', '127.0.0.1']) {
      expect(await fetcher(host)(`${origin}/jwks?a=b`, 'application/json')).toEqual({
        body: '{"keys":[]}',
        contentType: 'application/jwk-set+json',
        headers: expect.arrayContaining([['content-type', 'application/jwk-set+json']]),
      })
    }
    expect(accept).toBe('application/json')
  })

  it.each<[string, RequestListener, RegExp]>([
    ['a redirect', (_, response) => response.writeHead(302, { location: '/other' }).end(), /302; redirects/],
    ['404', (_, response) => response.writeHead(404).end(), /answered 404/],
    ['a longer document than 64 kB', (_, response) => response.end('x'.repeat(64 * 1024 + 1)), /large|long/],
  ])('are refused where the answer is %s', async (_, answer, problem) => {
    const origin = await serve(answer)
    await expect(fetcher()(origin, '*/*')).rejects.toThrow(problem)
  })

  it('are refused after 5 seconds', { timeout: 15_000 }, async () => {
    const origin = await serve(() => {})
    await expect(fetcher()(origin, '*/*')).rejects.toThrow(/no answer .* within 5 s/)
  })

  it('are refused where the certificate is foreign', async () => {
    const origin = await serve((_, response) => response.end('{}'))
    const foreign = createClientDocuments({ caPem: '', host: undefined })
    await expect(foreign(origin, '*/*')).rejects.toThrow()
  })

  it.each([
    ['http', 'http://client.example/jwks', /not https/],
    ['a file', 'file:///etc/passwd', /not https/],
    ['credentials', 'https://user:secret@client.example/', /user and password/],
  ])('are refused at %s', async (_, url, problem) => {
    await expect(fetcher()(url, '*/*')).rejects.toThrow(problem)
  })

  it.each([
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://[::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://169.254.169.254/latest/meta-data/',
    'https://10.1.2.3/',
    'https://172.31.0.1/',
    'https://192.168.0.1/',
    'https://100.64.0.1/',
    'https://[fd00::1]/',
    'https://[fe80::1]/',
    'https://[::]/',
    'https://0.0.0.0/',
  ])('are refused at %s by a lab that other machines reach', async url => {
    await expect(fetcher('0.0.0.0')(url, '*/*')).rejects.toThrow(/private network/)
  })

  it('are refused at a name of this computer by a lab that other machines reach', async () => {
    let requests = 0
    const origin = await serve((_, response) => {
      requests += 1
      response.end('{}')
    })
    await expect(fetcher('lab.example')(origin, '*/*')).rejects.toThrow(/private network/)
    expect(requests).toBe(0)
  })

  it.each(['1.1.1.1', '8.8.8.8', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '::ffff:8.8.8.8'])(
    'may come from %s',
    address => expect(isInside(address)).toBe(false),
  )

  it.each(['fe80::1%eth0', '192.0.2.1', '203.0.113.9', '2001:db8::1', '2001::1', '::ffff:10.0.0.1'])(
    'do not come from %s',
    address => expect(isInside(address)).toBe(true),
  )
})

describe('documents of clients that introduced themselves', () => {
  const strangers = (allowed?: readonly string[]) =>
    createClientDocuments({ caPem: certificates.caPem, allowed })
  const document: RequestListener = (_, response) =>
    response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'max-age=60' }).end('{}')

  it('come from this computer where localhost is allowed, with their headers', async () => {
    const origin = await serve(document)
    for (const address of [origin, origin.replace('localhost', '127.0.0.1')]) {
      expect(await strangers(['localhost'])(`${address}/client`, '*/*', 'metadata')).toMatchObject({
        body: '{}',
        contentType: 'application/json',
        headers: expect.arrayContaining([['cache-control', 'max-age=60']]),
      })
    }
  })

  it.each(['metadata', 'introduced'] as const)(
    'are not fetched from this computer without it, even by a lab on loopback (%s)',
    async kind => {
      let requests = 0
      const origin = await serve((request, response) => {
        requests += 1
        document(request, response)
      })
      for (const address of [origin, origin.replace('localhost', '127.0.0.1')]) {
        const fetching = strangers()(`${address}/client`, '*/*', kind)
        await expect(fetching).rejects.toMatchObject({ name: 'FetchFailure', kind: 'address' })
      }
      expect(requests).toBe(0)
      expect((await strangers()(`${origin}/client`, '*/*')).body).toBe('{}')
    },
  )

  it.each([
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0177.0.0.1/',
    'https://127.1/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:8.8.8.8]/',
    'https://[::7f00:1]/',
    'https://[64:ff9b::7f00:1]/',
    'https://[2002:7f00:1::]/',
    'https://169.254.169.254/latest/meta-data/',
    'https://[fd00:ec2::254]/',
    'https://[fe80::1]/',
    'https://[ff02::1]/',
    'https://10.1.2.3/',
    'https://172.16.0.1/',
    'https://192.168.0.1/',
    'https://100.64.0.1/',
    'https://0.0.0.0/',
    'https://224.0.0.1/',
    'https://255.255.255.255/',
    'https://192.0.2.1/',
    'https://[2001:db8::1]/',
    'http://client.example/',
    'file:///etc/passwd',
    'https://user:secret@client.example/',
    'no address',
  ])('are not fetched from %s', async url => {
    for (const kind of ['metadata', 'introduced'] as const) {
      await expect(strangers(['client.internal'])(url, '*/*', kind)).rejects.toMatchObject({
        kind: 'address',
      })
    }
  })

  it('are not fetched from other private addresses where localhost is allowed', async () => {
    for (const url of ['https://10.0.0.1/', 'https://[fd00::1]/', 'https://0.0.0.0/']) {
      await expect(strangers(['localhost'])(url, '*/*', 'metadata')).rejects.toMatchObject({
        kind: 'address',
      })
    }
  })

  it.each<[string, string, RequestListener]>([
    ['a redirect', 'status', (_, response) => response.writeHead(302, { location: '/other' }).end()],
    ['a redirect with a document', 'status', (_, response) => response.writeHead(307).end('{}')],
    ['404', 'status', (_, response) => response.writeHead(404).end('{}')],
    ['204', 'status', (_, response) => response.writeHead(204).end()],
    ['201', 'status', (_, response) => response.writeHead(201).end('{}')],
    ['5121 bytes', 'size', (_, response) => response.end('x'.repeat(5121))],
    [
      '1 GB by its length',
      'size',
      (_, response) => {
        response.writeHead(200, { 'content-length': String(2 ** 30) })
        response.write('x'.repeat(100_000))
      },
    ],
    [
      'a body without an end',
      'size',
      (_, response) => {
        const timer = setInterval(() => response.write('x'.repeat(1000)), 1)
        response.on('close', () => clearInterval(timer))
      },
    ],
    [
      'a small body that decompresses to a large one',
      'size',
      (_, response) =>
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('x'.repeat(1_000_000))),
    ],
    [
      'half a body',
      'network',
      (_, response) => {
        response.writeHead(200, { 'content-length': '100' }).write('x')
        response.destroy()
      },
    ],
  ])('are refused where the answer is %s', async (_, kind, answer) => {
    const origin = await serve(answer)
    const fetching = strangers(['localhost'])(origin, '*/*', 'metadata')
    await expect(fetching).rejects.toMatchObject({ name: 'FetchFailure', kind })
  })

  it('may have 5 kB', async () => {
    const origin = await serve((_, response) => response.end('x'.repeat(5120)))
    expect((await strangers(['localhost'])(origin, '*/*', 'metadata')).body).toHaveLength(5120)
  })

  it('are cut after 5 seconds, however slowly they come', { timeout: 15_000 }, async () => {
    const origin = await serve((_, response) => {
      response.writeHead(200)
      const timer = setInterval(() => response.write(' '), 50)
      response.on('close', () => clearInterval(timer))
    })
    const started = performance.now()
    const fetching = strangers(['localhost'])(origin, '*/*', 'metadata')
    await expect(fetching).rejects.toMatchObject({ kind: 'network' })
    expect(performance.now() - started).toBeLessThan(7000)
  })

  it('are refused where many wait', { timeout: 15_000 }, async () => {
    const origin = await serve(() => {})
    const fetchDocument = strangers(['localhost'])
    const all = await Promise.allSettled(
      Array.from({ length: 60 }, (_, i) =>
        fetchDocument(`${origin}/${i}`, '*/*', 'metadata').catch(error => error.kind),
      ).slice(-3),
    )
    expect(all.map(each => each.status === 'fulfilled' && each.value)).toEqual(['busy', 'busy', 'busy'])
  })

  it('are not sent through a proxy, which would resolve the name itself', async () => {
    let requests = 0
    const proxy = await listen((_, response) => {
      requests += 1
      response.end()
    })
    ending.push(proxy.close)
    const origin = await serve(document)
    vi.stubEnv('HTTPS_PROXY', proxy.origin)
    vi.stubEnv('NO_PROXY', '')
    ending.push(() => vi.unstubAllEnvs())
    expect((await strangers(['localhost'])(origin, '*/*', 'metadata')).body).toBe('{}')
    await expect(strangers()('https://localhost/', '*/*', 'metadata')).rejects.toMatchObject({
      kind: 'address',
    })
    expect(requests).toBe(0)
  })
})
