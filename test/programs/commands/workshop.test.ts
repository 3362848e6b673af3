// Runs the commands of the table in docs/workshop.md: alone, beside a running lab, and against the lab of a teacher.
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { COURSES } from '../../../src/learn/courses.js'
import { cleanEnv, runProgram, startProgram, temporaryFolder, until } from '../../support/program.js'
import { type Serving, serve } from '../../support/serve.js'
import { read } from '../../support/source-files.js'

const FLOW = 'flow code --client demo'

/** The spans of the table that are no whole command, with the command they stand for; undefined: another program. */
const shortened: Readonly<Record<string, string | undefined>> = {
  '--tamper change-state': `${FLOW} --tamper change-state`,
  'wrong-verifier': `${FLOW} --tamper wrong-verifier`,
  'reuse-code': `${FLOW} --tamper reuse-code`,
  'oauth-lab serve --stage login-only': 'serve --stage login-only --explain',
  'shared-secret': 'serve --stage shared-secret --explain',
  'key-pair': 'serve --stage key-pair --explain',
  'published-keys': 'serve --stage published-keys --explain',
  '--explain': undefined,
  curl: undefined,
}

/** The table of the page, whose last column has the commands. */
const spans = read('docs/workshop.md')
  .split('\n')
  .filter(line => /^\| \d/.test(line))
  .flatMap(line => [...(line.split('|')[3] ?? '').matchAll(/`([^`]+)`/g)].map(each => each[1]!))
const commands = spans.flatMap(span => {
  const command = span in shortened ? shortened[span] : span.replace(/^oauth-lab /, '')
  return command === undefined ? [] : [command]
})

const labless = /^(tamper list|jwt decode|help|serve .*--explain)$/
const lasting = commands.filter(each => each.startsWith('serve') && !labless.test(each))
const lessons = COURSES['90m'].map(name => `learn start ${name}`)
const short = commands.filter(each => !lasting.includes(each))
const withLab = short.filter(each => !labless.test(each))

const LIMIT = 150_000
const TOKEN = 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJhbGljZSJ9.'

const homes: { path: string; remove: () => void }[] = []
let lab: Serving
let named: Record<string, string>
beforeAll(async () => {
  lab = await serve(['--cluster-port', '0', '--dns-port', '0'])
  const pupil = home()
  const ca = join(pupil, 'class.pem')
  cpSync(lab.ready.ca, ca)
  named = cleanEnv(pupil, { OAUTH_LAB_SERVER: lab.ready.urls.authorization, OAUTH_LAB_CACERT: ca })
})
afterAll(async () => {
  await lab?.remove()
  for (const each of homes) each.remove()
})

function home(): string {
  const folder = temporaryFolder()
  homes.push(folder)
  return folder.path
}

const run = (command: string, env: Record<string, string>) =>
  runProgram(command.split(' '), { env, limit: LIMIT, input: command === 'jwt decode' ? TOKEN : '' })

it('the table has commands of every kind', () => {
  expect(lasting).toEqual(['serve --profile reference', 'serve'])
  expect(withLab).toEqual(
    expect.arrayContaining([
      FLOW,
      'doctor',
      'k8s token',
      'cf events',
      'compress',
      `${FLOW} --tamper reuse-code`,
    ]),
  )
})

describe.each(short)('oauth-lab %s', { timeout: LIMIT }, command => {
  const usesLab = !labless.test(command)
  const started = /^Started a lab for this command: https:\/\/localhost:\d+$/m
  const uses = /^Uses the /m

  it('works alone, and says that it started a lab', async () => {
    const { code, stdout, stderr } = await run(command, cleanEnv(home()))
    expect(code, stderr).toBe(0)
    expect(started.test(stderr), stderr).toBe(usesLab)
    expect(stdout).not.toMatch(started)
  })

  it('works beside a running lab, and names it', async () => {
    const { code, stdout, stderr } = await run(command, lab.env)
    expect(code, stderr).toBe(0)
    const line = `Uses the running lab ${lab.ready.urls.authorization}\n`
    if (usesLab) expect(stderr).toContain(line)
    else expect(stderr).not.toMatch(uses)
    expect(stdout).not.toMatch(uses)
  })

  it('works against the lab of a teacher, names it and why, or proposes the address to name', async () => {
    const { code, stdout, stderr } = await run(command, named)
    const line = `Uses the lab ${lab.ready.urls.authorization} (OAUTH_LAB_SERVER)\n`
    if (usesLab) expect(stderr).toContain(line)
    else expect(stderr).not.toMatch(uses)
    expect(stdout).not.toMatch(uses)
    const proposed = {
      k8s: '--cluster https://localhost:8445 ',
      cf: '--api-url https://localhost:8446/client/v4 ',
    }
    const address = Object.entries(proposed).find(([group]) => command.startsWith(`${group} `))?.[1]
    expect(code, stderr).toBe(address === undefined ? 0 : 2)
    if (address !== undefined) expect(stderr).toContain(address)
  })
})

describe.each(lasting)('oauth-lab %s', { timeout: LIMIT }, command => {
  it.each([
    ['alone', () => cleanEnv(home())],
    ['where another lab is named', () => ({ ...named, OAUTH_LAB_HOME: join(home(), 'lab') })],
  ])('starts %s', async (_, envOf) => {
    const free = ['--port', '--http-port', '--resource-port', '--cluster-port', '--dns-port']
    const args = [...command.split(' '), ...free.flatMap(option => [option, '0'])]
    const serving = startProgram(args, { env: envOf(), limit: LIMIT })
    await until(
      () => (serving.stdout().includes('Ctrl-C stops it.') ? true : undefined),
      () => serving.stdout() + serving.stderr(),
    )
    serving.child.kill('SIGINT')
    expect((await serving.ended).code).toBe(130)
    expect(serving.stdout()).toMatch(/^authorization server {2}https:\/\/localhost:\d+$/m)
    expect(serving.stderr()).not.toMatch(/^Uses the /m)
  })
})

describe.each(lessons)('oauth-lab %s', { timeout: LIMIT }, command => {
  const starting = async (env: Record<string, string>) => {
    const { code, stdout, stderr } = await run(command, env)
    expect(code, stderr).toBe(0)
    expect(stdout).toMatch(/^(?:Task 1 of \d|Predict first .*)$/m)
    return stdout
  }

  it('works alone, and says that no lab runs', async () => {
    expect(await starting(cleanEnv(home()))).toContain('No lab is running.')
  })

  it('works beside a running lab, and names it', async () => {
    expect(await starting(lab.env)).toContain(`Uses the running lab ${lab.ready.urls.authorization}.`)
  })

  it('works against the lab of a teacher, and says that its events are out of sight', async () => {
    expect(await starting(named)).toMatch(/^OAUTH_LAB_SERVER names \S+, a lab of another computer:$/m)
  })
})
