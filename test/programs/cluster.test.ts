import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { ask } from '../support/https.js'
import { run, runProgram } from '../support/program.js'
import { findProgram } from '../support/requires.js'
import { sharedLab } from '../support/shared.js'

const lab = sharedLab(['--cluster-oidc'])

// No package source of a plain machine has kubectl: where it is missing, the recordings of what it sends are replayed
// all the same (test/servers/kubernetes/recordings.test.ts), and these are skipped even where everything else is required.
const kubectlFile = findProgram('kubectl')
const withKubectl = kubectlFile === undefined ? describe.skip : describe
withKubectl(
  `kubectl${kubectlFile === undefined ? ' (skipped: not installed, and in no package source)' : ''}`,
  () => {
    let folder = ''
    beforeAll(() => {
      folder = dirname(lab.ready.ca)
      const user = (name: string, token: string) => ({ name, user: { token } })
      const context = (name: string) => ({ name, context: { cluster: 'lab', user: name } })
      writeFileSync(
        join(folder, 'kubeconfig'),
        JSON.stringify({
          apiVersion: 'v1',
          kind: 'Config',
          'current-context': 'admin',
          clusters: [
            {
              name: 'lab',
              cluster: { server: lab.ready.urls.cluster, 'certificate-authority': lab.ready.ca },
            },
          ],
          users: [user('admin', 'lab-admin-token'), user('limited', 'lab-limited-token')],
          contexts: [context('admin'), context('limited')],
        }),
      )
    })

    const kubectl = async (...args: string[]) => {
      const env = { ...lab.env, HOME: folder, KUBECONFIG: join(folder, 'kubeconfig') }
      const { code, stdout, stderr } = await run(kubectlFile ?? 'kubectl', args, { env })
      return { code, stdout, stderr }
    }
    const inLab = ['-n', 'lab']
    const reviewFile = (token: string, audience: string) => {
      const file = join(folder, `review-${audience}.json`)
      const spec = { token, audiences: [audience] }
      const kind = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview' }
      writeFileSync(file, JSON.stringify({ ...kind, metadata: { name: 'check' }, spec }))
      return file
    }

    it('creates a token that reviews as authenticated for its audience and refused for another', async () => {
      const made = await kubectl(
        'create',
        'token',
        'demo',
        ...inLab,
        '--audience',
        'api',
        '--duration',
        '10m',
      )
      expect(made).toMatchObject({
        code: 0,
        stderr: '',
        stdout: expect.stringMatching(/^eyJ[\w-]+\.[\w-]+\.[\w-]+$/),
      })
      for (const extra of [[], ['--validate=false']]) {
        const good = await kubectl('create', '-f', reviewFile(made.stdout, 'api'), '-o', 'json', ...extra)
        expect(JSON.parse(good.stdout).status).toMatchObject({ authenticated: true, audiences: ['api'] })
      }
      const other = await kubectl('create', '-f', reviewFile(made.stdout, 'other'), '-o', 'json')
      expect([other.code, JSON.parse(other.stdout).status]).toEqual([
        0,
        {
          user: {},
          error:
            '[invalid bearer token, token audiences ["api"] is invalid for the target audiences ["other"]]',
        },
      ])
      const raw = ['create', '--raw', '/apis/authentication.k8s.io/v1/tokenreviews']
      const { stdout } = await kubectl(...raw, '-f', reviewFile(made.stdout, 'api'))
      expect(JSON.parse(stdout).status.authenticated).toBe(true)
    })

    it.each([
      ['token nope -n lab', 'error: failed to create token: serviceaccounts "nope" not found\n'],
      [
        'token demo -n lab --duration 5m',
        'error: failed to create token: TokenRequest.authentication.k8s.io "" is invalid: spec.expirationSeconds: Invalid value: 300: may not specify a duration less than 10 minutes\n',
      ],
      [
        'token demo -n lab --bound-object-kind Pod --bound-object-name p',
        'error: failed to create token: pods "p" not found\n',
      ],
      ['sa demo -n lab', 'error: failed to create serviceaccount: serviceaccounts "demo" already exists\n'],
    ])('create %s is refused as by a real server', async (words, stderr) => {
      expect(await kubectl('create', ...words.split(' '))).toEqual({ code: 1, stdout: '', stderr })
    })

    it('warns of a shortened lifetime', async () => {
      const { code, stderr } = await kubectl('create', 'token', 'demo', '--duration', '1000h')
      expect([code, stderr]).toEqual([
        0,
        'Warning: requested expiration of 3600000 seconds shortened to 172800 seconds\n',
      ])
    })

    it.each([
      ['auth whoami', 'Username    admin'],
      ['auth can-i create serviceaccounts --subresource=token -n lab', 'yes\n'],
      ['auth can-i --list -n lab', 'selfsubjectreviews.authentication.k8s.io'],
      ['get sa -A', 'NAMESPACE   NAME      SECRETS   AGE\n'],
      ['get sa demo -n lab -o yaml', 'kind: ServiceAccount\n'],
      ['get ns', 'lab       Active'],
      ['get nodes', 'node-1   Ready    <none>   '],
      ['get pods -A', 'web-0   1/1     Running'],
      ['get --raw /openid/v1/jwks', '{"keys":[{"use":"sig","kty":"RSA","kid":"'],
      ['get --raw /.well-known/openid-configuration', '"subject_types_supported":["public"]'],
      ['version', 'Server Version: v1.32.13\n'],
      ['cluster-info', 'Kubernetes control plane is running at https://localhost:'],
      [
        'api-versions',
        'authentication.k8s.io/v1\nauthorization.k8s.io/v1\ncoordination.k8s.io/v1\nrbac.authorization.k8s.io/v1\nv1\n',
      ],
      ['auth can-i delete nodes --as bob', 'no\n'],
      ['auth whoami --as alice --as-group dev', 'Groups      [dev system:authenticated]'],
      ['create rolebinding reads --clusterrole view --serviceaccount lab:demo -n lab', 'reads created'],
      ['auth can-i list pods -n lab --as system:serviceaccount:lab:demo', 'yes\n'],
      ['get pods -n lab --as system:serviceaccount:lab:demo', 'web-0'],
      ['get clusterrole view -o yaml', '- configmaps'],
      ['get clusterroles --chunk-size 3', 'view'],
      [
        'patch pod web-0 -n lab --subresource status --type merge -p {"status":{"message":"m"}}',
        'pod/web-0 patched',
      ],
      ['create clusterrole reader --verb get --resource pods', 'reader created'],
      ['create cm kept --from-literal a=b', 'configmap/kept created'],
      ['label cm kept app=x', 'configmap/kept labeled'],
      ['annotate cm kept note=y', 'configmap/kept annotated'],
      ['get cm -l app=x', 'kept   1      '],
      ['patch cm kept --type json -p [{"op":"add","path":"/data/c","value":"d"}]', 'configmap/kept patched'],
      ['delete cm --all', 'configmap "kept" deleted'],
      ['api-resources', 'true         ServiceAccount\n'],
      ['explain tokenreview.spec', 'FIELD: spec <TokenReviewSpec>\n'],
      ['create ns newns', 'namespace/newns created\n'],
      ['create sa newsa -n newns', 'serviceaccount/newsa created\n'],
      ['delete sa newsa -n newns', 'serviceaccount "newsa" deleted'],
      ['delete ns newns', 'namespace "newns" deleted'],
    ])('%s', async (words, shown) => {
      const { code, stdout, stderr } = await kubectl(...words.split(' '))
      expect({ code, stderr, stdout }).toEqual({
        code: words.includes('--as bob') ? 1 : 0,
        stderr: expect.any(String),
        stdout: expect.stringContaining(shown),
      })
    })

    it('is refused where its user may not', async () => {
      const { code, stderr } = await kubectl('--context', 'limited', 'get', 'pods', '-A')
      expect([code, stderr]).toEqual([
        1,
        'Error from server (Forbidden): pods is forbidden: User "limited" cannot list resource "pods" in API group "" at the cluster scope\n',
      ])
      expect((await kubectl('--context', 'limited', 'auth', 'can-i', 'get', 'pods')).stdout).toBe('no\n')
    })

    it('applies a changed file, on the client and on the server', async () => {
      const file = join(folder, 'applied.json')
      const write = (data: object) => {
        const metadata = { name: 'applied' }
        writeFileSync(file, JSON.stringify({ kind: 'ConfigMap', apiVersion: 'v1', metadata, data }))
      }
      const data = async () => (await kubectl('get', 'cm', 'applied', '-o', 'jsonpath={.data}')).stdout
      for (const more of [[], ['--server-side', '--force-conflicts']]) {
        write({ a: '1', b: '2' })
        expect(await kubectl('apply', '-f', file, ...more)).toMatchObject({ code: 0, stderr: '' })
        write({ a: '3' })
        expect(await kubectl('apply', '-f', file, ...more)).toMatchObject({ code: 0, stderr: '' })
        expect(await data()).toBe('{"a":"3"}')
        await kubectl('delete', 'cm', 'applied')
      }
    })

    it('works as a person who logged in at the lab, once a role allows it', async () => {
      const login = ['k8s', 'kubeconfig', '--oidc', '--user', 'alice', '-n', 'lab']
      const { code, stdout, stderr } = await runProgram(login, { env: lab.env })
      expect(code, stderr).toBe(0)
      const file = join(folder, 'alice.kubeconfig')
      writeFileSync(file, stdout, { mode: 0o600 })
      const alice = (...args: string[]) => kubectl('--kubeconfig', file, ...args)
      expect((await alice('auth', 'whoami')).stdout).toMatch(/Username +oidc:alice\n/)
      expect(await alice('get', 'pods')).toMatchObject({
        code: 1,
        stderr:
          'Error from server (Forbidden): pods is forbidden: User "oidc:alice" cannot list resource "pods" in API group "" in the namespace "lab"\n',
      })
      const bind = ['create', 'rolebinding', 'alice', '--clusterrole', 'view', '--user', 'oidc:alice']
      await kubectl(...bind, ...inLab)
      expect((await alice('get', 'pods')).stdout).toContain('web-0')
      expect((await alice('auth', 'can-i', 'delete', 'pods')).stdout).toBe('no\n')
      // An ID token that has ended is renewed by the refresh token, which kubectl keeps in the file.
      const ended = stdout.replace(/id-token: \S+/, 'id-token: eyJhbGciOiJub25lIn0.eyJleHAiOjF9.x')
      expect(ended).not.toBe(stdout)
      writeFileSync(file, ended)
      expect((await alice('get', 'pods')).stdout).toContain('web-0')
      expect(readFileSync(file, 'utf8')).not.toContain('eyJhbGciOiJub25lIn0')
    })

    it('waits for a change', async () => {
      await kubectl('create', 'cm', 'waited')
      const waiting = kubectl(
        'wait',
        '--for=jsonpath={.metadata.labels.done}=yes',
        'cm/waited',
        '--timeout=20s',
      )
      await kubectl('label', 'cm', 'waited', 'done=yes')
      expect(await waiting).toMatchObject({ code: 0, stdout: 'configmap/waited condition met\n' })
    })

    it('refuses a token after its pod was deleted', async () => {
      const bound = ['--bound-object-kind', 'Pod', '--bound-object-name', 'web-0', '--audience', 'api']
      const { stdout: token } = await kubectl('create', 'token', 'demo', ...inLab, ...bound)
      await kubectl('delete', 'pod', 'web-0', ...inLab)
      const { stdout } = await kubectl('create', '-f', reviewFile(token, 'api'), '-o', 'json')
      expect(JSON.parse(stdout).status.error).toBe(
        '[invalid bearer token, service account token has been invalidated]',
      )
    })
  },
)

