import { X509Certificate } from 'node:crypto'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { connect } from 'node:tls'
import { beforeAll, expect, it } from 'vitest'
import { run } from '../support/program.js'
import { describeWith } from '../support/requires.js'
import type { Serving } from '../support/serve.js'
import { sharedLab } from '../support/shared.js'

/** The certificate a server shows, as PEM. */
function served(lab: Serving, ca: string): Promise<X509Certificate> {
  const { port } = new URL(lab.ready.urls.authorization)
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port: Number(port), ca, servername: 'localhost' }, () => {
      resolve(new X509Certificate(socket.getPeerCertificate().raw))
      socket.end()
    })
    socket.on('error', reject)
  })
}

describeWith(['openssl'], 'the served certificate', () => {
  const lab = sharedLab()
  let leaf: X509Certificate
  beforeAll(async () => {
    leaf = await served(lab, readFileSync(lab.ready.ca, 'utf8'))
    writeFileSync(join(dirname(lab.ready.ca), 'served.pem'), leaf.toString())
  })

  it.each([
    ['-verify_hostname', 'localhost'],
    ['-verify_ip', '127.0.0.1'],
    ['-verify_ip', '::1'],
  ])('passes openssl verify -x509_strict %s %s', async (option, name) => {
    const folder = dirname(lab.ready.ca)
    const { code, stdout, stderr } = await run(
      'openssl',
      ['verify', '-x509_strict', '-no-CApath', '-no-CAstore', '-purpose', 'sslserver', option, name].concat([
        '-CAfile',
        lab.ready.ca,
        'served.pem',
      ]),
      { env: lab.env, cwd: folder },
    )
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: 'served.pem: OK\n', stderr: '' })
  })

  it.each([
    ['-verify_hostname', 'other.example'],
    ['-verify_ip', '127.0.0.2'],
  ])('does not pass %s %s', async (option, name) => {
    const args = ['verify', '-x509_strict', option, name, '-CAfile', lab.ready.ca, 'served.pem']
    expect((await run('openssl', args, { env: lab.env, cwd: dirname(lab.ready.ca) })).code).not.toBe(0)
  })

  it('is valid now, was valid an hour ago, and for at most 397 days', () => {
    const from = Date.parse(leaf.validFrom)
    expect(from).toBeLessThanOrEqual(Date.now() - 3_600_000)
    expect(Date.parse(leaf.validTo) - from).toBeLessThanOrEqual(397 * 86_400_000)
  })

  it('stands in a folder that only its owner can read', () => {
    expect(statSync(dirname(lab.ready.ca)).mode & 0o077).toBe(0)
  })
})
