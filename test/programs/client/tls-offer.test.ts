import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { TlsOptions } from 'node:tls'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type OfferedTls, offerTls } from '../../../src/client/tls-offer.js'
import { CIPHER_SUITES } from '../../../src/lab/listening/handshake-failure.js'
import { temporaryFolder } from '../../support/program.js'
import { describeWith } from '../../support/requires.js'

const signal = new AbortController().signal
const offer = (address: string, version: OfferedTls, env = {}, suites?: readonly string[]) =>
  offerTls(address, { version, suites, timeoutMs: 5000, signal, env })

describeWith(['openssl'], 'an offer of one version of TLS', () => {
  const folder = temporaryFolder()
  const servers: ReturnType<typeof createServer>[] = []
  let files: Pick<TlsOptions, 'key' | 'cert'>

  beforeAll(() => {
    const [key, cert] = [join(folder.path, 'key.pem'), join(folder.path, 'cert.pem')]
    const subject = ['-subj', '/CN=localhost', '-days', '1']
    const output = ['-keyout', key, '-out', cert]
    execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...subject, ...output], {
      stdio: 'ignore',
    })
    files = { key: readFileSync(key), cert: readFileSync(cert) }
  })
  afterAll(() => {
    for (const server of servers) server.close()
    folder.remove()
  })

  async function started(options: TlsOptions): Promise<string> {
    const server = createServer({ ...files, ...options })
    servers.push(server)
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    return `https://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  it('is taken by a server that still speaks it, and refused by one that does not', async () => {
    const old = await started({ minVersion: 'TLSv1', ciphers: 'DEFAULT:@SECLEVEL=0' })
    const strict = await started({})
    const versions = ['TLSv1', 'TLSv1.1', 'TLSv1.2', 'TLSv1.3'] as const
    expect(await Promise.all(versions.map(version => offer(old, version)))).toEqual(
      versions.map(() => 'taken'),
    )
    expect(await Promise.all(versions.map(version => offer(strict, version)))).toEqual([
      ...['refused', 'refused', 'taken', 'taken'],
    ])
  })

  it('can be of single suites, and says where this OpenSSL cannot offer them', async () => {
    const careless = await started({
      ciphers: 'ECDHE-RSA-AES128-SHA:AES128-GCM-SHA256',
      maxVersion: 'TLSv1.2',
    })
    const strict = await started({ ciphers: CIPHER_SUITES })
    const of = (address: string, ...suites: string[]) => offer(address, 'TLSv1.2', {}, suites)
    const [cbc, transport] = ['ECDHE-RSA-AES128-SHA', 'AES128-GCM-SHA256'] as const
    expect(await Promise.all([of(careless, cbc), of(careless, transport)])).toEqual(['taken', 'taken'])
    expect(await Promise.all([of(strict, cbc), of(strict, transport)])).toEqual(['refused', 'refused'])
    expect(await of(strict, 'NO-SUCH-SUITE')).toBe('not_offered')
  })

  it('says nothing where nobody answers, without TLS, and behind a proxy', async () => {
    expect(await offer('https://127.0.0.1:1', 'TLSv1')).toBeUndefined()
    expect(await offer('http://127.0.0.1:1', 'TLSv1')).toBeUndefined()
    expect(await offer('https://id.example', 'TLSv1', { HTTPS_PROXY: 'http://127.0.0.1:1' })).toBeUndefined()
  })
})
