import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rootCertificates } from 'node:tls'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Listener, listen } from '../../src/lab/listening/listen.js'
import { openMounts } from '../../src/lab/listening/mounts.js'
import { type HeaderList, headerValues, textResponse } from '../../src/protocol/http/message.js'
import { measure } from '../../src/servers/compression/client/measure.js'
import { createProxySite } from '../../src/servers/compression/client/proxy-site.js'
import { withPayloads } from '../../src/servers/compression/payload.js'
import {
  MODE_SETTINGS,
  nginxConf,
  PROXY_MODES,
  type ProxyMode,
} from '../../src/servers/compression/proxy/modes.js'
import { recordingBus } from '../support/ask.js'
import { freePorts } from '../support/free-ports.js'
import { temporaryFolder } from '../support/program.js'
import { describeWith } from '../support/requires.js'
import { type Nginx, serverBlock, startNginx } from './nginx.js'
import { answers, startUpstream } from './nginx-upstream.js'

/** What a client asks besides the path. */
interface Client {
  readonly method?: string
  readonly headers?: HeaderList
  readonly httpVersion?: string
}

const offers = (...values: string[]): Client => ({
  headers: values.map(value => ['Accept-Encoding', value] as const),
})
const via: HeaderList = [['Via', '1.1 other']]
const gzip: HeaderList = [['Accept-Encoding', 'gzip']]

const clients: Readonly<Record<string, Client>> = {
  nothing: {},
  ...Object.fromEntries(
    [
      ...['', 'identity', 'deflate', 'gzip', 'GZIP', 'x-gzip', 'xgzip', 'gzip-foo', 'br', '*', '*;q=0'],
      ...['gzip, br', 'br, gzip', 'br,gzip', 'gzip,br', 'br;q=1.0, gzip;q=0.5', 'identity, gzip;q=0.5'],
      ...['br;q=1, gzip;q=0.1', 'gzip;q=0', 'gzip;q=0.000', 'gzip;q=0.001', 'gzip;q=1.000', 'gzip;q=0.0000'],
      ...[
        'gzip;q=abc',
        'gzip;q=2',
        'gzip;q=.5',
        'gzip;q=-1',
        'gzip ; q=0.5',
        'gzip;\tq=0',
        'gzip;Q=0',
        'gzip;',
      ],
      ...['gzip;q=0, *', 'gzip;q=0, gzip', 'gzip, gzip;q=0', 'deflate, , gzip', 'gzip;x=1', 'gzip;q=0;x=1'],
      ...[
        'gzip;q=1.0,br',
        'gzip;q=0.5 , br',
        'identity;q=0, gzip',
        'identity;q=0',
        `${'x'.repeat(900)}, gzip`,
      ],
    ].map(value => [JSON.stringify(value.slice(0, 40)), offers(value)]),
  ),
  'br, then gzip on a second line': offers('br', 'gzip'),
  'gzip, then br on a second line': offers('gzip', 'br'),
  'HTTP/1.0': { httpVersion: '1.0' },
  'HTTP/1.0 with gzip': { httpVersion: '1.0', headers: gzip },
  'HTTP/1.0 with gzip, Via': { httpVersion: '1.0', headers: [...via, ...gzip] },
  Via: { headers: via },
  'Via with gzip': { headers: [...via, ...gzip] },
  'Authorization with gzip': { headers: [['Authorization', 'Bearer x'], ...gzip] },
  HEAD: { method: 'HEAD' },
  'HEAD with gzip': { method: 'HEAD', headers: gzip },
  'HEAD with br': { method: 'HEAD', headers: [['Accept-Encoding', 'br']] },
  'If-None-Match with gzip': { headers: [['If-None-Match', '"v1"'], ...gzip] },
  'If-None-Match, weak, with gzip': { headers: [['If-None-Match', 'W/"v1"'], ...gzip] },
  'If-None-Match': { headers: [['If-None-Match', '"v1"']] },
  POST: { method: 'POST', headers: gzip },
}

/** Those that see what differs from size to size, of which the others tell nothing more. */
const many = [
  ...['nothing', '""', '"identity"', '"deflate"', '"gzip"', '"GZIP"', '"x-gzip"', '"br"', '"*"'],
  ...['"gzip, br"', '"br;q=1.0, gzip;q=0.5"', '"identity, gzip;q=0.5"', '"gzip;q=0"', '"gzip;q=0, *"'],
  ...['"gzip;q=.5"', 'gzip, then br on a second line', 'HTTP/1.0', 'HTTP/1.0 with gzip', 'Via'],
  ...['Via with gzip', 'Authorization with gzip', 'HEAD', 'HEAD with gzip', 'HEAD with br', 'POST'],
]
const few = ['nothing', '"gzip"', 'HEAD with gzip', 'If-None-Match, weak, with gzip']

const upstreams = { raw: false, compressing: true } as const
type UpstreamName = keyof typeof upstreams

