import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freePort } from '../../support/free-ports.js'
import {
  jsonLines,
  launcher,
  type Running,
  runProgram,
  start,
  temporaryFolder,
  until,
} from '../../support/program.js'
import { chromiumNames, describeWith, findProgram, rigs } from '../../support/requires.js'
import { type Serving, serve } from '../../support/serve.js'

// A person logs in to a web application, in the browser that `record` opened: by playwright, through a port of its own.

describeWith([rigs, chromiumNames.join('|')], 'oauth-lab record --browser', () => {
  let lab: Serving
  let count = 0
  /** The folder of profiles, apart from those of other programs. */
  const temporary = temporaryFolder()
  const profiles = () => readdirSync(temporary.path).filter(name => name.startsWith('oauth-lab-browser-'))
  beforeAll(async () => {
    lab = await serve()
  })
  afterAll(async () => {
    await lab?.remove()
    temporary.remove()
  })

  /** Starts `record` with a Chromium that a test can steer as well, and returns the page. */
  async function recorded(args: readonly string[], more: readonly string[] = []) {
    count += 1
    const port = await freePort()
    const program = join(lab.env.HOME ?? '', `chromium-${count}`)
    const sandbox = process.getuid?.() === 0 ? '--no-sandbox' : ''
    const real = findProgram(...chromiumNames)
    writeFileSync(program, `#!/bin/sh\nexec '${real}' ${sandbox} --remote-debugging-port=${port} "$@"\n`, {
      mode: 0o755,
    })
    const file = join(lab.env.HOME ?? '', `browser-${count}.har`)
    const env = {
      ...lab.env,
      CHROME_PATH: program,
      NODE_EXTRA_CA_CERTS: lab.ready.ca,
      TMPDIR: temporary.path,
    }
    const words = ['record', '--headless', '-o', file, ...args, ...more]
    const running = start(process.execPath, [launcher, ...words], { env, limit: 90_000 })
    const { chromium } = await import('playwright-core')
    const page: Page = await until(
      async () => {
        const browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`).catch(() => undefined)
        const found = browser?.contexts()[0]?.pages()[0]
        // A connection that is made before the first page may never see it.
        if (found === undefined) await browser?.close()
        return found
      },
      running.stderr,
      60_000,
    )
    expect(profiles()).toHaveLength(1)
    return { running, page, file, env }
  }

  async function logIn(page: Page): Promise<void> {
    await page.waitForURL(/\/authorization\?/)
    await page.getByLabel(/user/i).fill('alice')
    await page.getByLabel(/password/i).fill('wonderland')
    await page.getByRole('button').first().click()
    await page.locator('output').waitFor()
  }

  /** The exchanges and faults of a recording. */
  async function explained(file: string, env: Record<string, string>) {
    const { stdout } = await runProgram(['explain', file, '--json'], { env })
    const lines = jsonLines(stdout)
    const faults = lines.filter(each => each.type === 'finding' && each.severity === 'fault')
    return {
      names: lines.filter(({ type }) => type === 'exchange').map(({ name }) => name),
      faults: faults.map(({ name }) => name),
      flows: lines.filter(({ type }) => type === 'flow'),
    }
  }

  const site = join(import.meta.dirname, 'recorded-site.js')

  it.each([
    ['none', [], 'granted'],
    ['verifier', ['verifier-differs'], 'refused'],
  ] as const)('with its program, one conversation of both: mistake %s', async (mistake, faults, outcome) => {
    const port = await freePort()
    const at = `http://127.0.0.1:${port}`
    const program = ['--', process.execPath, site, lab.ready.urls.authorization, String(port), mistake]
    const { running, page, file, env } = await recorded(['--browser', `${at}/`], program)
    await logIn(page)
    await page.goto(`${at}/end`).catch(() => {})
    const ended = await running.ended
    // The exit code is the program's.
    expect([ended.code, ended.stderr]).toEqual([4, expect.stringContaining('wrote ')])
    const text = readFileSync(file, 'utf8')
    expect(text).not.toContain('wonderland')
    expect(text).toContain('removed-by-oauth-lab')
    const found = await explained(file, env)
    expect(found.faults).toEqual(faults)
    expect(found.flows.map(each => each.outcome)).toEqual([outcome])
    expect(found.names.filter(name => name !== 'keys')).toEqual([
      'discovery',
      'authorization_request',
      'authorization_request',
      'authorization_response',
      'token_request',
      ...(mistake === 'none' ? ['userinfo_request'] : []),
    ])
    expect(profiles()).toEqual([])
  })

  async function alone(end: (running: Running, page: Page) => unknown) {
    const redirect = encodeURIComponent('http://127.0.0.1:65533/callback')
    const asked = `${lab.ready.urls.authorization}/authorization?response_type=code&client_id=demo-spa&redirect_uri=${redirect}&state=s-1&scope=openid&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256`
    const { running, page, file, env } = await recorded(['--browser', asked])
    await page.waitForURL(/\/authorization\?/)
    await page.getByLabel(/user/i).fill('alice')
    await page.getByLabel(/password/i).fill('wonderland')
    await page.getByRole('button').first().click()
    await until(() => (running.stderr().includes('127.0.0.1:65533') ? true : undefined), running.stderr)
    await end(running, page)
    const ended = await running.ended
    expect([ended.code, ended.stdout]).toEqual([0, ''])
    expect(readFileSync(file, 'utf8')).not.toContain('wonderland')
    expect(profiles()).toEqual([])
    return explained(file, env)
  }

  it.each([
    ['Ctrl-C', (running: Running) => running.child.kill('SIGINT')],
    ['its window', (_running: Running, page: Page) => page.close()],
  ] as const)('alone, ended by %s: the callback, where nothing listens, is in it', async (_name, end) => {
    const { names } = await alone(end)
    expect(names).toEqual(['authorization_request', 'authorization_request', 'authorization_response'])
  })

  it('says what is missing: a browser, an address, a window', async () => {
    const run = (args: readonly string[], env = {}) =>
      runProgram(['record', ...args], { env: { ...lab.env, TMPDIR: temporary.path, ...env } })
    const none = await run(['--browser', 'http://localhost:1'], { PATH: '/nonexistent' })
    expect([none.code, none.stderr]).toEqual([
      2,
      expect.stringContaining('no Chromium, Chrome or Edge was found'),
    ])
    const bad = await run(['--browser', 'localhost'])
    expect([bad.code, bad.stderr]).toEqual([2, expect.stringContaining('is not an http or https address')])
    const broken = await run(['--browser', 'http://localhost:1'], { CHROME_PATH: '/bin/false' })
    expect([broken.code, broken.stderr]).toEqual([
      3,
      expect.stringContaining('/bin/false could not be recorded'),
    ])
    expect(readdirSync(lab.env.HOME ?? '').filter(name => /^login/.test(name))).toEqual([])
    expect(profiles()).toEqual([])
  })
})