describe('the issuer of the cluster', () => {
  it('is one that verifiers of any JWT can follow', async () => {
    const { cluster } = lab.ready.urls
    const requested = await ask(`${cluster}/api/v1/namespaces/lab/serviceaccounts/demo/token`, {
      ca: readFileSync(lab.ready.ca, 'utf8'),
      method: 'POST',
      headers: { authorization: 'Bearer lab-admin-token' },
      body: JSON.stringify({ spec: { audiences: ['vault'] } }),
    })
    const { token } = JSON.parse(requested.body).status
    const verify = ['jwt', 'verify', token, '--issuer', cluster, '--audience']
    expect((await runProgram([...verify, 'vault'], { env: lab.env })).code).toBe(0)
    expect((await runProgram([...verify, 'other'], { env: lab.env })).code).toBe(1)
  })
})

describe('the keys of the cluster', () => {
  it('are rotated while it runs; tokens of the old one stay good', async () => {
    const ca = readFileSync(lab.ready.ca, 'utf8')
    const { cluster } = lab.ready.urls
    const headers = { authorization: 'Bearer lab-admin-token', 'content-type': 'application/json' }
    const post = async (path: string, spec: object) =>
      JSON.parse(
        (await ask(`${cluster}${path}`, { ca, method: 'POST', headers, body: JSON.stringify({ spec }) }))
          .body,
      )
    const kids = async () =>
      (JSON.parse((await ask(`${cluster}/openid/v1/jwks`, { ca })).body).keys as { kid: string }[]).map(
        each => each.kid,
      )
    const before = await kids()
    const requested = await post('/api/v1/namespaces/lab/serviceaccounts/demo/token', {})
    const { code, stdout, stderr } = await runProgram(['keys', 'rotate', '--cluster'], { env: lab.env })
    expect(code).toBe(0)
    expect(stderr).toContain(`${cluster} signs with the new key from its next request on.`)
    expect(await kids()).toEqual([stdout.trim(), ...before])
    const { status } = await post('/apis/authentication.k8s.io/v1/tokenreviews', {
      token: requested.status.token,
    })
    expect(status.authenticated).toBe(true)
    const listed = await runProgram(['keys', 'list', '--cluster', '--json'], { env: lab.env })
    expect(JSON.parse(listed.stdout).keys).toMatchObject([
      { kid: stdout.trim(), state: 'signs' },
      { state: 'published' },
    ])
  })
})
