import { existsSync, lstatSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { ends } from '../../../commands/support.js'
import { runHere } from '../../../support/in-process.js'
import { runProgram, startProgram, until } from '../../../support/program.js'
import { withoutLabLine } from '../../../support/serve.js'
import { sharedLab } from '../../../support/shared.js'

const lab = sharedLab(['--cluster-port', '0'])

async function k8s(args: readonly string[], input?: string) {
  const said = await runHere(['k8s', ...args], { env: lab.env, ...(input !== undefined && { input }) })
  return { ...said, stderr: withoutLabLine(said.stderr) }
}
const path = (name: string) => join(lab.env.HOME ?? '', name)

async function token(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await k8s(['token', ...args])
  expect(code, stderr).toBe(0)
  return stdout
}

describe('k8s token', () => {
  it('prints the bare token in a pipe, and the granted lifetime on stderr', async () => {
    const { stdout, stderr } = await k8s(['token', '--audience', 'api', '--duration', '1000h'])
    expect(stdout).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/)
    expect(stderr).toContain('Warning: requested expiration of 3600000 seconds shortened to 172800 seconds')
    expect(stderr).toContain("asked 41 d 16 h, granted only 2 d: the server's maximum")
    expect(stderr).toContain('api accepts it')
    expect(stderr).toMatch(/the API server: .*\n {2}for both: +--audience api --audience https:/)
  })

  it('prints every output form', async () => {
    const json = JSON.parse(await token('--json')) as { kind: string; status: { token: string } }
    expect(json).toMatchObject({ kind: 'TokenRequest', spec: { expirationSeconds: 3600 } })
    expect(parse(await token('-o', 'yaml'))).toMatchObject({ kind: 'TokenRequest' })
    expect(JSON.parse(await token('-o', 'exec-credential'))).toEqual({
      kind: 'ExecCredential',
      apiVersion: 'client.authentication.k8s.io/v1',
      spec: { interactive: false },
      status: { token: expect.any(String), expirationTimestamp: expect.any(String) },
    })
    expect(await token('-n', 'lab', '--bind', 'pod/web-0', '-o', 'decoded')).toMatch(/Bound to +pod web-0/)
  })

  it.each([
    [['nope'], 'serviceaccounts "nope" not found'],
    [['-n', 'nope'], 'namespaces "nope" not found'],
    [['--duration', '5m'], 'may not specify a duration less than 10 minutes'],
    [['--bind', 'pod/nope'], 'pods "nope" not found'],
  ] as const)('%j is refused in one line', async (args, message) => {
    const { code, stdout, stderr } = await k8s(['token', ...args])
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr.split('\n')[0]).toContain(message)
  })

  it('prints requests without secrets, and the equal kubectl and curl lines, with --show-http', async () => {
    const { stderr } = await k8s(['token', '--audience', "it's", '--show-http'])
    expect(stderr).toContain('> POST /api/v1/namespaces/default/serviceaccounts/demo/token HTTP/1.1')
    expect(stderr).toContain('< HTTP/1.1 201')
    expect(stderr).toContain(`create token demo --audience 'it'\\''s'`)
    expect(stderr).toContain('curl --cacert "$(oauth-lab ca path)" -H "authorization: Bearer $KUBE_TOKEN"')
    expect(stderr).not.toMatch(/lab-admin-token|eyJ[\w-]{20}/)
    const { authorization } = lab.ready.urls
    const { stderr: named } = await k8s(['whoami', '--server', authorization, '--show-http'])
    expect(named).toContain(`--kubeconfig <(oauth-lab k8s kubeconfig --server ${authorization}) auth whoami`)
  })
})

