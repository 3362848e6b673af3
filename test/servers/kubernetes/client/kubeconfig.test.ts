import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { ensureCertificates } from '../../../../src/lab/certificates/certificates.js'
import { UsageError } from '../../../../src/protocol/errors.js'
import {
  accessOf,
  chooseContext,
  inClusterAccess,
} from '../../../../src/servers/kubernetes/client/kubeconfig/access.js'
import {
  loadKubeconfig,
  parseKubeconfig,
} from '../../../../src/servers/kubernetes/client/kubeconfig/parse.js'
import { forAll } from '../../../support/for-all.js'
import { sharedFolder } from '../../../support/shared.js'

const folder = sharedFolder()
const path = (name: string) => join(folder.path, name)

/** A certificate with its key, of a CA; both are good for what a kubeconfig needs them for. */
let pems = { ca: '', cert: '', key: '' }
beforeAll(async () => {
  const { caPem, certPem, keyPem } = await ensureCertificates(path('ca'), ['localhost'], Date.now())
  pems = { ca: caPem, cert: certPem, key: keyPem }
})

const base64 = (text: string) => Buffer.from(text).toString('base64')
const ports = { now: Date.now, timeoutMs: 5000, env: { PATH: process.env.PATH }, interactive: false }

/** A kubeconfig of one context, with this cluster and user. */
function write(name: string, cluster: object, user: object | undefined, context: object = {}): string {
  const file = path(name)
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'dev',
    clusters: [{ name: 'c', cluster: { server: 'https://k.example:6443/', ...cluster } }],
    users: user === undefined ? [] : [{ name: 'u', user }],
    contexts: [{ name: 'dev', context: { cluster: 'c', user: user && 'u', namespace: 'lab', ...context } }],
  }
  writeFileSync(file, JSON.stringify(config))
  return file
}

async function reach(file: string, more: Partial<typeof ports> = {}) {
  const config = await loadKubeconfig({ file, env: {} })
  return accessOf(chooseContext(config, undefined), { ...ports, ...more }, { kubeconfigOption: file })
}

/** A credential plugin that prints this and ends with this code. */
function plugin(prints: string, options: { exit?: number; apiVersion?: string } = {}) {
  const script = `process.stdout.write(${JSON.stringify(prints)}); process.exitCode = ${options.exit ?? 0}`
  return {
    exec: {
      apiVersion: options.apiVersion ?? 'client.authentication.k8s.io/v1',
      command: process.execPath,
      args: ['-e', script],
      interactiveMode: 'Never',
    },
  }
}

const credential = (status: object) =>
  JSON.stringify({ kind: 'ExecCredential', apiVersion: 'client.authentication.k8s.io/v1', status })

