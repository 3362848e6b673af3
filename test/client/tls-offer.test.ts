import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { TlsOptions } from 'node:tls'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type OfferedTls, takesTls } from '../../src/client/tls-offer.js'
import { temporaryFolder } from '../support/program.js'
import { describeWith } from '../support/requires.js'

const signal = new AbortController().signal
const offer = (address: string, version: OfferedTls, env = {}) =>
  takesTls(address, { version, timeoutMs: 5000, signal, env })

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
    expect(await Promise.all(versions.map(version => offer(old, version)))).toEqual([true, true, true, true])
    expect(await Promise.all(versions.map(version => offer(strict, version)))).toEqual([
      ...[false, false, true, true],
    ])
  })

  it('says nothing where nobody answers, without TLS, and behind a proxy', async () => {
    expect(await offer('https://127.0.0.1:1', 'TLSv1')).toBeUndefined()
    expect(await offer('http://127.0.0.1:1', 'TLSv1')).toBeUndefined()
    expect(await offer('https://id.example', 'TLSv1', { HTTPS_PROXY: 'http://127.0.0.1:1' })).toBeUndefined()
  })
})
