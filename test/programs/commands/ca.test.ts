import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { programInHome } from '../../commands/support.js'
import { run, runProgram, temporaryFolder } from '../../support/program.js'
import { describeWith } from '../../support/requires.js'

const { env, home, oauthLab } = programInHome()

describe('oauth-lab ca', () => {
  it('path makes the CA and prints where it is', async () => {
    const { code, stdout, stderr } = await oauthLab('ca', 'path')
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toBe(`${join(home(), 'lab', 'ca.pem')}\n`)
    expect(readFileSync(stdout.trim(), 'utf8')).toMatch(/^-----BEGIN CERTIFICATE-----/)
    expect(JSON.parse((await oauthLab('ca', 'path', '--json')).stdout)).toEqual({ path: stdout.trim() })
  })

  it('show tells subject, fingerprint, validity and names', async () => {
    const { stdout } = await oauthLab('ca', 'show', '--json')
    const { ca, leaf } = JSON.parse(stdout) as Record<string, Record<string, string>>
    expect(ca).toMatchObject({
      file: join(home(), 'lab', 'ca.pem'),
      sha256: expect.stringMatching(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/),
      not_after: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    })
    expect(leaf?.names).toEqual(['localhost', '127.0.0.1', '::1'])
    const text = (await oauthLab('ca', 'show')).stdout
    for (const fact of [ca?.subject, ca?.sha256, leaf?.sha256]) expect(text).toContain(fact)
  })

  it('renew makes another one', async () => {
    const before = readFileSync(join(home(), 'lab', 'ca.pem'), 'utf8')
    const { code, stdout } = await oauthLab('ca', 'renew')
    expect([code, stdout]).toEqual([0, `${join(home(), 'lab', 'ca.pem')}\n`])
    expect(readFileSync(join(home(), 'lab', 'ca.pem'), 'utf8')).not.toBe(before)
  })

  it('env as JSON names the variables', async () => {
    const file = join(home(), 'lab', 'ca.pem')
    expect(JSON.parse((await oauthLab('ca', 'env', '--json')).stdout)).toEqual({
      NODE_EXTRA_CA_CERTS: file,
      SSL_CERT_FILE: file,
      CURL_CA_BUNDLE: file,
      REQUESTS_CA_BUNDLE: file,
      DENO_CERT: file,
      GIT_SSL_CAINFO: file,
    })
  })
})

describeWith(['sh'], 'oauth-lab ca env in a shell', () => {
  it('sets the variables, also for a folder with spaces and quotes', async () => {
    const { stdout } = await runProgram(['ca', 'env'], {
      env: env({ OAUTH_LAB_HOME: join(home(), "it's a lab") }),
    })
    const folder = temporaryFolder()
    const script = `${stdout}\nprintf %s "$NODE_EXTRA_CA_CERTS|$SSL_CERT_FILE|$CURL_CA_BUNDLE|$REQUESTS_CA_BUNDLE"`
    const ended = await run('sh', ['-c', script], { env: env(), cwd: folder.path })
    folder.remove()
    expect(ended).toMatchObject({ code: 0, stderr: '' })
    expect(new Set(ended.stdout.split('|'))).toEqual(new Set([join(home(), "it's a lab", 'ca.pem')]))
  })
})
