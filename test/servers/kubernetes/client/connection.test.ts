import http from 'node:http'
import https from 'node:https'
import { type AddressInfo, connect, type Server as NetServer } from 'node:net'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { ensureCertificates } from '../../../../src/lab/certificates/certificates.js'
import type { ErrorKind } from '../../../../src/protocol/errors.js'
import type { ClusterAccess } from '../../../../src/servers/kubernetes/client/access.js'
import { createConnection } from '../../../../src/servers/kubernetes/client/connection.js'
import { askCluster, selfSubjectReview } from '../../../../src/servers/kubernetes/client/requests.js'
import { sharedFolder } from '../../../support/shared.js'

const folder = sharedFolder()

let pems = { ca: '', cert: '', key: '' }
beforeAll(async () => {
  const { caPem, certPem, keyPem } = await ensureCertificates(folder.path, ['localhost'], Date.now())
  pems = { ca: caPem, cert: certPem, key: keyPem }
})

const open: NetServer[] = []
afterEach(() => {
  for (const server of open.splice(0)) {
    server.close()
    if (server instanceof http.Server || server instanceof https.Server) server.closeAllConnections()
  }
})

async function listening(server: NetServer): Promise<number> {
  open.push(server)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

type Answer = (request: http.IncomingMessage, response: http.ServerResponse) => void

const review = JSON.stringify({ kind: 'SelfSubjectReview', status: { userInfo: { username: 'alice' } } })
const good: Answer = (_, response) => response.end(review)

/** A cluster over TLS. */
async function cluster(answer: Answer, options: https.ServerOptions = {}): Promise<ClusterAccess> {
  const port = await listening(https.createServer({ cert: pems.cert, key: pems.key, ...options }, answer))
  return {
    server: `https://localhost:${port}`,
    via: 'a test',
    caPem: pems.ca,
    credential: { kind: 'bearer', token: 'sender', from: 'a test' },
    kubectl: [],
  }
}

async function whoami(access: ClusterAccess, timeoutMs = 5000): Promise<unknown> {
  const connection = createConnection(access, { timeoutMs })
  try {
    return (await askCluster(access, connection.send)(selfSubjectReview)).object
  } finally {
    connection.close()
  }
}

const alice = { kind: 'SelfSubjectReview', status: { userInfo: { username: 'alice' } } }

/** The members of a failure of transport whose message has this part. */
const failure = (part: string) => ({ kind: 'transport', message: expect.stringContaining(part) })

describe('a connection', () => {
  it('trusts the CA it was given, and sends the bearer', async () => {
    let seen: string | undefined
    const access = await cluster((request, response) => {
      seen = request.headers.authorization
      response.end(review)
    })
    expect(await whoami(access)).toEqual(alice)
    expect(seen).toBe('Bearer sender')
  })

  it('presents the client certificate', async () => {
    let presented = ''
    const access = await cluster(
      (request, response) => {
        presented = (request.socket as import('node:tls').TLSSocket).getPeerCertificate().fingerprint256
        response.end(review)
      },
      { requestCert: true, rejectUnauthorized: false },
    )
    const credential = { kind: 'certificate', cert: pems.cert, key: pems.key, from: 'a test' } as const
    await whoami({ ...access, credential })
    expect(presented).toMatch(/^[0-9A-F:]{95}$/)
  })

  it('expects the given server name in the certificate', async () => {
    const access = await cluster(good)
    const server = access.server.replace('localhost', '127.0.0.1')
    const byAddress = { ...access, server, serverName: 'localhost' }
    expect(await whoami(byAddress)).toEqual(alice)
    const code = 'ERR_TLS_CERT_ALTNAME_INVALID'
    const other = whoami({ ...byAddress, serverName: 'other.example' })
    await expect(other).rejects.toMatchObject({ kind: 'transport', code })
  })

  it('refuses a foreign certificate, unless the check is off', async () => {
    const { caPem: _, ...access } = await cluster(good)
    await expect(whoami(access)).rejects.toMatchObject(failure('unknown authority'))
    expect(await whoami({ ...access, insecure: true })).toEqual(alice)
  })

  it('goes through a proxy, which sees no bearer', async () => {
    const access = await cluster(good)
    const asked: (string | undefined)[] = []
    const proxy = http.createServer().on('connect', (request, socket) => {
      asked.push(request.url, request.headers['proxy-authorization'], request.headers.authorization)
      const behind = connect(Number(new URL(access.server).port), '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n')
        behind.pipe(socket).pipe(behind)
      })
      behind.on('error', () => socket.destroy())
      socket.on('error', () => behind.destroy())
    })
    const proxyUrl = `http://me:secret@127.0.0.1:${await listening(proxy)}`
    expect(await whoami({ ...access, proxyUrl })).toEqual(alice)
    const basic = `Basic ${Buffer.from('me:secret').toString('base64')}`
    expect(asked).toEqual([new URL(access.server).host, basic, undefined])
  })

  it('says that a proxy refuses', async () => {
    const proxy = http.createServer().on('connect', (_, socket) => socket.end('HTTP/1.1 407 No\r\n\r\n'))
    const access = { ...(await cluster(good)), proxyUrl: `http://127.0.0.1:${await listening(proxy)}` }
    const hints = ['The proxy is from proxy-url of a test.']
    await expect(whoami(access)).rejects.toMatchObject({ ...failure('answered 407'), hints })
  })
})

describe('a bad cluster', () => {
  it('that redirects gets the bearer once, and its target never', async () => {
    let asked = 0
    const target = await cluster((_, response) => {
      asked++
      response.end(review)
    })
    const access = await cluster((_, response) =>
      response.writeHead(307, { location: `${target.server}/` }).end(),
    )
    await expect(whoami(access)).rejects.toMatchObject(failure('redirects'))
    expect(asked).toBe(0)
  })

  it.each([
    ['hangs up', (_, response) => response.destroy(), 'transport', /closed the connection/],
    [
      'cuts its answer',
      (_, response) => response.writeHead(200, { 'content-length': 99 }).write('{', () => response.destroy()),
      'transport',
      /closed the connection/,
    ],
    ['never answers', () => {}, 'timeout', /no answer .* within 0.3 s/],
    [
      'answers with too much',
      (_, response) => {
        const block = Buffer.alloc(1024 * 1024, 0x20)
        const more = () => {
          while (!response.destroyed && response.write(block));
        }
        response.on('drain', more)
        more()
      },
      'transport',
      /larger than 16 MiB/,
    ],
    [
      'codes its answer in a way nobody knows',
      (_, response) => response.writeHead(200, { 'content-encoding': 'rot13' }).end('x'),
      'transport',
      /unknown content coding/,
    ],
  ] as const satisfies readonly (readonly [string, Answer, ErrorKind, RegExp])[])(
    'that %s',
    async (_, answer, kind, message) => {
      const access = await cluster(answer)
      const waited = kind === 'timeout' ? 300 : 10_000
      const error = { kind, message: expect.stringMatching(message) }
      await expect(whoami(access, waited)).rejects.toMatchObject(error)
    },
  )

  it('that does not answer', async () => {
    const access = await cluster(good)
    for (const server of open.splice(0)) await new Promise(resolve => server.close(resolve))
    const hints = [expect.stringContaining('a test'), expect.anything()]
    await expect(whoami(access)).rejects.toMatchObject({ ...failure('ECONNREFUSED'), hints })
  })
})
