import { execFile, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findRecipe, loadRecipes } from '../../../src/commands/connect/recipes.js'
import { startLab } from '../../../src/lab/lab.js'
import { loadLabConfig } from '../../../src/lab/lab-file/config.js'
import { withOverrides } from '../../../src/lab/lab-file/overrides.js'
import type { Lab } from '../../../src/lab/model.js'
import { freePort } from '../../support/free-ports.js'
import { ask } from '../../support/https.js'
import { until } from '../../support/program.js'
import { folderOf } from '../issuers/download.js'

const run = promisify(execFile)
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const cache = (path: string) => here(`../../../node_modules/.cache/cluster-clients/${path}`)

// .ci/cluster-clients installs the programs, and names the languages that are ready.
const ready = (process.env.OAUTH_LAB_CLUSTER_CLIENTS ?? '').split(' ')
const needs = (language: string) => describe.skipIf(!ready.includes(language))

const TOKEN = 'lab-admin-token'
const CORE = '/api/v1/namespaces/lab'
const RBAC = '/apis/rbac.authorization.k8s.io/v1'

let lab: Lab
let home = ''
let ca = ''
let env: NodeJS.ProcessEnv = {}
/** The number of objects of each kind. */
const counts: Record<string, number> = {}

async function api<Body>(method: string, path: string, body?: object): Promise<Body> {
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' }
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  const answer = await ask(`${lab.urls.cluster}${path}`, { ca: lab.caPem, method, headers, ...sent })
  if (answer.status >= 400) throw new Error(answer.body)
  return JSON.parse(answer.body) as Body
}

/** A token of a service account. */
async function tokenOf(account: string): Promise<string> {
  const path = `${CORE}/serviceaccounts/${account}/token`
  return (await api<{ status: { token: string } }>('POST', path, { spec: {} })).status.token
}

const subjects = (name: string) => [{ kind: 'ServiceAccount', namespace: 'lab', name }]
const roleRef = (name: string) => ({ apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name })

/** An object of each kind of which the lab has none at the start. */
async function addObjects(): Promise<void> {
  const metadata = {
    name: 'listed',
    labels: { a: 'b' },
    annotations: { c: 'd' },
    finalizers: ['x.example/y'],
  }
  await api('POST', `${CORE}/configmaps`, { metadata, data: { a: 'b' }, binaryData: { c: 'ZA==' } })
  await api('POST', `${CORE}/events`, {
    metadata,
    involvedObject: { kind: 'Pod', name: 'web-0', namespace: 'lab' },
    type: 'Normal',
    reason: 'Test',
    message: 'm',
    eventTime: '2026-01-01T00:00:00.000001Z',
    count: 1,
  })
  await api('POST', `${CORE}/secrets`, {
    metadata: { generateName: 'token-', annotations: { 'kubernetes.io/service-account.name': 'demo' } },
    type: 'kubernetes.io/service-account-token',
  })
  await api('POST', '/apis/coordination.k8s.io/v1/namespaces/lab/leases', {
    metadata,
    spec: { holderIdentity: 'a', leaseDurationSeconds: 15, renewTime: '2026-01-01T00:00:00.000000Z' },
  })
  await api('POST', `${RBAC}/namespaces/lab/roles`, {
    metadata,
    rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }],
  })
  await api('POST', `${RBAC}/namespaces/lab/rolebindings`, {
    metadata,
    roleRef: roleRef('view'),
    subjects: subjects('demo'),
  })
  const groups = {
    api: ['configmaps', 'events', 'namespaces', 'nodes', 'pods', 'secrets', 'serviceaccounts', 'services'],
    'apis/rbac.authorization.k8s.io': ['clusterroles', 'clusterrolebindings', 'roles', 'rolebindings'],
    'apis/coordination.k8s.io': ['leases'],
  }
  for (const [group, names] of Object.entries(groups)) {
    for (const name of names)
      counts[name] = (await api<{ items: object[] }>('GET', `/${group}/v1/${name}`)).items.length
  }
}