describe('k8s review', () => {
  it('reads a token from an argument, a file and stdin', async () => {
    const text = await token('--audience', 'api')
    writeFileSync(path('token'), `${text}\n`)
    for (const [argument, input] of [[text], [`@${path('token')}`], ['-', `${text}\n`]] as const) {
      const { code, stdout } = await k8s(['review', argument, '--audience', 'api'], input)
      expect([code, stdout]).toEqual([0, expect.stringContaining('system:serviceaccount:default:demo')])
    }
  })

  it('explains a refusal and names the next move', async () => {
    const { code, stdout, stderr } = await k8s([
      'review',
      await token('--audience', 'api'),
      '--audience',
      'other',
    ])
    expect(code).toBe(1)
    const error = 'token audiences ["api"] is invalid for the target audiences ["other"]]'
    expect(stdout).toContain(`not authenticated: [invalid bearer token, ${error}`)
    expect(stderr).toContain('your own credentials are fine')
    expect(stderr).toContain('Fix:  oauth-lab k8s token demo -n default --audience api --audience other')
  })

  it('prints the object without the token', async () => {
    const text = await token('--audience', 'api')
    const { stdout, stderr } = await k8s(['review', text, '--audience', 'other', '--json'])
    expect(JSON.parse(stdout)).toMatchObject({
      kind: 'TokenReview',
      status: { user: {}, error: expect.anything() },
    })
    expect(stdout).not.toContain(text)
    expect(stderr).toBe('')
  })

  it('distinguishes refused credentials of the caller from a refused token', async () => {
    writeFileSync(path('mine'), 'wrong')
    expect(await k8s(['review', 'x.y.z', '--bearer-file', path('mine')])).toMatchObject(
      ends(1, 'These are your own credentials'),
    )
  })

  it.each([
    ['a b', 2, /spaces or line breaks/],
    ['', 2, /token is empty/],
    [`${'a'.repeat(1_048_576)}\n`, 1, /It means/],
    ['a'.repeat(2_097_153), 2, /larger than 2097152 bytes/],
  ])('a token on stdin: %#', async (input, exit, message) => {
    expect(await k8s(['review', '-'], input)).toMatchObject(ends(exit, message))
  })
})

describe('a pod that is deleted', () => {
  it('invalidates its tokens, which a check by keys alone does not show', async () => {
    await k8s(['pods', 'create', 'doomed', '-n', 'lab', '--account', 'demo'])
    const text = await token('-n', 'lab', '--audience', 'api', '--bind', 'pod/doomed')
    expect((await k8s(['verify', '-', '--audience', 'api'], text)).code).toBe(0)
    expect((await k8s(['pods', 'delete', 'doomed', '-n', 'lab'])).code).toBe(0)
    const { code, stdout, stderr } = await k8s(['verify', '-', '--audience', 'api'], text)
    expect(code).toBe(1)
    expect(stdout).toMatch(/✓ signature[\s\S]*✗ not authenticated: .*invalidated/)
    expect(stderr).toContain('They differ: keys do not show')
    const { stdout: list } = await k8s(['pods', 'list', '-n', 'lab'])
    expect(list).toContain('web-0')
    expect(list).not.toContain('doomed')
  })
})

describe('k8s kubeconfig', () => {
  it('reaches the same cluster, as the administrator, an account, or by a plugin', async () => {
    for (const [args, username] of [
      [[], 'admin'],
      [['builder', '-n', 'lab'], 'system:serviceaccount:lab:builder'],
    ] as const) {
      const { stdout } = await k8s(['kubeconfig', ...args])
      writeFileSync(path('config'), stdout)
      const { stdout: who, stderr } = await k8s(['whoami', '--kubeconfig', path('config'), '--json'])
      expect(JSON.parse(who), stderr).toMatchObject({ status: { userInfo: { username } } })
    }
  })

  it('names this program as a silent credential plugin with --exec', async () => {
    const { stdout } = await runProgram(['k8s', 'kubeconfig', '--exec', '-n', 'lab'], { env: lab.env })
    writeFileSync(path('config'), stdout)
    const { stdout: who, stderr } = await k8s(['whoami', '--kubeconfig', path('config')])
    expect([who, stderr]).toEqual([expect.stringContaining('system:serviceaccount:lab:demo'), ''])
    expect((await runHere(['k8s', 'token', '-o', 'exec-credential'], { env: lab.env })).stderr).toBe('')
  })
})

