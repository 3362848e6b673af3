import { createServer, type RequestListener } from 'node:http'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { type Certificates, ensureCertificates } from '../../src/lab/certificates.js'
import { createFetchJson } from '../../src/lab/fetch-json.js'
import { temporaryFolder } from '../support/program.js'

const ending: (() => void)[] = []
afterEach(() => {
  for (const end of ending.splice(0)) end()
})

/** A server that answers as it is told, with a certificate of a lab where there is one. */
async function listen(answer: RequestListener, tls?: Certificates): Promise<string> {
  const server = tls
    ? https.createServer({ cert: tls.certPem, key: tls.keyPem }, answer)
    : createServer(answer)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  ending.push(
    () => server.closeAllConnections(),
    () => server.close(),
  )
  return `${tls ? 'https' : 'http'}://localhost:${(server.address() as AddressInfo).port}`
}

const { signal } = new AbortController()
const plain = createFetchJson({ roots: false })

describe('fetchJson', () => {
  it.each([
    ['{"a":1}', 200, { a: 1 }],
    ['[]', 404, []],
    ['<html>', 200, undefined],
    ['', 500, undefined],
    ['{"a":', 200, undefined],
  ])('%j with %d', async (body, status, value) => {
    const url = await listen((_request, response) => response.writeHead(status).end(body))
    expect(await plain(url, { signal })).toEqual({ status, body: value })
  })

  it('follows no redirect', async () => {
    const asked: (string | undefined)[] = []
    const url = await listen((request, response) => {
      asked.push(request.url)
      response.writeHead(302, { location: '/elsewhere' }).end()
    })
    expect(await plain(url, { signal })).toEqual({ status: 302, body: undefined })
    expect(asked).toEqual(['/'])
  })

  it('reads no more than it bears', async () => {
    const url = await listen((_request, response) => {
      response.writeHead(200)
      const write = () => response.writable && response.write('1'.repeat(65_536), write)
      write()
    })
    await expect(plain(url, { signal })).rejects.toThrow('longer than 262144 bytes')
  })

  it('gives up when it is told to, before and after the first byte', async () => {
    const silent = await listen(() => {})
    await expect(plain(silent, { signal: AbortSignal.timeout(50) })).rejects.toThrow()
    const slow = await listen((_request, response) => response.writeHead(200).write('{'))
    await expect(plain(slow, { signal: AbortSignal.timeout(50) })).rejects.toThrow()
    const ended = AbortSignal.timeout(50)
    await expect(createFetchJson({ roots: false, ended })(silent, { signal })).rejects.toThrow()
  })

  it('says why no answer came', async () => {
    const cut = await listen(request => request.socket.destroy())
    await expect(plain(cut, { signal })).rejects.toThrow('the connection was cut (ECONNRESET)')
    await expect(plain('http://127.0.0.1:1', { signal })).rejects.toThrow(
      'nobody listens there (ECONNREFUSED)',
    )
  })

  it('trusts the CA that it was given and nobody else', async () => {
    const [one, other] = [temporaryFolder(), temporaryFolder()]
    ending.push(one.remove, other.remove)
    const certificates = await ensureCertificates(one.path, [], Date.now())
    const { caPem: foreign } = await ensureCertificates(other.path, [], Date.now())
    const url = await listen((_request, response) => response.end('{}'), certificates)
    const { caPem } = certificates
    expect(await createFetchJson({ caPem, roots: false })(url, { signal })).toEqual({ status: 200, body: {} })
    expect(await createFetchJson({ caPem, roots: true })(url, { signal })).toEqual({ status: 200, body: {} })
    for (const options of [{ caPem: foreign, roots: false }, { roots: true }]) {
      await expect(createFetchJson(options)(url, { signal })).rejects.toThrow('name its CA with --cacert')
    }
  })
})
