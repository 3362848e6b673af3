import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freePort } from '../../support/free-ports.js'
import { run } from '../../support/program.js'
import { type Serving, serve } from '../../support/serve.js'
import { printedRecipe } from '../connect/recipe-run.js'
import { describeSuite, inspector, newerNode, opener } from './suite.js'

describeSuite('the command line of MCP Inspector', () => {
  let lab: Serving
  /** A program that logs alice in, in place of a browser. */
  let browser: string
  /** Its problems. */
  let problems: string
  beforeAll(async () => {
    lab = await serve()
    browser = join(lab.env.HOME ?? '', 'browser')
    problems = `${browser}.log`
    const script = `#!/bin/sh\nexec '${process.execPath}' '${opener}' "$1" 2> '${problems}'\n`
    writeFileSync(browser, script, { mode: 0o755 })
  })
  afterAll(() => lab?.remove())

  /** Calls a tool. The Inspector keeps no secret between two calls, so each one registers a client and logs in. */
  async function call(...tool: readonly string[]): Promise<{ content: unknown; stderr: string }> {
    const { ready, env } = lab
    const options = [
      ...['--server-url', ready.urls.mcp, '--transport', 'http', '--format', 'json'],
      ...['--callback-url', `http://127.0.0.1:${await freePort()}/oauth/callback`],
      ...['--method', 'tools/call', '--tool-name', ...tool],
    ]
    const { code, stdout, stderr } = await run(newerNode, [inspector, '--cli', ...options], {
      env: {
        ...env,
        BROWSER: browser,
        NODE_EXTRA_CA_CERTS: ready.ca,
        MCP_AUTO_OPEN_ENABLED: 'true',
        MCP_INSPECTOR_SECRET_STORE: 'memory',
      },
      limit: 60_000,
    })
    const log = existsSync(problems) ? readFileSync(problems, 'utf8') : 'it opened no browser'
    expect(code, `${stderr}${log}`).toBe(0)
    return { content: JSON.parse(stdout).result.structuredContent, stderr }
  }

  it.each(['legacy', 'modern'])(
    'registers itself, logs in and calls tools: revisions of the era %s',
    async era => {
      const { authorization, mcp } = lab.ready.urls
      const who = await call('whoami', '--protocol-era', era)
      expect(who.content).toMatchObject({ sub: 'alice', iss: authorization, aud: mcp })
      expect(who.stderr).toContain('Authorization complete.')
      const wrote = await call('write_record', '--protocol-era', era, '--tool-arg', 'value=by the Inspector')
      expect(wrote.content).toMatchObject({ value: 'by the Inspector' })
      const called = (await lab.events()).filter(
        ({ type, tool }) => type === 'resource.accepted' && tool !== undefined,
      )
      expect(called.slice(-2).map(({ tool }) => tool)).toEqual(['whoami', 'write_record'])
    },
    120_000,
  )

  it('calls whoami by the lines of oauth-lab connect', async () => {
    const programs = join(lab.env.HOME ?? '', 'programs')
    mkdirSync(programs)
    // In the place of npx: the package is installed already.
    const npx = `#!/bin/sh\nshift\nexec '${newerNode}' '${inspector}' "$@"\n`
    writeFileSync(join(programs, 'npx'), npx, { mode: 0o755 })
    const { parts } = await printedRecipe(lab, 'mcp-inspector')
    const script = parts.flatMap(part => part.lines).join('\n')
    const { code, stdout, stderr } = await run('bash', ['-ec', script], {
      env: {
        ...lab.env,
        PATH: `${programs}:${lab.env.PATH}`,
        BROWSER: browser,
        MCP_INSPECTOR_SECRET_STORE: 'memory',
      },
      limit: 60_000,
    })
    expect(code, stderr).toBe(0)
    const { structuredContent } = JSON.parse(stdout).result
    expect(structuredContent).toMatchObject({ sub: 'alice', aud: lab.ready.urls.mcp })
  }, 120_000)
})
