import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { createBrowserAgent } from '../../src/client/browser.js'
import { createCallback } from '../../src/client/callback.js'
import { openBrowser, planBrowser } from '../../src/client/open-browser.js'
import type { Visit } from '../../src/client/user-agent.js'
import { TimeoutError } from '../../src/protocol/errors.js'
import { authorizationRequest } from '../../src/protocol/oauth/authorization-request.js'
import { sharedFolder } from '../support/shared.js'

const url = 'https://lab.test/a?x=1&y=$(touch%20z)#f'
const none = { platform: 'linux' as const, env: {} }

describe('planBrowser', () => {
  it.each([
    ['firefox', { BROWSER: 'firefox' }, [['firefox', url]]],
    ['a command with a place', { BROWSER: 'cmd --new %s -x' }, [['cmd', '--new', url, '-x']]],
    [
      'a command with options',
      { BROWSER: 'cmd -n' },
      [
        ['cmd -n', url],
        ['cmd', '-n', url],
      ],
    ],
    [
      'a list',
      { BROWSER: 'one:two %s' },
      [
        ['one', url],
        ['two', url],
      ],
    ],
    ['one without a display', { BROWSER: 'x', SSH_TTY: '/dev/pts/0', CI: '1' }, [['x', url]]],
  ])('honours BROWSER: %s', (_name, env, commands) => {
    expect(planBrowser(url, env, 'linux')).toEqual({ kind: 'commands', commands })
  })

  it.each([
    [{}, 'linux', 'none'],
    [{ DISPLAY: ':0' }, 'linux', 'system'],
    [{ WAYLAND_DISPLAY: 'wayland-0' }, 'linux', 'system'],
    [{ WSL_DISTRO_NAME: 'Debian' }, 'linux', 'system'],
    [{ DISPLAY: ':0', SSH_CONNECTION: 'x' }, 'linux', 'none'],
    [{ DISPLAY: ':0', CI: 'true' }, 'linux', 'none'],
    [{}, 'darwin', 'system'],
    [{}, 'win32', 'system'],
    [{ BROWSER: ' ' }, 'linux', 'none'],
  ] as const)('looks for somebody who sees the window: %j on %s', (env, platform, kind) => {
    expect(planBrowser(url, env, platform).kind).toBe(kind)
  })
})

describe('openBrowser', () => {
  const { path: folder } = sharedFolder()
  beforeAll(() =>
    writeFile(
      join(folder, 'my browser'),
      '#!/bin/sh\ncd "$(dirname "$0")"\nprintf %s "$#:$1" > seen.tmp\nmv seen.tmp seen\n',
      { mode: 0o755 },
    ),
  )

  it.skipIf(process.platform === 'win32')('gives the URL as one argument, without a shell', async () => {
    const problems: string[] = []
    await openBrowser(url, {
      ...none,
      env: { BROWSER: join(folder, 'my browser') },
      onProblem: problem => problems.push(problem),
    })
    let seen: string | undefined
    while (seen === undefined) seen = await readFile(join(folder, 'seen'), 'utf8').catch(() => undefined)
    expect([seen, problems]).toEqual([`1:${url}`, []])
  })

  it('reports a problem and never fails', async () => {
    const problems: string[] = []
    const onProblem = (problem: string) => problems.push(problem)
    await openBrowser(url, { ...none, env: { BROWSER: '/there/is/none' }, onProblem })
    await openBrowser(url, { ...none, onProblem })
    expect(problems).toEqual([expect.stringContaining('ENOENT'), 'there is no display'])
    const later = new Promise(done => {
      void openBrowser(url, { ...none, env: { BROWSER: 'false' }, onProblem: done })
    })
    expect(await later).toBe('the browser ended with exit code 1')
  })
})