describe('k8s doctor', () => {
  const names = async (args: readonly string[], input: string) => {
    const { code, stdout } = await k8s(['doctor', '-', '--json', ...args], input)
    const { findings } = JSON.parse(stdout) as { findings: { name: string; result: string }[] }
    return { code, faults: findings.filter(({ result }) => result === 'fault').map(({ name }) => name) }
  }

  it('finds the faults of each verifier', async () => {
    const api = await token('--audience', 'api')
    expect(await names(['--for', 'gcp', '--audience', 'api'], api)).toEqual({ code: 0, faults: [] })
    expect(await names(['--for', 'api'], api)).toEqual({ code: 1, faults: ['audience', 'review', 'bearer'] })
    writeFileSync(path('limited'), 'lab-limited-token')
    const limited = ['--bearer-file', path('limited')]
    expect(await names(['--for', 'api', ...limited], await token())).toEqual({ code: 0, faults: [] })
    expect(await k8s(['verify', '-', '--audience', 'api', ...limited], api)).toMatchObject(
      ends(0, /^There is no review beside it: .* forbidden/),
    )
  })
})

describe('-o', () => {
  it.each([
    ['whoami', { kind: 'SelfSubjectReview' }],
    ['discovery', { issuer: expect.any(String) }],
    ['jwks', { keys: [expect.objectContaining({ kty: 'RSA' })] }],
    ['accounts list', { kind: 'ServiceAccountList' }],
    ['kubeconfig', { kind: 'Config' }],
    ['review', { kind: 'TokenReview' }],
    ['verify', { verdict: 'accepted' }],
    ['inspect', { service_account: expect.objectContaining({ name: 'demo' }) }],
    ['doctor --for api', { for: 'api', faults: 0 }],
  ])('k8s %s writes the same object as JSON and as YAML', async (words, content) => {
    const reads = /^(review|verify|inspect|doctor)/.test(words)
    const input = reads ? await token() : ''
    const command = [...words.split(' '), ...(reads ? ['-'] : [])]
    const json = await k8s([...command, '-o', 'json'], input)
    const yaml = await k8s([...command, '-o', 'yaml'], input)
    expect([json.code, yaml.code]).toEqual([0, 0])
    expect(JSON.parse(json.stdout)).toMatchObject(content)
    expect(parse(yaml.stdout, { version: '1.1' })).toMatchObject(content)
    expect((await k8s([...command, '--json'], input)).stdout.split('\n')).toHaveLength(2)
  })
})

describe('k8s mount', () => {
  it('keeps a volume as the kubelet does, and ends at a signal', async () => {
    const dir = path('volume')
    const args = [
      'k8s',
      'mount',
      '--dir',
      dir,
      '--audience',
      'api',
      '--duration',
      '10m',
      '--speed',
      '1000',
      '--json',
    ]
    const { child, ended, stdout, stderr } = startProgram(args, { env: lab.env })
    const lines = () => stdout().trim().split('\n')
    await until(
      () => (lines().length >= 3 ? true : undefined),
      () => stdout() + stderr(),
    )
    child.kill('SIGINT')
    expect(await ended).toMatchObject({ code: 130 })
    const last = JSON.parse(lines().at(-1) ?? '') as { folder: string }
    const first = JSON.parse(lines()[0] ?? '') as { folder: string }
    expect(lstatSync(join(dir, 'token')).isSymbolicLink()).toBe(true)
    expect(readlinkSync(join(dir, 'token'))).toBe(join('..data', 'token'))
    expect(readlinkSync(join(dir, '..data'))).toBe(last.folder)
    expect(existsSync(join(dir, first.folder))).toBe(false)
    expect(readFileSync(join(dir, 'namespace'), 'utf8')).toBe('default')
    expect((await k8s(['review', `@${join(dir, 'token')}`, '--audience', 'api'])).code).toBe(0)
  })

  it.runIf(existsSync('/proc/self'))('says at once where no folder can be made', async () => {
    expect(await k8s(['mount', '--dir', '/proc/nowhere/volume', '--audience', 'api'])).toMatchObject(
      ends(2, 'cannot write the volume /proc/nowhere/volume: there is no folder for it'),
    )
  })
})

describe('a server that is no cluster', () => {
  let server: Server
  const address = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  beforeAll(async () => {
    server = createServer((_, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
    )
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  })
  afterAll(() => server.close())

  it.each([[['token']], [['whoami']], [['jwks']], [['accounts', 'list']], [['review', 'x']]])(
    '%j',
    async args => {
      const { code, stdout, stderr } = await k8s([...args, '--cluster', address()])
      expect([code, stdout]).toEqual([3, ''])
      expect(stderr.split('\n')[0]).toContain('with HTML (HTTP 200)')
    },
  )
})
