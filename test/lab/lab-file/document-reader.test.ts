import type { RequestListener } from 'node:http'
import { pipeline, Readable } from 'node:stream'
import { afterEach, describe, expect, it } from 'vitest'
import { ensureCertificates } from '../../../src/lab/certificates/certificates.js'
import { createDocumentReader } from '../../../src/lab/lab-file/document-reader.js'
import { listen } from '../../client/support/tls-server.js'
import { temporaryFolder } from '../../support/program.js'

const ending: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ending.splice(0)) await end()
})

async function serve(...of: Parameters<typeof listen>): Promise<string> {
  const { origin, close } = await listen(...of)
  ending.push(close)
  return origin
}

function reader(caPem?: string) {
  const made = createDocumentReader(caPem)
  ending.push(made.close)
  return made
}

const { signal } = new AbortController()
const read = (url: string) => reader().fetchJson(url, { signal })

function* endless(): Generator<string> {
  for (;;) yield '1'.repeat(65_536)
}

describe('a document reader', () => {
  it.each([
    ['{"a":1}', 200, { a: 1 }],
    ['[]', 404, []],
    ['<html>', 200, undefined],
    ['', 500, undefined],
    ['{"a":', 200, undefined],
  ])('reads %j with %d', async (body, status, value) => {
    const url = await serve((_request, response) => response.writeHead(status).end(body))
    expect(await read(url)).toEqual({ status, body: value })
  })

  it('accepts JSON and JWK Sets', async () => {
    let accept: string | undefined
    const url = await serve((request, response) => {
      accept = request.headers.accept
      response.end('{}')
    })
    await read(url)
    expect(accept).toBe('application/json, application/jwk-set+json')
  })

  it('follows no redirect', async () => {
    const asked: (string | undefined)[] = []
    const url = await serve((request, response) => {
      asked.push(request.url)
      response.writeHead(302, { location: '/elsewhere' }).end()
    })
    expect(await read(url)).toEqual({ status: 302, body: undefined })
    expect(asked).toEqual(['/'])
  })

  it('stops reading after 256 kB', async () => {
    const url = await serve((_request, response) => {
      response.writeHead(200)
      pipeline(Readable.from(endless()), response, () => {})
    })
    await expect(read(url)).rejects.toThrow('is larger than 262144 bytes')
  })

  it('ends a request when the signal is aborted, before and after the first byte', async () => {
    const silent = await serve(() => {})
    await expect(reader().fetchJson(silent, { signal: AbortSignal.timeout(50) })).rejects.toThrow()
    const slow = await serve((_request, response) => response.writeHead(200).write('{'))
    await expect(reader().fetchJson(slow, { signal: AbortSignal.timeout(50) })).rejects.toThrow()
  })

  it('ends its requests when it is closed', async () => {
    const { fetchJson, close } = reader()
    const silent = await serve(close as RequestListener)
    await expect(fetchJson(silent, { signal })).rejects.toThrow()
  })

  it('says why no answer came', async () => {
    const cut = await serve(request => request.socket.destroy())
    await expect(read(cut)).rejects.toThrow('closed the connection before its answer was complete')
    await expect(read('http://127.0.0.1:1')).rejects.toThrow('cannot reach http://127.0.0.1:1 (ECONNREFUSED)')
  })

  it('trusts the given CA and no other', async () => {
    const [one, other] = [temporaryFolder(), temporaryFolder()]
    ending.push(one.remove, other.remove)
    const { caPem, certPem: cert, keyPem: key } = await ensureCertificates(one.path, [], Date.now())
    const { caPem: foreign } = await ensureCertificates(other.path, [], Date.now())
    const url = await serve((_request, response) => response.end('{}'), { cert, key })
    expect(await reader(caPem).fetchJson(url, { signal })).toEqual({ status: 200, body: {} })
    for (const authority of [foreign, undefined]) {
      await expect(reader(authority).fetchJson(url, { signal })).rejects.toThrow('name its CA with --cacert')
    }
  })
})
