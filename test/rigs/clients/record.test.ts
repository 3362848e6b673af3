import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { jsonLines, runProgram } from '../../support/program.js'
import { describeWith, newestNode, newestNodePath, rigs } from '../../support/requires.js'
import { sharedLab } from '../../support/shared.js'

// Real clients are recorded while they log in to a lab. None of them is changed, and none prints anything else.

const lab = sharedLab()

let count = 0

/** Records a client program, and returns its output and the findings of its recording. */
async function record(name: string, args: readonly string[], node = process.execPath) {
  count += 1
  const env = { ...lab.env, NODE_EXTRA_CA_CERTS: lab.ready.ca, NODE_NO_WARNINGS: '1' }
  const file = join(lab.env.HOME ?? '', `${name}-${count}.har`)
  const program = [node, join(import.meta.dirname, `${name}.js`), lab.ready.urls.authorization, ...args]
  const recorded = await runProgram(['record', '-o', file, '--', ...program], { env })
  const { stdout } = await runProgram(['explain', file, '--json'], { env })
  const lines = jsonLines(stdout)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readFileSync(file, 'utf8')).not.toContain('wonderland')
  const findings = lines.filter(each => each.type === 'finding' && each.severity === 'fault')
  return {
    recorded,
    names: lines.filter(({ type }) => type === 'exchange').map(each => each.name),
    findings: findings.map(each => each.name),
  }
}

const ofMistake = {
  none: [],
  redirect: ['redirect-uri-differs'],
  verifier: ['verifier-differs'],
  twice: ['code-reused'],
} as const
const libraries = ['fetch', 'undici', 'axios', 'https', 'child', 'next'] as const
const rows = libraries.flatMap(library =>
  Object.entries(ofMistake).map(([mistake, findings]) => ({ library, mistake, findings })),
)

const expected = { none: '200\n', redirect: '400\n', verifier: '400\n', twice: '200 400\n' } as const

describeWith([rigs], 'a recorded login', () => {
  it.each(rows)('by $library with the mistake $mistake', async ({ library, mistake, findings }) => {
    const result = await record('recorded-login', [library, mistake])
    expect(result.recorded).toMatchObject({ code: 0, stdout: expected[mistake as keyof typeof expected] })
    expect(result.findings).toEqual(findings)
    expect(result.names).toEqual([
      'authorization_request',
      'authorization_request',
      ...(mistake === 'twice' ? ['token_request'] : []),
      'token_request',
    ])
  })

  it('of openid-client 6 has all of its exchanges, and names the code that was sent twice', async () => {
    const { recorded, names, findings } = await record('openid-client', ['basic'])
    expect(recorded.code).toBe(0)
    expect(JSON.parse(recorded.stdout)).toMatchObject({ sub: 'alice', again: { status: 400 } })
    expect(new Set(names)).toEqual(
      new Set([
        'discovery',
        'keys',
        'authorization_request',
        'token_request',
        'userinfo_request',
        'logout_request',
      ]),
    )
    expect(findings).toEqual(['code-reused'])
  })

  it('of passport-oauth2 has the callbacks that its server received, each once', async () => {
    const { recorded, names } = await record('passport-oauth2', [])
    expect(JSON.parse(recorded.stdout)).toMatchObject({ withPkce: { user: { sub: 'alice' } } })
    // Two logins, the second address of each loaded again.
    expect(names.filter(name => name === 'authorization_response').length).toBe(4)
  })

  it('of simple-oauth2 has the tokens that were refused after their end', async () => {
    const { recorded, findings } = await record('simple-oauth2', [])
    expect(JSON.parse(recorded.stdout)).toMatchObject({ service: 'records:write' })
    expect(findings).toContain('code-reused')
  })
})

describeWith([rigs, newestNode], 'a recorded login with the newest Node.js', () => {
  describe.each(libraries)('by %s', library => {
    it('has the exchanges and the mistake', async () => {
      const { recorded, findings } = await record('recorded-login', [library, 'redirect'], newestNodePath)
      expect([recorded.stdout, findings]).toEqual(['400\n', ['redirect-uri-differs']])
    })
  })
})
