import { createPrivateKey, X509Certificate } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rootCertificates } from 'node:tls'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  type Certificates,
  describeCertificates,
  ensureCertificates,
  ensureSelfSigned,
  limitsToGain,
  renewCertificates,
} from '../../../../src/lab/certificates/certificates.js'
import { readRecords } from '../../../../src/lab/state/running.js'
import { writeState } from '../../../../src/lab/state/state-folder.js'
import { run } from '../../../support/program.js'
import { describeWith, findProgram } from '../../../support/requires.js'

const DAY = 86_400_000

let home = ''
beforeEach(() => {
  home = join(mkdtempSync(join(tmpdir(), 'oauth-lab-certificates-')), 'lab')
})
afterEach(() => rmSync(join(home, '..'), { recursive: true, force: true }))

const mode = (path: string) => statSync(path).mode & 0o777
const leafOf = ({ certPem }: Certificates) => new X509Certificate(certPem)

describe('the lab’s certificates', () => {
  it('are kept in a folder and in key files that other users cannot read', async () => {
    const { caFile, caPem } = await ensureCertificates(home)
    expect(caFile).toBe(join(home, 'ca.pem'))
    expect(readFileSync(caFile, 'utf8')).toBe(caPem)
    expect(caPem).not.toContain('PRIVATE')
    expect(mode(home)).toBe(0o700)
    for (const name of readdirSync(home)) {
      const secret = readFileSync(join(home, name), 'utf8').includes('PRIVATE KEY')
      expect([name, mode(join(home, name))]).toEqual([name, secret ? 0o600 : 0o644])
    }
  })

  it('have an RSA key where that is asked for, under the same CA, and beside the other one', async () => {
    const [usual, rsa] = [
      await ensureCertificates(home),
      await ensureCertificates(home, [], Date.now(), 'rsa'),
    ]
    expect(leafOf(rsa).publicKey.asymmetricKeyType).toBe('rsa')
    expect(leafOf(rsa).verify(new X509Certificate(usual.caPem).publicKey)).toBe(true)
    expect(await ensureCertificates(home, [], Date.now(), 'rsa')).toEqual(rsa)
    expect(await ensureCertificates(home)).toEqual(usual)
  })

  it('are one pair also when two runs are the first', async () => {
    const both = await Promise.all([ensureCertificates(home), ensureCertificates(home)])
    expect(both[0].caPem).toBe(both[1].caPem)
    for (const each of both) {
      expect(leafOf(each).verify(new X509Certificate(each.caPem).publicKey)).toBe(true)
      expect(leafOf(each).checkPrivateKey(createPrivateKey(each.keyPem))).toBe(true)
    }
  })

  it('live 397 days at most, the CA ten years, both since yesterday', async () => {
    const now = Date.parse('2026-11-21T12:00:00Z')
    const { ca, leaf } = describeCertificates(await ensureCertificates(home, [], now))
    expect(Date.parse(ca.not_before)).toBe(now - DAY)
    expect(Date.parse(leaf.not_before)).toBe(now - DAY)
    expect(Date.parse(leaf.not_after) - Date.parse(leaf.not_before)).toBeLessThanOrEqual(397 * DAY)
    expect(Date.parse(ca.not_after) - now).toBe(3650 * DAY)
    expect(leaf.names).toEqual(['localhost', '127.0.0.1', '::1'])
    expect(ca.subject).toMatch(
      /^O=oauth-lab, CN=oauth-lab CA [0-9a-f]{8}$|^CN=oauth-lab CA [0-9a-f]{8}, O=oauth-lab$/,
    )
  })

  it('have positive serial numbers of 128 bits', async () => {
    const { caPem, certPem } = await ensureCertificates(home)
    for (const pem of [caPem, certPem]) {
      expect(new X509Certificate(pem).serialNumber).toMatch(/^[4-7][0-9A-F]{31}$/)
    }
  })

  it('get a new leaf when the old one is about to expire, under the same CA', async () => {
    const now = Date.now()
    const old = await ensureCertificates(home, [], now - 380 * DAY)
    const renewed = await ensureCertificates(home, [], now)
    expect(renewed.caPem).toBe(old.caPem)
    expect(renewed.certPem).not.toBe(old.certPem)
    expect(renewed.caChange).toBeUndefined()
  })

  it('get a new CA when the old one is about to expire, and say so', async () => {
    const now = Date.now()
    const old = await ensureCertificates(home, [], now - 3640 * DAY)
    const renewed = await ensureCertificates(home, [], now)
    expect(renewed.caPem).not.toBe(old.caPem)
    expect(renewed.caChange).toBe('the old one expires')
  })

  it('take further names, the CA’s limits widened under the same key', async () => {
    const old = await ensureCertificates(home)
    const more = await ensureCertificates(home, ['Lab.Example', '8.8.8.8'])
    expect(describeCertificates(more).leaf.names).toEqual([
      'localhost',
      '127.0.0.1',
      '::1',
      'lab.example',
      '8.8.8.8',
    ])
    expect(more.caChange).toContain('lab.example, 8.8.8.8')
    const newCa = new X509Certificate(more.caPem)
    expect(leafOf(old).checkIssued(newCa) && leafOf(old).verify(newCa.publicKey)).toBe(true)
    // Without them the wider one still fits.
    expect((await ensureCertificates(home)).certPem).toBe(more.certPem)
  })

  it.each(['127.0.0.2', '192.168.178.20', '10.1.2.3', 'fd00::7', '192.0.2.7'])(
    'keep their CA for the address %s of this computer',
    async address => {
      const old = await ensureCertificates(home)
      const more = await ensureCertificates(home, [address])
      expect(more.caPem).toBe(old.caPem)
      expect(more.caChange).toBeUndefined()
      expect(leafOf(more).checkIP(address)).toBe(address)
    },
  )

  it.each(['ca-key.pem', 'leaf.pem', 'ca.pem'])('are made again when %s is broken', async name => {
    await ensureCertificates(home)
    writeFileSync(join(home, name), 'broken')
    const made = await ensureCertificates(home)
    expect(leafOf(made).verify(new X509Certificate(made.caPem).publicKey)).toBe(true)
    expect(readFileSync(join(home, 'ca.pem'), 'utf8')).toBe(made.caPem)
    expect(made.caChange !== undefined).toBe(name === 'ca-key.pem')
  })

  it('are made again when the key belongs to another certificate', async () => {
    const { certPem } = await ensureCertificates(home)
    const other = await ensureCertificates(join(home, 'other'))
    writeFileSync(join(home, 'leaf.pem'), other.keyPem + certPem)
    const made = await ensureCertificates(home)
    expect(leafOf(made).checkPrivateKey(createPrivateKey(made.keyPem))).toBe(true)
  })

  it('are all new after a renewal', async () => {
    const old = await ensureCertificates(home)
    const made = await renewCertificates(home)
    expect(made.caPem).not.toBe(old.caPem)
    expect(made.gains).toEqual([])
    expect(await ensureCertificates(home)).toMatchObject({ caPem: made.caPem, certPem: made.certPem })
  })
})

