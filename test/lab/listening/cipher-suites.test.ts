import { once } from 'node:events'
import tls from 'node:tls'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ensureCertificates } from '../../../src/lab/certificates/certificates.js'
import type { Listener } from '../../../src/lab/listening/listen.js'
import { temporaryFolder } from '../../support/program.js'
import { helloListener } from '../hello-listener.js'

const home = temporaryFolder()
let listener: Listener
beforeAll(async () => {
  listener = await helloListener(home.path, await ensureCertificates(home.path))
})
afterAll(async () => {
  await listener.stop()
  home.remove()
})

/** True when the listener agrees to a handshake with this suite alone. */
async function accepts(suite: string, version: tls.SecureVersion): Promise<boolean> {
  const socket = tls.connect({
    host: '127.0.0.1',
    port: listener.port,
    rejectUnauthorized: false,
    minVersion: version,
    maxVersion: version,
    ciphers: version === 'TLSv1.3' ? suite : `${suite}:@SECLEVEL=0`,
  })
  try {
    await once(socket, 'secureConnect')
    return socket.getCipher().standardName === suite || socket.getCipher().name === suite
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

async function accepted(suites: readonly string[], version: tls.SecureVersion): Promise<string[]> {
  const agreed: string[] = []
  for (const suite of suites) if (await accepts(suite, version)) agreed.push(suite)
  return agreed.sort()
}

const suites = tls.getCiphers().map(name => name.toUpperCase())

it('agrees to the suites of RFC 9325 §4.2 that its ECDSA certificate can serve, and to no other of TLS 1.2', async () => {
  const older = suites.filter(name => !name.startsWith('TLS_') && !/PSK|SRP|ADH|AECDH/.test(name))
  expect(older.length).toBeGreaterThan(10)
  expect(await accepted(older, 'TLSv1.2')).toEqual([
    'ECDHE-ECDSA-AES128-GCM-SHA256',
    'ECDHE-ECDSA-AES256-GCM-SHA384',
  ])
})

it('agrees to every suite of TLS 1.3 that Node offers by default', async () => {
  const newest = tls.DEFAULT_CIPHERS.split(':').filter(name => name.startsWith('TLS_'))
  expect(await accepted(newest, 'TLSv1.3')).toEqual([...newest].sort())
})