describeWith(['nginx'], 'the proxy beside nginx', () => {
  const folder = temporaryFolder()
  const stops: (() => unknown)[] = []
  const pairs = new Map<string, { ours: string; theirs: string }>()
  let nginx: Nginx

  beforeAll(async () => {
    const ports = await freePorts(PROXY_MODES.length * 2)
    const blocks: string[] = []
    const port = ports[0]!
    for (const name of Object.keys(upstreams) as UpstreamName[]) {
      const { url: upstream, server } = await startUpstream(upstreams[name])
      stops.push(() => server.close())
      for (const mode of PROXY_MODES) {
        const settings = MODE_SETTINGS[mode]
        const place = ports.pop()!
        blocks.push(serverBlock(nginxConf(settings, { port: place, upstream })))
        const listener: Listener = await listen({
          hosts: ['127.0.0.1'],
          port: 0,
          portOption: '--port',
          bodyLimit: 1000,
          home: folder.path,
          baseUrl: each => `http://127.0.0.1:${each}`,
          site: () => createProxySite({ upstream, settings: () => settings }),
          events: recordingBus(),
          crashed: error => console.error(error),
        })
        stops.push(listener.stop)
        pairs.set(`${mode} ${name}`, { ours: listener.baseUrl, theirs: `http://127.0.0.1:${place}` })
      }
    }
    nginx = await startNginx(folder.path, blocks, port)
  })
  afterAll(async () => {
    await nginx?.stop()
    for (const stop of stops) await stop()
    folder.remove()
  })

  /** What must be the same, on one line: status, coding, its bytes, Vary, and fields that a recoding changes. */
  async function seen(base: string, path: string, { method = 'GET', ...client }: Client): Promise<string> {
    const answer = await measure({ method, url: base + path, headers: [], ...client })
    const names = ['content-encoding', 'vary', 'content-type', 'etag', 'accept-ranges'] as const
    const fields = names.map(name => `${name}: ${headerValues(answer, name).join(' + ')}`)
    const coded = answer.body.length > 0 && headerValues(answer, 'content-encoding').join() === 'gzip'
    const decoded = coded ? gunzipSync(answer.body) : answer.body
    const digest = createHash('sha256').update(decoded).digest('hex').slice(0, 8)
    return [answer.status, ...fields, `${answer.body.length} bytes of ${digest}`].join(', ')
  }

  /** Each cell in which the two differ. */
  async function differences(mode: ProxyMode, from: UpstreamName, paths: string[], names: string[]) {
    const { ours, theirs } = pairs.get(`${mode} ${from}`)!
    const found: string[] = []
    for (const path of paths) {
      await Promise.all(
        names.map(async name => {
          const client = clients[name]!
          const [own, real] = await Promise.all(
            [ours, theirs].map(base => seen(base, path, client).catch(String)),
          )
          if (own !== real) found.push(`${path} asked by ${name}\n  ours  ${own}\n  nginx ${real}`)
        }),
      )
    }
    return found.join('\n')
  }

  it('is printed so that it runs as it is, and trusts no upstream but the lab', async () => {
    const home = temporaryFolder()
    const mounts = await openMounts({ home: home.path, compression: true })
    const { baseUrl: upstream } = await mounts.mount({
      port: 0,
      portOption: '--port',
      bodyLimit: 0,
      site: () => withPayloads({ name: 'payload', handle: async () => textResponse(404, '') }),
    })
    const [port = 0, other = 0] = await freePorts(2)
    const printed = (place: number, from: string, caFile: string) =>
      serverBlock(nginxConf(MODE_SETTINGS.default, { port: place, upstream: from, caFile }))
    // By another name, since nginx shares sessions and failures among those that stand before the same.
    const byAddress = upstream.replace('localhost', '127.0.0.1')
    const wrong = join(home.path, 'another ca.pem')
    writeFileSync(wrong, rootCertificates[0]!)
    const own = await startNginx(
      home.path,
      [printed(port, upstream, mounts.certificates.caFile), printed(other, byAddress, wrong)],
      port,
    )
    try {
      const client = clients['"gzip"']!
      expect(await seen(`http://127.0.0.1:${other}`, '/kb/2', client)).toMatch(/^502/)
      expect(await seen(`http://127.0.0.1:${port}`, '/kb/2', client)).toMatch(/^200, content-encoding: gzip/)
    } finally {
      await own.stop()
      await mounts.stop()
      home.remove()
    }
  })

  const cells = PROXY_MODES.flatMap(mode =>
    (Object.keys(upstreams) as UpstreamName[]).map(from => [mode, from] as const),
  )

  it.each(cells)('in mode %s before a %s upstream, payloads', async (mode, from) => {
    expect(await differences(mode, from, ['/kb/1', '/kb/2', '/kb/200'], many)).toBe('')
  })

  it.each([
    ['gunzip', 'compressing'],
    ['gzip', 'raw'],
  ] as const)('in mode %s before a %s upstream, whatever is offered', async (mode, from) => {
    expect(await differences(mode, from, ['/kb/2'], Object.keys(clients))).toBe('')
  })

  // The others do the same to an answer as one of these.
  it.each(['default', 'gunzip', 'gzip', 'gzip-vary', 'ingress'] as const)(
    'in mode %s, other answers',
    async mode => {
      const names = Object.keys(answers).filter(name => mode !== 'gunzip' || !name.startsWith('no-gzip'))
      const paths = names.map(name => `/answer/${name}`)
      expect(await differences(mode, 'raw', paths, few)).toBe('')
    },
  )

  it('in mode gunzip, gives 502 or nothing for bodies that no decoder takes, where nginx closes the connection', async () => {
    const { ours, theirs } = pairs.get('gunzip raw')!
    for (const name of ['no-gzip-trailing', 'no-gzip-lie']) {
      const path = `/answer/${name}`
      expect(await seen(ours, path, {}).catch(String)).toMatch(/^502|TransportError/)
      expect(await seen(theirs, path, {}).catch(String)).toMatch(/TransportError/)
    }
  })
})