describe('a CA of the first release', () => {
  /** As version 0.1.0 made it: names alone, for any purpose, mailbox and URI. */
  async function firstRelease(): Promise<string> {
    mkdirSync(home, { mode: 0o700 })
    const pair = readFileSync(new URL('../../../lab/first-release-ca.pem', import.meta.url), 'utf8')
    writeFileSync(join(home, 'ca-key.pem'), pair, { mode: 0o600 })
    return /-----BEGIN CERTIFICATE[\s\S]*/.exec(pair)?.[0] ?? ''
  }
  const then = Date.parse('2026-12-01T00:00:00Z')

  it('keeps working, and signs the leaf', async () => {
    const caPem = await firstRelease()
    const made = await ensureCertificates(home, [], then)
    expect(made.caPem).toBe(caPem)
    expect(made.caChange).toBeUndefined()
    expect(leafOf(made).verify(new X509Certificate(caPem).publicKey)).toBe(true)
  })

  it('is replaced by a renewal, which says what the new one gains', async () => {
    await firstRelease()
    const gains = await limitsToGain(home)
    expect(gains).toEqual([
      expect.stringContaining('TLS servers alone'),
      expect.stringContaining('mailbox or a URI'),
      expect.stringContaining('private network'),
    ])
    expect((await renewCertificates(home, [], then)).gains).toEqual(gains)
    expect(await limitsToGain(home)).toEqual([])
  })
})

describe('the state folder', () => {
  it('is closed to others when it was open and empty', async () => {
    mkdirSync(home)
    chmodSync(home, 0o755)
    await ensureCertificates(home)
    expect(mode(home)).toBe(0o700)
  })

  it('keeps its mode when it has another purpose', async () => {
    mkdirSync(home)
    chmodSync(home, 0o755)
    writeFileSync(join(home, 'thesis.txt'), '')
    await ensureCertificates(home)
    expect(mode(home)).toBe(0o755)
  })

  // Only root may give a folder away.
  it.runIf(process.getuid?.() === 0)(
    'is refused when it belongs to another user, and left as it is',
    async () => {
      await ensureCertificates(home)
      const [first, ...others] = readdirSync(home)
      writeFileSync(join(home, 'lab-999999.json'), '{}')
      chownSync(home, 12345, 12345)
      const refused = {
        kind: 'usage',
        message: `the state folder ${home} belongs to another user (uid 12345, this one is 0)`,
        hints: [expect.stringContaining('OAUTH_LAB_HOME=')],
      }
      await expect(ensureCertificates(home)).rejects.toMatchObject(refused)
      await expect(readRecords(home)).rejects.toMatchObject(refused)
      await expect(writeState(home, 'x', '')).rejects.toMatchObject(refused)
      expect(readdirSync(home).sort()).toEqual([first, ...others, 'lab-999999.json'].sort())
      chownSync(home, 0, 0)
      await ensureCertificates(home)
    },
  )

  it('says what to do when it cannot be used', async () => {
    writeFileSync(join(home, '..', 'file'), '')
    await expect(ensureCertificates(join(home, '..', 'file', 'lab'))).rejects.toMatchObject({
      kind: 'usage',
      hints: ['Name another one:  OAUTH_LAB_HOME=/path/to/folder'],
    })
  })
})