describe('the browser as user agent', () => {
  const redirectUri = 'http://127.0.0.1:7000/callback'
  const request = authorizationRequest({
    endpoint: 'https://lab.test/authorization',
    issuer: 'https://lab.test',
    responseType: 'code',
    clientId: 'demo',
    redirectUri,
    state: 's',
    issPromised: true,
  })

  async function visits(agent: ReturnType<typeof createBrowserAgent>, signal = new AbortController().signal) {
    const seen: Visit[] = []
    for await (const visit of agent.authorize({ request, signal })) seen.push(visit)
    return seen
  }

  it('listens, then shows the address, then opens the browser', async () => {
    const callback = createCallback(redirectUri)
    const order: string[] = []
    const agent = createBrowserAgent({
      callback: {
        receive(...of) {
          order.push('listen')
          return callback.receive(...of)
        },
      },
      show: shown => order.push(`show ${shown === request.url}`),
      note: line => order.push(line),
      open: async () => {
        order.push('open')
        await callback.handle({
          method: 'GET',
          url: `${redirectUri}?code=k&state=s`,
          headers: [],
          body: new Uint8Array(),
        })
      },
      waitMs: 60_000,
      now: () => 0,
    })
    const seen = await visits(agent)
    expect(order).toEqual(['listen', 'show true', 'open'])
    expect(seen.map(({ name, note, url, landed }) => [name, note, url, landed])).toEqual([
      ['login_form', 'in your browser', request.url, undefined],
      ['login', 'in your browser', undefined, undefined],
      ['authorization_response', undefined, undefined, `${redirectUri}?code=k&state=s`],
    ])
    expect(seen.at(-1)?.exchange).toMatchObject({ response: { status: 200 }, at: '1970-01-01T00:00:00.000Z' })
  })

  it('stops waiting at the timeout and at an interruption', async () => {
    const parts = {
      callback: createCallback(redirectUri),
      show: () => {},
      note: () => {},
      open: async () => {},
      now: () => 0,
    }
    await expect(visits(createBrowserAgent({ ...parts, waitMs: 1 }))).rejects.toBeInstanceOf(TimeoutError)
    const controller = new AbortController()
    const interrupted = visits(
      createBrowserAgent({ ...parts, open: async () => controller.abort('stop'), waitMs: 60_000 }),
      controller.signal,
    )
    await expect(interrupted).rejects.toBe('stop')
  })
  it('notes an answer with a foreign state, and takes the right one', async () => {
    const callback = createCallback(redirectUri)
    const notes: string[] = []
    const visit = (query: string) =>
      callback.handle({ method: 'GET', url: `${redirectUri}?${query}`, headers: [], body: new Uint8Array() })
    const agent = createBrowserAgent({
      callback,
      show: () => {},
      note: line => notes.push(line),
      open: async () => {
        for (const query of [
          'code=evil&state=x',
          'code=evil',
          'error=access_denied&state=y',
          'code=k&state=s',
        ]) {
          await visit(query)
        }
      },
      waitMs: 60_000,
      now: () => 0,
    })
    const seen = await visits(agent)
    expect(seen.at(-1)?.landed).toBe(`${redirectUri}?code=k&state=s`)
    expect(seen.find(({ name }) => name === 'login')?.note).toBe(
      'in your browser; 3 answers without the state that was sent were refused',
    )
    expect(notes).toEqual([expect.stringMatching(/state.*refused \(RFC 6749 §10\.12\).*keeps waiting/)])
  })

  it('names the answers it refused when nobody logs in', async () => {
    const callback = createCallback(redirectUri)
    const agent = createBrowserAgent({
      callback,
      show: () => {},
      note: () => {},
      open: async () => {
        await callback.handle({
          method: 'GET',
          url: `${redirectUri}?code=k`,
          headers: [],
          body: new Uint8Array(),
        })
      },
      waitMs: 20,
      now: () => 0,
    })
    await expect(visits(agent)).rejects.toMatchObject({
      hints: ['1 answer without the state that was sent was refused', expect.any(String)],
    })
  })
})
