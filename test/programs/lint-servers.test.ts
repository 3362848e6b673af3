// Web servers of Debian as counterparts: compress lint has no false fault, and compress explain says what they do.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { header } from '../../src/protocol/http/message.js'
import { isBreach } from '../../src/protocol/oauth/check.js'
import { createAsk } from '../../src/servers/compression/client/ask.js'
import { measure } from '../../src/servers/compression/client/measure.js'
import { lintResource } from '../../src/servers/compression/lint/lint.js'
import { otherServers } from '../../src/servers/compression/studies/other-servers.js'
import { freePorts } from '../support/free-ports.js'
import { temporaryFolder } from '../support/program.js'
import { describeWith } from '../support/requires.js'
import { PAGE, startWebServer, type WebServerName, writePage } from './web-servers.js'

const words = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta', 'eta', 'theta']
const page = `<p>${Array.from({ length: 2000 }, (_, i) => words[(i * i + 3 * i) % 8]).join(' ')}</p>\n`

const offers: readonly (readonly string[])[] = [
  ...[
    [],
    [''],
    ['identity'],
    ['deflate'],
    ['gzip'],
    ['br'],
    ['zstd'],
    ['GZIP'],
    ['Gzip;Q=0.5'],
    ['gzip, br'],
  ],
  ...[
    ['br;q=1, gzip;q=0.5'],
    ['*'],
    ['*;q=0'],
    ['gzip;q=0'],
    ['gzip;q=0, *'],
    ['gzip;q=0.0000'],
    ['gzip;Q=0'],
  ],
  ...[['identity, gzip;q=0.5'], ['x-gzip'], ['gzip;q=abc'], ['gzip;q=2'], ['gzip;q=-1'], ['gzip;q=0.00001']],
  ...[
    ['gzip;x=1;q=0'],
    [', gzip,'],
    ['gzip ; q=0'],
    ['gzip-foo'],
    ['zstd;q=0.5, gzip;q=0.4'],
    ['gzip;q=0, gzip'],
  ],
  ...[
    ['br', 'gzip'],
    ['gzip', 'br'],
    ['gzip;q=0', 'gzip'],
    ['deflate, , gzip'],
    ['gzip;q= 0'],
    ['gzip;q=01'],
  ],
]

/** Faults that these versions really have, and that later versions mended. */
const known: Readonly<Record<WebServerName, readonly string[]>> = {
  apache2: [],
  // Caddy before 2.9: https://github.com/caddyserver/caddy/issues/5849
  caddy: ['vary_304', 'etag', 'head_length'],
  haproxy: [],
  nginx: [],
}

/** The name of a server in `compress explain`. */
const explained: Readonly<Record<WebServerName, string>> = {
  apache2: 'Apache',
  caddy: 'Caddy',
  haproxy: 'HAProxy',
  nginx: 'nginx',
}

for (const name of ['apache2', 'caddy', 'haproxy', 'nginx'] as const) {
  describeWith([name], `${name} with compression`, () => {
    const folder = temporaryFolder()
    let server: { url: string; stop(): Promise<void> }
    let behind: Server

    beforeAll(async () => {
      behind = createServer((_, response) => {
        response.writeHead(200, { 'content-type': 'text/html', 'content-length': page.length, etag: '"v1"' })
        response.end(page)
      })
      await new Promise<void>(done => behind.listen(0, '127.0.0.1', done))
      writePage(folder.path, page)
      const [port = 0] = await freePorts(1)
      const place = { folder: folder.path, port, behind: (behind.address() as AddressInfo).port }
      server = await startWebServer(name, place)
    })
    afterAll(async () => {
      await server?.stop()
      behind?.close()
      folder.remove()
    })

    it('has no false fault', async () => {
      const { checks } = await lintResource(server.url + PAGE, createAsk({ timeoutMs: 10_000 }))
      const faults = checks.filter(isBreach)
      expect(faults.filter(fault => !known[name].includes(fault.name))).toEqual([])
      expect(checks.find(check => check.name === 'savings_gzip')).toMatchObject({ ok: true })
    })

    it('codes as compress explain says', async () => {
      const differing: string[] = []
      for (const lines of offers) {
        const headers = lines.map(line => ['Accept-Encoding', line] as const)
        const answer = await measure({ method: 'GET', url: server.url + PAGE, headers })
        const coding = header(answer, 'content-encoding') ?? 'identity'
        const model = otherServers(lines).find(each => each.server.startsWith(explained[name]))?.coding
        if (coding !== model) differing.push(`${JSON.stringify(lines)}: ${coding}, explained as ${model}`)
      }
      expect(differing).toEqual([])
    })
  })
}