describe('a context', () => {
  it('gives address, user and namespace', async () => {
    const cluster = { 'certificate-authority-data': base64(pems.ca), 'tls-server-name': 'x.example' }
    const access = await reach(write('plain', cluster, { token: 'abc' }))
    expect(access).toMatchObject({
      server: 'https://k.example:6443',
      namespace: 'lab',
      caPem: pems.ca,
      serverName: 'x.example',
      credential: { kind: 'bearer', token: 'abc' },
      kubectl: ['--kubeconfig', path('plain')],
    })
  })

  it('reads files relative to the kubeconfig', async () => {
    mkdirSync(path('sub'), { recursive: true })
    writeFileSync(path('sub/ca.crt'), pems.ca)
    writeFileSync(path('sub/token'), 'from-a-file\n')
    const user = { tokenFile: 'token', token: 'stale' }
    const file = write('sub/config', { 'certificate-authority': 'ca.crt' }, user)
    expect(await reach(file)).toMatchObject({ caPem: pems.ca, credential: { token: 'from-a-file' } })
  })

  it('comes with a client certificate', async () => {
    const user = { 'client-certificate-data': base64(pems.cert), 'client-key-data': base64(pems.key) }
    expect((await reach(write('cert', {}, user))).credential).toMatchObject({
      kind: 'certificate',
      cert: pems.cert,
    })
  })

  it('goes through a proxy, without checks, as nobody', async () => {
    const cluster = { 'proxy-url': 'http://proxy.example:3128', 'insecure-skip-tls-verify': true }
    expect(await reach(write('proxy', cluster, undefined))).toMatchObject({
      proxyUrl: 'http://proxy.example:3128',
      insecure: true,
      credential: { kind: 'none' },
    })
  })

  it.each([
    ['an expired certificate', 'cert', { now: () => Date.now() + 50 * 365 * 86_400_000 }, /expired on/],
    ['one from the future', 'cert', { now: () => 0 }, /not valid before/],
  ])('refuses %s', async (_, file, more, message) => {
    await expect(reach(path(file), more)).rejects.toMatchObject({
      kind: 'usage',
      message: expect.stringMatching(message),
    })
  })

  it.each([
    ['no server', { server: '' }, {}, /server "" is not the address of an API server/],
    [
      'credentials in the server, without printing them',
      { server: 'https://alice:swordfish@k.example:6443' },
      {},
      /server "https:\/\/…@k\.example:6443" is not the address/,
    ],
    [
      'a query in the server, without printing it',
      { server: 'https://k.example/?token=swordfish' },
      {},
      /server "https:\/\/k\.example\/\?…" is not the address/,
    ],
    ['a socks proxy', { 'proxy-url': 'socks5://x' }, {}, /proxy-url is no http/],
    ['a CA that is none', { 'certificate-authority-data': 'AAAA' }, {}, /no PEM certificate/],
    [
      'a CA file that is missing',
      { 'certificate-authority': 'nope.crt' },
      {},
      /cannot read .*: there is no such file/,
    ],
    [
      'a token file that is missing',
      {},
      { tokenFile: 'nope' },
      /cannot read tokenFile .*: there is no such file/,
    ],
    ['a token with spaces', {}, { token: 'a b' }, /spaces/],
    ['a token of 1 MB', {}, { token: 'a'.repeat(1_000_000) }, /1000000 characters/],
    ['a key without a certificate', {}, { 'client-key-data': 'AAAA' }, /key without its certificate/],
    ['impersonation', {}, { token: 'a', as: 'admin' }, /uses as, which is not supported/],
    ['a dropped plugin kind', {}, { 'auth-provider': { name: 'gcp' } }, /uses auth-provider/],
  ])('refuses %s in one line', async (_, cluster, user, message) => {
    const error = await reach(write('bad', cluster, user)).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(UsageError)
    expect((error as Error).message).toMatch(message)
    expect((error as Error).message).not.toContain('\n')
  })
})

describe('a credential plugin', () => {
  it('returns a token and gets the same input as from kubectl', async () => {
    const script =
      'const info = JSON.parse(process.env.KUBERNETES_EXEC_INFO);' +
      'process.stdout.write(JSON.stringify({ kind: "ExecCredential", apiVersion: info.apiVersion,' +
      ' status: { token: [process.env.MINE, info.spec.cluster.server, info.spec.interactive].join("|") } }))'
    const exec = {
      apiVersion: 'client.authentication.k8s.io/v1beta1',
      command: process.execPath,
      args: ['-e', script],
      env: [{ name: 'MINE', value: 'given' }],
      provideClusterInfo: true,
      interactiveMode: 'IfAvailable',
    }
    expect((await reach(write('exec', {}, { exec }))).credential).toMatchObject({
      token: 'given|https://k.example:6443|false',
    })
  })

  it('is run without a shell', async () => {
    const command = `${process.execPath} -e 0; echo hi`
    const exec = { apiVersion: 'client.authentication.k8s.io/v1', command }
    const run = reach(write('shell', {}, { exec }))
    await expect(run).rejects.toThrow(/cannot run the credential plugin .*: there is no such program/)
  })

  const OLD = credential({ token: 'a' }).replace('/v1"', '/v1beta1"')
  it.each([
    ['that prints nothing', plugin(''), /printed nothing/],
    ['that prints no JSON', plugin('hello'), /printed no JSON/],
    ['that prints another kind', plugin('{"kind":"Pod"}'), /no ExecCredential/],
    ['of another version', plugin(OLD), /another version/],
    ['without a token', plugin(credential({})), /without token/],
    ['that fails', plugin('', { exit: 3 }), /ended with 3/],
    ['of an unknown version', plugin('', { apiVersion: 'v9' }), /exec.apiVersion "v9"/],
    ['that asks nobody', { exec: { ...plugin('').exec, interactiveMode: 'Always' } }, /nobody sits/],
    ['without a command', { exec: {} }, /exec has no command/],
  ] as const)('%s is a usage error', async (_, user, message) => {
    const error = await reach(write('exec', {}, user)).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ kind: 'usage', message: expect.stringMatching(message) })
  })

  it('is killed when it takes too long', async () => {
    const exec = { ...plugin('').exec, args: ['-e', 'setInterval(() => {}, 1000)'] }
    const late = reach(write('exec', {}, { exec }), { timeoutMs: 300 })
    await expect(late).rejects.toMatchObject({ kind: 'timeout' })
  })
})