const kinds = [
  ['signed by the lab’s CA', ensureCertificates],
  ['self-signed', ensureSelfSigned],
] as const

it.each(kinds)('%s: is kept, and made again for a missing name', async (_, ensure) => {
  const first = await ensure(home)
  expect((await ensure(home)).certPem).toBe(first.certPem)
  const more = await ensure(home, ['lab.example'])
  expect(leafOf(more).checkHost('lab.example')).toBe('lab.example')
  expect((await ensure(home, [], Date.now() + 390 * DAY)).certPem).not.toBe(more.certPem)
})

describe.each(kinds)('a server with a certificate %s', (_, ensure) => {
  it.each(['localhost', '127.0.0.1', '[::1]'])(
    'is trusted by Node for %s, and only with its CA',
    async host => {
      const { certPem, keyPem, caPem } = await ensure(home)
      const bound = host === '[::1]' ? '::1' : '127.0.0.1'
      const server = https.createServer({ cert: certPem, key: keyPem }, (_, response) => response.end())
      await new Promise<void>(resolve => server.listen(0, bound, resolve))
      const { port } = server.address() as AddressInfo
      const options = { host: bound, port, agent: false, servername: host === 'localhost' ? host : '' }
      const get = (ca: string | string[]) =>
        new Promise(resolve => {
          const request = https.get({ ...options, ca }, response => {
            response.resume()
            resolve(response.statusCode)
          })
          request.on('error', (error: NodeJS.ErrnoException) => resolve(error.code))
        })
      expect(await get(caPem)).toBe(200)
      expect(await get([...rootCertificates])).toMatch(/SIGNATURE|SELF_SIGNED/)
      server.close()
    },
  )
})

describeWith(['openssl'], 'openssl verify -x509_strict', () => {
  const checks = [
    ['-verify_hostname', 'localhost'],
    ['-verify_ip', '127.0.0.1'],
    ['-verify_ip', '::1'],
  ] as const

  it.each(kinds)('accepts the certificate %s for all three names', async (_, ensure) => {
    const { certPem, caFile } = await ensure(home)
    const file = join(home, 'leaf-only.pem')
    writeFileSync(file, certPem)
    for (const check of checks) {
      const options = [
        'verify',
        '-x509_strict',
        '-no-CApath',
        '-no-CAstore',
        '-purpose',
        'sslserver',
        ...check,
      ]
      const ended = await run('openssl', [...options, '-CAfile', caFile, file], {
        env: { HOME: home, PATH: process.env.PATH ?? '' },
      })
      expect(ended).toMatchObject({ code: 0, stderr: '' })
    }
  })

  it('refuses a name outside the CA’s limits, whoever signed it', async () => {
    const { makeLeaf } = await import('../../../../src/lab/certificates/authority.js')
    const { caPem, caFile } = await ensureCertificates(home)
    const keyPem = readFileSync(join(home, 'ca-key.pem'), 'utf8').replace(/-----BEGIN CERTIFICATE[\s\S]*/, '')
    const leaf = await makeLeaf({ certPem: caPem, keyPem }, ['bank.example'], Date.now())
    const file = join(home, 'leaf-bank.pem')
    writeFileSync(file, leaf.certPem)
    const ended = await run('openssl', ['verify', '-x509_strict', '-CAfile', caFile, file], {
      env: { HOME: home, PATH: process.env.PATH ?? '' },
    })
    expect(ended.code).not.toBe(0)
    expect(ended.stderr + ended.stdout).toContain('permitted subtree violation')
  })
})

/** Connects with Python's default context and its strict flag, which Python 3.13 sets itself. */
const python = `
import socket, ssl, sys
context = ssl.create_default_context(cafile=sys.argv[1])
context.verify_flags |= ssl.VERIFY_X509_STRICT
address, port, name = sys.argv[2], int(sys.argv[3]), sys.argv[4]
with socket.create_connection((address, port)) as plain:
    with context.wrap_socket(plain, server_hostname=name) as tls:
        print(tls.version())
`

describeWith(['python3|python'], 'Python’s ssl module, strict', () => {
  it.each(kinds)('accepts the certificate %s for all three names', async (_, ensure) => {
    const { certPem, keyPem, caFile } = await ensure(home)
    const server = https.createServer({ cert: certPem, key: keyPem }).on('tlsClientError', () => {})
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const program = findProgram('python3', 'python') ?? ''
    for (const name of ['localhost', '127.0.0.1', '::1']) {
      const ended = await run(program, ['-c', python, caFile, '127.0.0.1', String(port), name], {
        env: { HOME: home, PATH: process.env.PATH ?? '' },
      })
      expect(ended).toMatchObject({ code: 0, stdout: 'TLSv1.3\n' })
    }
    server.close()
  })
})
