import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freePort } from '../../support/free-ports.js'
import { jsonLines, type Running, startProgram, temporaryFolder, until } from '../../support/program.js'
import { chromiumNames, describeWith, rigs } from '../../support/requires.js'
import { type Serving, serve } from '../../support/serve.js'
import { openChromium, type TrustingBrowser } from './chromium.js'

describeWith(
  [rigs, chromiumNames.join('|'), 'certutil', 'openssl'],
  'the answer comes to Chromium at',
  () => {
    let lab: Serving
    let browser: TrustingBrowser
    let port = 0
    const folder = temporaryFolder()
    const at = (name: string) => join(folder.path, name)

    beforeAll(async () => {
      port = await freePort()
      const uris = [
        `https://localhost:${port}/callback`,
        `https://127.0.0.1:${port}/cb`,
        'https://app.invalid/cb',
      ]
      const client = { client_id: 'web', client_secret: 'web-secret-0123456789abcdef0123456789' }
      const returns = ['https://app.invalid/bye', 'com.example.app:/bye', `https://localhost:${port}/bye`]
      const web = { ...client, redirect_uris: uris, post_logout_redirect_uris: returns }
      writeFileSync(at('lab.json'), JSON.stringify({ clients: [web] }))
      lab = await serve(['--config', at('lab.json')])
      browser = await openChromium(lab.ready.ca)
    })
    afterAll(async () => {
      await browser?.close()
      await lab?.remove()
      folder.remove()
    })

    function startFlow(...args: string[]): Running {
      return start('code', ...args)
    }

    function start(name: string, ...args: string[]): Running {
      const flow = [
        'flow',
        name,
        '--client',
        'web',
        '--browser',
        '--no-open',
        '--json',
        '--config',
        at('lab.json'),
      ]
      return startProgram([...flow, ...args], { env: lab.env, limit: 60_000, input: null })
    }

    async function addressOf(running: Running): Promise<string> {
      return until(
        () => /Open this address to log in: {2}(\S+)/.exec(running.stderr())?.[1],
        () => running.stdout() + running.stderr(),
      )
    }

    /** Logs alice in. @param to the address that the browser is sent to */
    async function logIn(url: string, to: string) {
      const { page } = await browser.open()
      await page.goto(url)
      await page.fill('input[name=username]', 'alice')
      await page.fill('input[name=password]', 'wonderland')
      const sent = page.waitForRequest(to)
      await page.click('[type=submit]', { noWaitAfter: true })
      return { page, landed: (await sent).url() }
    }

    it('https://localhost with the certificate of the lab', async () => {
      const running = startFlow('--redirect-uri', `https://localhost:${port}/callback`)
      const { page } = await logIn(await addressOf(running), `https://localhost:${port}/callback**`)
      await page.waitForURL(`https://localhost:${port}/callback**`)
      expect(await page.textContent('body')).toMatch(/close/i)
      const { code, stdout } = await running.ended
      expect(jsonLines(stdout).at(-1)).toMatchObject({ outcome: 'granted' })
      expect(code).toBe(0)
    })

    it('https with a given certificate', async () => {
      const pair = [
        '-keyout',
        at('cb.key'),
        '-out',
        at('cb.pem'),
        '-days',
        '2',
        '-nodes',
        '-subj',
        '/CN=127.0.0.1',
      ]
      const subject = ['-addext', 'subjectAltName=IP:127.0.0.1']
      execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', ...pair, ...subject], {
        stdio: 'ignore',
      })
      const other = await openChromium(at('cb.pem'))
      const how = ['--callback-cert', at('cb.pem'), '--callback-key', at('cb.key')]
      const running = startFlow('--redirect-uri', `https://127.0.0.1:${port}/cb`, ...how)
      const { landed } = await logIn(await addressOf(running), `https://127.0.0.1:${port}/cb**`)
      // The browser that trusts the certificate carries the answer on.
      const carried = await other.open()
      await carried.page.goto(landed)
      await other.close()
      const { code, stdout } = await running.ended
      expect(jsonLines(stdout).at(-1)).toMatchObject({ outcome: 'granted' })
      expect(code).toBe(0)
    })

    it('an address where nobody listens, which is pasted', async () => {
      const running = startFlow('--redirect-uri', 'https://app.invalid/cb', '--paste')
      const { landed } = await logIn(await addressOf(running), 'https://app.invalid/cb**')
      running.child.stdin?.write('https://elsewhere.invalid/?code=1\n')
      running.child.stdin?.write(`"${landed}"\n`)
      const { code, stdout, stderr } = await running.ended
      expect(stderr).toContain('That address is not at https://app.invalid/cb')
      expect(jsonLines(stdout).at(-1)).toMatchObject({ outcome: 'granted' })
      expect(code).toBe(0)
    })

    /** The address that the running flow shows next for a purpose. */
    async function shownFor(running: Running, purpose: string, nth = 0): Promise<string> {
      const shown = new RegExp(`Open this address to ${purpose}: {2}(\\S+)`, 'g')
      return until(
        () => [...running.stderr().matchAll(shown)][nth]?.[1],
        () => running.stdout() + running.stderr(),
      )
    }

    it.each([['https://app.invalid/bye'], ['com.example.app:/bye']])(
      'a logout that ends at %s, which is pasted',
      async back => {
        const cb = 'https://app.invalid/cb'
        const running = start('logout', '--redirect-uri', cb, '--paste', '--post-logout-redirect-uri', back)
        const paste = (address: string) => running.child.stdin?.write(`${address}\n`)
        const { page, landed } = await logIn(await addressOf(running), `${cb}**`)
        paste(landed)
        /** Goes to an address, and returns the one at which the browser is told to end. */
        const ended = async (url: string) => {
          const answered = page.waitForResponse(
            response => response.headers().location?.includes(':/') ?? false,
          )
          await page.goto(url).catch(() => undefined)
          return (await answered).headers().location ?? ''
        }
        paste(await ended(await shownFor(running, 'show if you are logged in')))
        const left = await ended(await shownFor(running, 'log out'))
        expect(left.startsWith(`${back}?state=`)).toBe(true)
        paste('https://app.invalid/elsewhere')
        paste(left)
        paste(await ended(await shownFor(running, 'show if you are logged in', 1)))
        const { code, stdout, stderr } = await running.ended
        expect(stderr).toContain(`That address is not at ${back}`)
        const steps = jsonLines(stdout)
        expect(steps.find(({ name }) => name === 'logout_response')).toMatchObject({
          url: left,
          note: 'pasted',
          checks: [{ name: 'state', ok: true }],
        })
        expect(steps.at(-1)).toMatchObject({ outcome: 'granted', logged_out: true })
        expect(code).toBe(0)
      },
    )

    it('a logout that ends at https://localhost with the certificate of the lab', async () => {
      const here = `https://localhost:${port}`
      const how = ['--redirect-uri', `${here}/callback`, '--post-logout-redirect-uri', `${here}/bye`]
      const running = start('logout', ...how)
      const { page } = await logIn(await addressOf(running), `${here}/callback**`)
      await page.waitForURL(`${here}/callback**`)
      await page.goto(await shownFor(running, 'show if you are logged in'))
      await page.goto(await shownFor(running, 'log out'))
      await page.waitForURL(`${here}/bye**`)
      await page.goto(await shownFor(running, 'show if you are logged in', 1))
      const { code, stdout } = await running.ended
      expect(jsonLines(stdout).at(-1)).toMatchObject({ outcome: 'granted', logged_out: true })
      expect(code).toBe(0)
    })
  },
)