describe('finding a kubeconfig', () => {
  const list = (...files: readonly string[]) => ({ env: { KUBECONFIG: files.map(path).join(':') } })

  it('merges the list in KUBECONFIG: the first of a name wins, missing files are skipped', async () => {
    writeFileSync(
      path('one'),
      'contexts: [{name: a, context: {cluster: x, user: y}}]\nusers: [{name: y, user: {token: first}}]\n',
    )
    writeFileSync(
      path('two'),
      'current-context: a\nclusters: [{name: x, cluster: {server: "https://x"}}]\nusers: [{name: y, user: {token: second}}]\n',
    )
    const config = await loadKubeconfig(list('missing', 'one', 'two'))
    expect(config.files).toEqual([path('one'), path('two')])
    const access = await accessOf(chooseContext(config, undefined), ports, {})
    expect(access).toMatchObject({ server: 'https://x', credential: { token: 'first' } })
  })

  it('names the files it tried', async () => {
    await expect(loadKubeconfig({ env: { HOME: folder.path } })).rejects.toThrow(
      join(folder.path, '.kube/config'),
    )
    await expect(loadKubeconfig(list('missing'))).rejects.toThrow(/no kubeconfig: looked for .*missing/)
    await expect(loadKubeconfig({ file: path('missing'), env: {} })).rejects.toThrow(/there is no kubeconfig/)
    await expect(loadKubeconfig({ file: folder.path, env: {} })).rejects.toThrow(/is a folder/)
  })

  it('lists the contexts for one that is not there', async () => {
    const config = await loadKubeconfig(list('one', 'two'))
    expect(() => chooseContext(config, 'prod')).toThrow(expect.objectContaining({ hints: ['There are: a'] }))
  })

  it.each([
    ['', /is empty/],
    ['kind: Deployment', /no kubeconfig but a Deployment/],
    ['- 1', /no kubeconfig but something else/],
    ['hello: world', /has no clusters, users or contexts/],
    ['a: [', /is not YAML/],
    ['clusters: 7', /clusters is no list/],
    ['clusters: [{cluster: {}}]', /clusters\[0\] has no name/],
    ['users: [{name: u, user: {token: 7}}]', /the user u: token is no text/],
    ['users: [{name: u, user: {exec: {command: c, args: [1]}}}]', /exec.args is no list of texts/],
  ])('refuses %j', (text, message) => expect(parseKubeconfig(text, '/file')).rejects.toThrow(message))

  it('reads or refuses any text', () =>
    forAll(fc.oneof(fc.string(), fc.json(), fc.constant('users: [{name: a, user: }]')), async text => {
      const result = await parseKubeconfig(text, '/file').catch((error: unknown) => error)
      if (result instanceof Error) expect(result).toBeInstanceOf(UsageError)
    }))
})

it('the files of a pod name the cluster it runs in', async () => {
  const pod = path('pod')
  mkdirSync(pod, { recursive: true })
  const env = { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '6443' }
  expect(await inClusterAccess(env, pod)).toBeUndefined()
  const files = { token: 'pod-token\n', 'ca.crt': pems.ca, namespace: 'here' }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(pod, name), text)
  expect(await inClusterAccess(env, pod)).toMatchObject({
    server: 'https://[fd00::1]:6443',
    caPem: pems.ca,
    namespace: 'here',
    credential: { kind: 'bearer', token: 'pod-token' },
  })
  expect(await inClusterAccess({}, pod)).toBeUndefined()
})