describe.skipIf(process.env.OAUTH_LAB_CLUSTER_CLIENTS === undefined)(
  'the cluster with clients of others (npm run cluster-clients)',
  () => {
    beforeAll(async () => {
      home = mkdtempSync(join(tmpdir(), 'oauth-lab-cluster-clients-'))
      const config = withOverrides(
        await loadLabConfig(null),
        { publicDiscovery: true, anonymous: true, clusterOidc: true },
        {},
      )
      lab = await startLab({ config, home, ports: { authorization: 0, cluster: 0 } })
      ca = join(home, 'rig-ca.pem')
      writeFileSync(ca, lab.caPem)
      env = { ...process.env, HOME: home, NODE_EXTRA_CA_CERTS: ca }
    })
    afterAll(async () => {
      await lab.stop()
      rmSync(home, { recursive: true })
    })

    /** Runs a program with the address, the CA and the administrator's token, and returns the JSON that it prints. */
    async function answers(program: string, args: readonly string[], more: object = {}): Promise<unknown> {
      const { stdout } = await run(program, [...args, lab.urls.cluster!, ca, TOKEN], {
        env: { ...env, ...more },
        timeout: 100_000,
      })
      return JSON.parse(stdout)
    }

    const kubeconfig = (name: string, user: object) => {
      const file = join(home, `${name}.kubeconfig`)
      const cluster = { server: lab.urls.cluster, 'certificate-authority': ca }
      const context = { cluster: 'lab', user: name, namespace: 'lab' }
      writeFileSync(
        file,
        JSON.stringify({
          apiVersion: 'v1',
          kind: 'Config',
          'current-context': 'lab',
          clusters: [{ name: 'lab', cluster }],
          contexts: [{ name: 'lab', context }],
          users: [{ name, user }],
        }),
      )
      return file
    }

    needs('go')('in Go', () => {
      const go = cache('go/cluster-clients')

      it.each(['false', 'true'])(
        'client-go 0.34 informs of changes (streaming lists: %s)',
        async streaming => {
          const seen = await answers(go, ['informers'], { KUBE_FEATURE_WatchListClient: streaming })
          expect(seen).toEqual({
            events: ['added   1', 'updated x  1', 'updated x y 1', 'updated x y 2', 'deleted x y 2'],
            conflict: true,
            stale: true,
            // A list, a watch of a version that is forgotten, a new list and a new watch; or one watch.
            ...(streaming === 'true' ? { gone: 0, lists: 0, watches: 1 } : { gone: 1, lists: 2, watches: 2 }),
            left: 0,
          })
        },
        60_000,
      )

      it('client-go reads pages, and writes a status', async () => {
        expect(await answers(go, ['lists'])).toEqual({
          remaining: 4,
          unknown: true,
          pages: 3,
          names: [0, 1, 2, 3, 4, 5, 6].map(each => `paged-${each}`),
          bad: true,
          status: ['written', 'status'],
          afterwards: ['written', 'update'],
        })
      }, 60_000)

      it('client-go creates the same pods in protobuf and in JSON', async () => {
        expect(await answers(go, ['pods'])).toEqual({ different: [] })
      }, 60_000)

      it('client-go creates the same objects of other kinds in both forms', async () => {
        expect(await answers(go, ['kinds'])).toEqual({ different: [] })
      }, 60_000)

      it('controller-runtime 0.22 elects a leader, and the next one', async () => {
        expect(await answers(go, ['leaders'])).toEqual({
          led: true,
          early: false,
          took: true,
          changed: true,
          transitions: 1,
          events: true,
        })
      }, 60_000)

      it('Vault’s Kubernetes auth method logs accounts in', async () => {
        expect(await answers(go, ['vault'])).toEqual({
          alias: true,
          audience: expect.stringContaining('invalid audience (aud) claim'),
          account: 'service account name not authorized',
          reviewer: 'permission denied',
          own: 'permission denied',
        })
      }, 60_000)

      it('kube-rbac-proxy 0.19 asks who the sender is, and what it may do', async () => {
        const upstream = createServer((_, answer) => answer.end('upstream')).listen(0, '127.0.0.1')
        await api('POST', `${RBAC}/clusterrolebindings`, {
          metadata: { name: 'proxy' },
          roleRef: roleRef('system:auth-delegator'),
          subjects: subjects('builder'),
        })
        await api('POST', `${RBAC}/namespaces/lab/rolebindings`, {
          metadata: { name: 'proxied' },
          roleRef: roleRef('view'),
          subjects: subjects('demo'),
        })
        const config = join(home, 'kube-rbac-proxy.json')
        const resourceAttributes = { namespace: 'lab', apiVersion: 'v1', resource: 'pods' }
        writeFileSync(config, JSON.stringify({ authorization: { resourceAttributes } }))
        const address = `127.0.0.1:${await freePort()}`
        const proxy = spawn(
          cache('go/kube-rbac-proxy'),
          [
            `--insecure-listen-address=${address}`,
            `--upstream=http://127.0.0.1:${(upstream.address() as AddressInfo).port}/`,
            `--kubeconfig=${kubeconfig('proxy', { token: await tokenOf('builder') })}`,
            `--config-file=${config}`,
          ],
          { env, stdio: 'ignore' },
        )
        const status = async (bearer?: string) => {
          const headers = bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }
          return (await ask(`http://${address}/`, { headers })).status
        }
        try {
          await until(
            () => status().catch(() => undefined),
            () => 'kube-rbac-proxy does not listen',
          )
          const senders = [await tokenOf('demo'), await tokenOf('other'), 'nonsense', undefined]
          expect(await Promise.all(senders.map(status))).toEqual([200, 403, 401, 401])
          // The verb is that of the request.
          const headers = { authorization: `Bearer ${senders[0]}` }
          expect((await ask(`http://${address}/`, { method: 'POST', headers })).status).toBe(403)
        } finally {
          proxy.kill()
          upstream.close()
        }
      }, 60_000)

      it('kubelogin 1.28 logs alice in at the lab', async () => {
        const browser = join(home, 'browser')
        writeFileSync(browser, `#!/bin/sh\nexec '${process.execPath}' '${here('browser.js')}' "$1"\n`, {
          mode: 0o755,
        })
        const args = [
          ...['get-token', `--oidc-issuer-url=${lab.urls.authorization}`, '--oidc-client-id=kubernetes'],
          ...[
            `--certificate-authority=${ca}`,
            '--listen-address=127.0.0.1:0',
            `--browser-command=${browser}`,
          ],
          ...['--oidc-extra-scope=offline_access', `--token-cache-dir=${join(home, 'kubelogin')}`],
        ]
        const { stdout } = await run(cache('go/kubelogin'), args, { env, timeout: 40_000 })
        const { token } = (JSON.parse(stdout) as { status: { token: string } }).status
        const whoAmI = await ask(`${lab.urls.cluster}/apis/authentication.k8s.io/v1/selfsubjectreviews`, {
          ca: lab.caPem,
          method: 'POST',
          body: '{}',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        })
        expect(JSON.parse(whoAmI.body).status.userInfo.username).toBe('oidc:alice')

        const apiVersion = 'client.authentication.k8s.io/v1beta1'
        const exec = { apiVersion, command: cache('go/kubelogin'), args, interactiveMode: 'Never' }
        const pods = ['--kubeconfig', kubeconfig('alice', { exec }), 'get', 'pods', '-o', 'name']
        const refused = await run(cache('go/kubectl'), pods, { env }).catch(
          (error: { stderr: string }) => error,
        )
        expect(refused.stderr).toContain('User "oidc:alice" cannot list resource "pods"')
        await api('POST', `${RBAC}/namespaces/lab/rolebindings`, {
          metadata: { name: 'alice' },
          roleRef: roleRef('view'),
          subjects: [{ kind: 'User', name: 'oidc:alice' }],
        })
        expect((await run(cache('go/kubectl'), pods, { env })).stdout).toContain('pod/web-0\n')
      }, 60_000)

      it('kubelogin and kubectl, by the lines of oauth-lab connect', async () => {
        const folder = mkdtempSync(join(home, 'connect-'))
        symlinkSync(cache('go/kubelogin'), join(folder, 'kubectl-oidc_login'))
        symlinkSync(cache('go/kubectl'), join(folder, 'kubectl'))
        const browser = `#!/bin/sh\nexec '${process.execPath}' '${here('browser.js')}' "$1"\n`
        writeFileSync(join(folder, 'xdg-open'), browser, { mode: 0o755 })
        const { authorization: issuer, cluster = '', resource = '' } = lab.urls
        const place = { issuer, cluster, resource, mcp: '', ca, clientId: 'kubernetes' }
        const kubelogin = findRecipe(await loadRecipes(), 'kubelogin')!
        const parts = kubelogin.parts({ ...place, secretCommand: '', collectionCommand: '' })
        const script = parts.flatMap(part => part.lines).join('\n')
        const { stdout } = await run('bash', ['-ec', script], {
          cwd: folder,
          env: { ...env, HOME: folder, PATH: `${folder}:${process.env.PATH}` },
          timeout: 40_000,
        })
        expect(stdout).toContain('oidc:alice')
      }, 60_000)
    })

    needs('java')('in Java', () => {
      it('fabric8 7.4 informs of changes, though its watch begins as a WebSocket', async () => {
        const jars = join(folderOf('fabric8'), '*')
        expect(await answers('java', ['-cp', jars, here('Fabric8Client.java')])).toEqual({
          watching: true,
          events: ['added {} {}', 'updated {app=x} {}', 'updated {app=x} {a=b}', 'deleted {app=x} {a=b}'],
        })
      }, 100_000)
    })

    needs('rust')('in Rust', () => {
      it('kube-rs 2.0 watches with lists, pages and streaming lists', async () => {
        const { stdout } = await run(cache('rust/debug/cluster-clients'), [
          kubeconfig('rust', { token: TOKEN }),
        ])
        const seen = ['{} {}', '{"app": "x"} {}', '{"app": "x"} {"a": "b"}', 'deleted']
        expect(JSON.parse(stdout)).toEqual([seen, seen, seen])
      }, 60_000)
    })

    describe('strict decoders', () => {
      beforeAll(addObjects)

      needs('python')('in Python', () => {
        it('kubernetes 37 and lightkube 1.0 read every kind', async () => {
          expect(await answers(cache('python/bin/python'), [here('python-clients.py')])).toEqual({
            official: counts,
            light: counts,
            watched: ['ADDED', 'MODIFIED', 'DELETED'],
          })
        }, 60_000)
      })

      needs('java')('in Java', () => {
        it('the official client 27 reads every kind, and informs of changes', async () => {
          const jars = join(folderOf('kubernetes-client-java'), '*')
          expect(await answers('java', ['-cp', jars, here('JavaClient.java')])).toEqual({
            ...counts,
            watched: ['added {}', 'updated {app=x}', 'deleted {app=x}'],
          })
        }, 100_000)
      })
    })
  },
)
