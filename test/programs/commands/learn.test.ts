import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { ends, programInHome } from '../../commands/support.js'
import { jsonLines, runProgram } from '../../support/program.js'
import { sharedLab } from '../../support/shared.js'

describe('learn without a lab', () => {
  const { home, env, oauthLab } = programInHome()

  it('lists lessons as lines of JSON', async () => {
    const lines = jsonLines((await oauthLab('learn', 'list', '--json')).stdout)
    expect(lines[0]).toEqual({
      name: '00-printing-service',
      title: expect.any(String),
      minutes: expect.any(Number),
      tasks: 2,
      done: false,
    })
  })

  it('starts a lesson, says which lab to start, and is not done', async () => {
    const { stdout, code } = await oauthLab('learn', 'start', '0')
    expect(code).toBe(0)
    expect(stdout).toContain('No lab is running.')
    expect(stdout).toContain('oauth-lab serve')
    expect(stdout).not.toContain('Task 1')
    const first = await oauthLab('learn', 'check', '--json')
    expect([first.code, jsonLines(first.stdout)[0]]).toMatchObject([
      1,
      { why: expect.stringContaining('Predict first') },
    ])
    expect((await oauthLab('learn', 'answer', 'a')).stdout).toContain('Task 1 of 2')
    const check = await oauthLab('learn', 'check', '--json')
    expect(check.code).toBe(1)
    expect(jsonLines(check.stdout)).toEqual([
      {
        lesson: '00-printing-service',
        task: 'password',
        done: false,
        why: 'The service demo-legacy has not logged in with the password of alice yet.',
      },
    ])
  })

  it('counts a command that starts a lab for itself, and goes on to the end', {
    timeout: 60_000,
  }, async () => {
    await oauthLab('flow', 'password', '--client', 'demo-legacy', '--user', 'alice')
    const first = await oauthLab('learn', 'check', '--json')
    expect([first.code, jsonLines(first.stdout)[0]]).toMatchObject([0, { task: 'password', done: true }])
    await oauthLab('flow', 'code', '--client', 'course', '--user', 'alice')
    const last = await oauthLab('learn', 'check')
    expect(last.code).toBe(0)
    expect(last.stdout).toMatch(/You predicted a[.,]/)
    expect(last.stdout).toContain('Rule: RFC 9700 §2.4')
    expect((await oauthLab('learn', 'progress', '--markdown')).stdout).toContain('`code.redeemed`')
    expect((await oauthLab('learn', 'list')).stdout).toContain('+ 00-printing-service')
  })

  it('says other words the third time', { timeout: 60_000 }, async () => {
    await oauthLab('learn', 'start', '0')
    await oauthLab('learn', 'answer', 'b')
    const said: unknown[] = []
    for (let i = 0; i < 3; i++) {
      await oauthLab('flow', 'password', '--client', 'demo-legacy', '--user', 'alice:wrong')
      said.push(jsonLines((await oauthLab('learn', 'check', '--json')).stdout)[0]?.why)
    }
    expect(said[0]).toBe(said[1])
    expect(said[2]).not.toBe(said[1])
  })

  it('gives hints in their order, and the solution with curl', async () => {
    expect((await oauthLab('learn', 'hint')).stdout).toContain('Hint 1 of 2')
    expect((await oauthLab('learn', 'hint')).stdout).toContain('oauth-lab flow password')
    expect((await oauthLab('learn', 'solution')).stdout).toContain('curl -s --cacert "$CA"')
  })

  it('keeps learners apart', async () => {
    await oauthLab('learn', 'start', '2', '--learner', 'dora')
    await oauthLab('learn', 'answer', 'a', '--learner', 'dora')
    expect((await oauthLab('learn', 'check', '--learner', 'dora')).stdout).toContain('demo-service')
    expect((await oauthLab('learn', 'check')).stdout).toContain('Wrong again')
    expect((await oauthLab('learn', 'check', '--learner', '../x')).code).toBe(2)
  })

  it('reviews after a day, for another user', { timeout: 60_000 }, async () => {
    const file = join(home(), 'lab/learn-eve.json')
    await oauthLab('learn', 'start', '1', '--learner', 'eve')
    const progress = JSON.parse(readFileSync(file, 'utf8'))
    const done = { doneAt: '2020-01-01T00:00:00Z', hints: 0, solution: false, answers: [], events: [] }
    progress.lessons['01-who-is-who'] = {
      ...progress.lessons['01-who-is-who'],
      doneAt: '2020-01-01T00:00:00Z',
      tasks: { flow: done, sender: done },
    }
    writeFileSync(file, JSON.stringify(progress))
    const asked = await oauthLab('learn', 'review', '--learner', 'eve', '--json')
    expect(jsonLines(asked.stdout)).toEqual([{ lesson: '01-who-is-who', task: 'flow', user: 'bob' }])
    expect((await oauthLab('learn', 'check', '--learner', 'eve')).code).toBe(1)
    await oauthLab('flow', 'code', '--client', 'course', '--user', 'bob')
    expect((await oauthLab('learn', 'check', '--learner', 'eve')).code).toBe(0)
  })

  it('mends a broken progress file by reset', async () => {
    writeFileSync(join(home(), 'lab/learn.json'), '{"version":')
    const { code, stderr } = await oauthLab('learn', 'list')
    expect(code).toBe(2)
    expect(stderr).toContain('oauth-lab learn reset')
    expect((await oauthLab('learn', 'reset')).code).toBe(0)
    expect((await oauthLab('learn', 'list')).code).toBe(0)
  })

  it('writes a client, and never over a file', async () => {
    const folder = join(home(), 'mine')
    mkdirSync(folder)
    const first = await runProgram(['learn', 'new'], { env: env(), cwd: folder })
    const second = await runProgram(['learn', 'new'], { env: env(), cwd: folder })
    expect(first.stdout).toContain('node ./client.mjs')
    expect(second.stdout).toContain('node ./client-2.mjs')
    expect(existsSync(join(folder, 'client.mjs'))).toBe(true)
  })
})

