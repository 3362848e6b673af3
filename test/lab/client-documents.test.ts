import type { RequestListener } from 'node:http'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Certificates, ensureCertificates } from '../../src/lab/certificates.js'
import { isInside } from '../../src/lab/client-addresses.js'
import { createClientDocuments } from '../../src/lab/client-documents.js'
import { listen } from '../client/support/tls-server.js'
import { temporaryFolder } from '../support/program.js'

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
})
