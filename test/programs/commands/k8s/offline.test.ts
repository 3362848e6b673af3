import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ends, programInHome, refused } from '../../../commands/support.js'
import { runHere } from '../../../support/in-process.js'

const { env } = programInHome()
const k8s = (args: readonly string[], input?: string) =>
  runHere(['k8s', ...args], { env: env(), ...(input !== undefined && { input }) })

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const jwt = (claims: object) => `${part({ alg: 'RS256', kid: 'k' })}.${part(claims)}.c2ln`

describe('without a running lab', () => {
  it('reviews the token of one process in the next', async () => {
    const { stdout: token, stderr } = await k8s(['token', '--audience', 'api'])
    expect(stderr).toContain('Started a lab for this command')
    expect((await k8s(['review', '-', '--audience', 'api'], token)).code).toBe(0)
    expect((await k8s(['review', '-', '--audience', 'other'], token)).code).toBe(1)
    expect((await k8s(['verify', '-', '--audience', 'api'], token)).code).toBe(0)
  })

  it('writes a kubeconfig for the lab that serve will start', async () => {
    const { code, stdout, stderr } = await k8s(['kubeconfig'])
    expect(code).toBe(0)
    expect(stdout).toContain('server: https://localhost:8445')
    expect(stderr).toContain('No lab is running')
    const file = join(env().HOME ?? '', 'mine')
    writeFileSync(file, 'my-own-token\n')
    const { stdout: own } = await k8s(['kubeconfig', '--bearer-file', file, '-o', 'json'])
    expect(JSON.parse(own).users).toEqual([{ name: 'oauth-lab', user: { token: 'my-own-token' } }])
  })

  it('says that a new object ends with the command', async () => {
    expect(await k8s(['accounts', 'create', 'brief'])).toMatchObject(ends(0, 'ended with this command'))
  })
})

describe('k8s inspect', () => {
  const claims = {
    iss: 'https://i',
    sub: 'system:serviceaccount:lab:demo',
    aud: ['api'],
    iat: 1_700_000_000,
    exp: 1_700_000_600,
    'kubernetes.io': {
      namespace: 'lab',
      serviceaccount: { name: 'demo', uid: 'u' },
      pod: { name: 'p', uid: 'v' },
    },
  }

  it('shows the account and the timeline of a token', async () => {
    const { code, stdout, stderr } = await k8s(['inspect', jwt(claims)])
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/Account +demo +uid u\nNamespace +lab\nBound to +pod p +uid v/)
    expect(stdout).toMatch(/80 % +2023-11-14 22:21:20Z/)
    expect(stdout).toMatch(/exp \+ 60 s +2023-11-14 22:24:20Z/)
    expect(stdout).toContain('issuer: the cluster')
    expect(stdout).toContain('it has expired')
  })

  it('prints one object with --json', async () => {
    const { stdout } = await k8s(['inspect', '-', '--json'], jwt(claims))
    expect(JSON.parse(stdout)).toMatchObject({
      service_account: { namespace: 'lab', name: 'demo', uid: 'u' },
      bound_to: { kind: 'pod', name: 'p' },
      timeline: [
        { name: 'iat' },
        { name: 'renewal', at: '2023-11-14T22:21:20.000Z' },
        { name: 'exp' },
        { name: 'leeway' },
      ],
    })
  })

  it('remarks on milliseconds, other tokens, and terminal codes', async () => {
    expect((await k8s(['inspect', jwt({ ...claims, exp: 1.7e12 })])).stdout).toContain('milliseconds')
    expect((await k8s(['inspect', jwt({ sub: 'alice' })])).stdout).toContain('no service account token')
    const wild = { ...claims, iss: '\u001b]0;x\u0007', aud: ['\u202e'] }
    const { stdout } = await k8s(['inspect', jwt(wild)])
    expect(stdout).not.toMatch(/[\u001b\u0007\u202e]/)
  })

  it.each([['static-token'], ['a.b'], ['@/nowhere'], ['a b.c']])('%j is a usage error', async text => {
    expect(await k8s(['inspect', text])).toMatchObject(refused(/^oauth-lab: /))
  })
})
