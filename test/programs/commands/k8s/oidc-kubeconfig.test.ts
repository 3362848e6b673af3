import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { ask } from '../../../support/https.js'
import { runHere } from '../../../support/in-process.js'
import { cleanEnv, temporaryFolder } from '../../../support/program.js'
import { withoutLabLine } from '../../../support/serve.js'
import { sharedLab, testLab } from '../../../support/shared.js'

interface Kubeconfig {
  readonly clusters: readonly { readonly cluster: Readonly<Record<string, string>> }[]
  readonly contexts: readonly { readonly context: Readonly<Record<string, string>> }[]
  readonly users: readonly {
    readonly name: string
    readonly user: {
      readonly 'auth-provider': { readonly name: string; readonly config: Record<string, string> }
    }
  }[]
}

async function kubeconfig(args: readonly string[], env: Record<string, string>) {
  const said = await runHere(['k8s', 'kubeconfig', ...args], { env })
  return { ...said, stderr: withoutLabLine(said.stderr) }
}

describe('k8s kubeconfig --oidc', () => {
  const lab = sharedLab(['--cluster-port', '0', '--cluster-oidc'])

  it.each(['yaml', 'json'])(
    'logs a user in and prints a file with tokens that kubectl renews, as %s',
    async form => {
      const args = ['--oidc', '--user', 'alice', '-n', 'lab', '-o', form]
      const { code, stdout, stderr } = await kubeconfig(args, lab.env)
      expect(code, stderr).toBe(0)
      const { clusters, contexts, users } = parse(stdout) as Kubeconfig
      const { name, user } = users[0]!
      const provider = user['auth-provider']
      expect([name, provider.name, contexts[0]?.context.namespace]).toEqual(['alice', 'oidc', 'lab'])
      expect(clusters[0]?.cluster.server).toBe(lab.ready.urls.cluster)
      expect(provider.config).toEqual({
        'idp-issuer-url': lab.ready.urls.authorization,
        'idp-certificate-authority-data': expect.any(String),
        'client-id': 'kubernetes',
        'id-token': expect.stringMatching(/^eyJ/),
        'refresh-token': expect.any(String),
      })
      const ca = Buffer.from(clusters[0]!.cluster['certificate-authority-data']!, 'base64').toString()
      const answer = await ask(`${lab.ready.urls.cluster}/apis/authentication.k8s.io/v1/selfsubjectreviews`, {
        ca,
        method: 'POST',
        body: '{}',
        headers: {
          authorization: `Bearer ${provider.config['id-token']}`,
          'content-type': 'application/json',
        },
      })
      expect(JSON.parse(answer.body).status.userInfo.username).toBe('oidc:alice')
      // The token goes to stdout alone.
      expect(stderr).toContain('Keep the output in a file')
      expect(stderr).not.toMatch(/eyJ/)
    },
  )

  it('refuses a person that nobody knows in one line', async () => {
    const { code, stdout, stderr } = await kubeconfig(['--oidc', '--user', 'nobody'], lab.env)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr.split('\n')[0]).toContain('nobody')
  })
})

describe('k8s kubeconfig --oidc where it cannot work', () => {
  it('needs a running lab, and says how to start one', async () => {
    const home = temporaryFolder()
    try {
      const { code, stdout, stderr } = await kubeconfig(['--oidc'], cleanEnv(home.path))
      expect([code, stdout]).toEqual([2, ''])
      expect(stderr).toContain('no lab with a cluster is running')
      expect(stderr).toContain('oauth-lab serve --cluster-oidc')
    } finally {
      home.remove()
    }
  })

  it('needs the client of the command line, and says how to have it', async () => {
    const lab = await testLab(['--cluster-port', '0'])
    const { code, stdout, stderr } = await kubeconfig(['--oidc', '--user', 'alice'], lab.env)
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toContain('the login brought no ID token')
    expect(stderr).toContain('oauth-lab serve --cluster-oidc')
  })
})
