import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { ask } from '../../support/https.js'
import { cleanEnv, runProgram, startProgram, until } from '../../support/program.js'
import { sharedFolder } from '../../support/shared.js'

const home = sharedFolder()
let env: Record<string, string>
beforeAll(() => {
  env = cleanEnv(home.path)
})

const LIMIT = 90_000

/** Runs a command with lines that are typed. */
const listen = (args: string, ...typed: readonly string[]) =>
  runProgram(
    [...args.split(' '), '--screen-reader'].filter(each => each !== ''),
    {
      env,
      limit: LIMIT,
      input: typed.map(line => `${line}\n`).join(''),
    },
  )

describe('--screen-reader', { timeout: LIMIT }, () => {
  it('of a flow tells a refused login as refused, and its details after the end', async () => {
    const typed = ['', 'd', 'r', '']
    const { code, stdout, stderr } = await listen('flow password --user alice:wrong', ...typed)
    expect(code).toBe(1)
    expect(stdout).toMatch(/^Step \d of \d, refused\. /m)
    const [, after = ''] = stdout.split(/^Refused: /m)
    expect(stderr).toContain('Press Enter to leave, r to repeat, d for details of the last step: ')
    expect(after).toMatch(/^username: alice, the resource owner\.$/m)
    expect(stdout.match(/^Refused: /gm)).toHaveLength(2)
    expect(stdout).not.toMatch(/\.\.(\s|$)/)
  })

  it('of a flow starts again with a wrong move that is chosen', async () => {
    const { code, stdout } = await listen('flow code', '', 't', '999', 'reuse-code')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^\d+ wrong moves\.$/m)
    expect(stdout).toMatch(/^There is no wrong move "999"\.$/m)
    expect(stdout).toMatch(/^Starts again with the wrong move reuse-code: .* 6 steps\.$/m)
    expect(stdout).toMatch(/^Refused: reuse-code as expected: 400 invalid_grant\.$/m)
  })

  it('of the wrong moves reads one at a time, with its details', async () => {
    const { code, stdout } = await listen('tamper list --flow refresh', '', 'd', 'r', 'q')
    expect(code).toBe(0)
    const lines = stdout.trimEnd().split('\n')
    expect(lines[0]).toMatch(/^Wrong move 1 of \d+\. [\w-]+: .*\. Expected: .*\.$/)
    expect(lines[2]).toMatch(/^Rule: RFC /)
    expect(lines[3]).toMatch(/^Where it is not refused: /)
    expect(lines.at(-1)).toBe(lines[1])
    expect(lines).toHaveLength(6)
  })

  it('of the compression lab reads each way and its reasons', async () => {
    const { code, stdout } = await listen('compress', 'd', '')
    expect(code).toBe(0)
    expect(stdout.match(/^Case [A-E], /gm)).toHaveLength(5)
    expect(stdout).toMatch(
      /^Case A, no proxy\. The client offers gzip\. Answer 200\. From server to client: gzip, [\d,]+ bytes\.$/m,
    )
    // A newer Node.js codes with dictionaries too.
    expect(stdout).toMatch(
      /^From server to client: Accept-Encoding gzip, Vary Accept-Encoding(?:, Available-Dictionary)?\.$/m,
    )
    expect(stdout).toMatch(/^The server sent gzip: /m)
  })

  it('of the menu numbers the commands, reads details and runs one', async () => {
    const first = await listen('', 'd flow code', 'nope', 'q')
    expect(first.code).toBe(0)
    expect(first.stdout).toMatch(/^Menu\. \d+ commands\.\nSee a login\.\n1\. flow code: .*\.$/m)
    expect(first.stdout).toMatch(/^Command line: oauth-lab flow code --client demo\.$/m)
    expect(first.stdout).toContain('There is no command "nope".\n')
    const { stdout } = await listen('', 'tamper list')
    expect(stdout).toMatch(/^\$ oauth-lab tamper list$/m)
    expect(stdout).toContain('unknown-client')
    expect(stdout).toMatch(/^The command ended with exit code 0\.$/m)
  })

  it('of serve reads each decision once, repeats it, and reads its members', async () => {
    const ports = ['--port', '--http-port', '--resource-port', '--cluster-port', '--dns-port']
    const args = ['serve', '--screen-reader', ...ports.flatMap(option => [option, '0'])]
    const serving = startProgram(args, { env, limit: LIMIT, input: null })
    const seen = (text: string | RegExp) =>
      until(
        () => serving.stdout().match(text) ?? undefined,
        () => serving.stdout() + serving.stderr(),
      )
    const type = (line: string) => serving.child.stdin.write(`${line}\n`)
    await seen('Type r and Enter to repeat the last event')
    const [, issuer = ''] = await seen(/^authorization server {2}(\S+)$/m)
    const [, file = ''] = await seen(/^CA file {2,}(\S+)$/m)
    const ca = readFileSync(file, 'utf8')
    type('r')
    await seen('No event yet.')
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    await ask(`${issuer}/token`, { ca, method: 'POST', headers, body: 'grant_type=password' })
    const told = /^Request \d+\. Token refused\. .*invalid_client: .* Rule: RFC 6749 §3\.2\.1\.$/m
    const [sentence = ''] = await seen(told)
    type('r')
    await seen(`${sentence}\n${sentence}`)
    type('d')
    await seen(/^status: 400\.$/m)
    type('s')
    await seen('1 request and 1 refusal so far.')
    expect(serving.stdout()).not.toContain('POST /token, answer')
    type('q')
    expect((await serving.ended).code).toBe(0)
  })
})