describe('two learners on one lab', () => {
  const lab = sharedLab()
  const run = (...args: readonly string[]) => runProgram(args, { env: lab.env })

  it('count the events of their own user alone', { timeout: 60_000 }, async () => {
    const bob = ['--learner', 'bob', '--user', 'bob'] as const
    await run('learn', 'start', '1')
    await run('learn', 'start', '1', ...bob)
    await run('learn', 'answer', 'a')
    await run('learn', 'answer', 'a', '--learner', 'bob')
    await run('flow', 'code', '--client', 'course', '--user', 'bob')
    const alice = jsonLines((await run('learn', 'check', '--json')).stdout)[0]
    expect(alice).toMatchObject({
      done: false,
      why: 'That was client course and user bob; this task counts client course and user alice.',
    })
    expect((await run('learn', 'check', '--learner', 'bob')).code).toBe(0)
    const { code, stderr } = await run('learn', 'start', '1', '--user', 'bbo')
    expect([code, stderr]).toEqual([2, 'oauth-lab: unknown user "bbo"\n  Did you mean bob?\n'])
  })
})

describe('learn open', () => {
  const lab = sharedLab()
  beforeAll(async () => {
    await open('start', '18')
  })
  const open = (...args: readonly string[]) => runProgram(['learn', ...args], { env: lab.env })
  const request = (issuer: string, more = '') =>
    `${issuer}/authorization?response_type=code&client_id=course&redirect_uri=http%3A%2F%2F127.0.0.1%2Fcallback${more}`

  it('logs the user of the lesson in, and prints the address at which the browser ends', async () => {
    const { code, stdout } = await open('open', request(lab.ready.urls.authorization, '&state=s1'))
    const landed = new URL(stdout.trim())
    expect([code, landed.href.split('?')[0], landed.searchParams.get('state')]).toEqual([
      0,
      'http://127.0.0.1/callback',
      's1',
    ])
    expect((await lab.events()).find(({ type }) => type === 'code.issued')).toMatchObject({
      username: 'alice',
    })
  })

  it.each([
    ['https://localhost:1', /does not begin with https:/],
    ['https://localhost:1.evil.example', /does not begin with/],
    ['no address', /does not begin with/],
  ])('gives no password to %s', async (issuer, problem) => {
    expect(await open('open', request(issuer))).toMatchObject(ends(2, problem))
  })

  it('says what the server refused', async () => {
    const { code, stderr } = await open(
      'open',
      request(lab.ready.urls.authorization).replace('client_id=course', 'client_id=nobody'),
    )
    expect([code, stderr]).toEqual([1, expect.stringContaining('client')])
  })
})

describe('five learners on one lab', () => {
  const lab = sharedLab()
  const NAMES = ['ann', 'ben', 'cleo', 'dan', 'eve'] as const

  it('do the same lesson at once, and none is praised for the run of another', {
    timeout: 90_000,
  }, async () => {
    const as =
      (name: string) =>
      (...args: readonly string[]) =>
        runProgram(args, { env: { ...lab.env, OAUTH_LAB_LEARNER: name } })
    const done = async (name: string) =>
      jsonLines((await as(name)('learn', 'check', '--json')).stdout)[0]?.done
    await Promise.all(
      NAMES.map(async name => {
        await as(name)('learn', 'start', '1')
        await as(name)('learn', 'answer', 'a')
      }),
    )
    for (const [i, name] of NAMES.entries()) {
      await as(name)('flow', 'code', '--client', 'course', '--user', 'alice')
      const later = NAMES.slice(i + 1)
      expect(await Promise.all([name, ...later].map(done))).toEqual([true, ...later.map(() => false)])
    }
  })
})
