import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cleanEnv, temporaryFolder, until } from '../../support/program.js'
import { findProgram, firefoxNames } from '../../support/requires.js'
import { trustAuthority } from '../browser/chromium.js'
import { connectMarionette, type Marionette } from './marionette.js'
import type { ImportedRequest, RecordingBrowser } from './recording-browser.js'

const preferences: Readonly<Record<string, unknown>> = {
  // A free port, which Firefox writes into the profile.
  'marionette.port': 0,
  'devtools.netmonitor.persistlog': true,
  'browser.shell.checkDefaultBrowser': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'app.normandy.enabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
}

/** The key of an element in the answers of WebDriver (WebDriver §12.4.2). */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf'

async function started(profile: string, home: string) {
  const how = ['--headless', '--marionette', '--remote-allow-system-access', '--no-remote']
  const child = spawn(findProgram(...firefoxNames) ?? '', [...how, '--profile', profile], {
    env: cleanEnv(home),
    stdio: 'ignore',
  })
  const port = await until(
    () => {
      if (child.exitCode !== null) throw new Error(`Firefox ended with ${child.exitCode}`)
      try {
        return Number(readFileSync(join(profile, 'MarionetteActivePort'), 'utf8')) || undefined
      } catch {
        return undefined
      }
    },
    () => 'Firefox does not listen',
  )
  return { child, marionette: await connectMarionette(port) }
}

const source = readFileSync(join(import.meta.dirname, 'firefox-tools.js'), 'utf8')

/** Returns a function that calls those of firefox-tools.js in the window of the browser. */
function createCaller({ call }: Marionette) {
  return async function callTool<T>(
    name: 'watch' | 'clear' | 'save' | 'open',
    ...args: unknown[]
  ): Promise<T> {
    const script = `const done = arguments[arguments.length - 1];
      ${source}
      recording.${name}(...arguments[0]).then(result => done({ result }), error => done({ problem: String(error) }))`
    await call('Marionette:SetContext', { value: 'chrome' })
    try {
      const { value } = (await call('WebDriver:ExecuteAsyncScript', { script, args: [args] })) as {
        value: { result: T; problem?: string }
      }
      if (value.problem !== undefined) throw new Error(value.problem)
      return value.result
    } finally {
      await call('Marionette:SetContext', { value: 'content' })
    }
  }
}

/** Starts Firefox with its network monitor on one tab, and “Persist Logs” on. */
export async function openFirefox(ca: string): Promise<RecordingBrowser> {
  const home = temporaryFolder()
  const profile = join(home.path, 'profile')
  trustAuthority(profile, ca)
  mkdirSync(profile, { recursive: true })
  const lines = Object.entries(preferences).map(
    each => `user_pref(${each.map(value => JSON.stringify(value))});`,
  )
  writeFileSync(join(profile, 'user.js'), lines.join('\n'))
  const { child, marionette } = await started(profile, home.path)
  const { call } = marionette
  const capabilities = {
    alwaysMatch: { pageLoadStrategy: 'none', timeouts: { script: 20_000 } },
  }
  await call('WebDriver:NewSession', { capabilities })
  const callTool = createCaller(marionette)
  await callTool('watch')
  // Firefox gives up waiting for an element when the page changes.
  const find = (selector: string): Promise<string> =>
    until(
      async () => {
        const asked = call('WebDriver:FindElement', { using: 'css selector', value: selector })
        const found = (await asked.catch(() => undefined)) as { value: Record<string, string> } | undefined
        return found?.value[ELEMENT]
      },
      () => `Firefox shows no ${selector}`,
    )
  return {
    async record(use) {
      await call('WebDriver:Navigate', { url: 'about:blank' })
      await until(
        async () => {
          const { value } = (await call('WebDriver:GetCurrentURL')) as { value: string }
          return value === 'about:blank' || undefined
        },
        () => 'Firefox stays at the last page',
      )
      await callTool('clear')
      await use({
        open: async url => {
          await call('WebDriver:Navigate', { url })
        },
        fill: async (selector, text) => {
          await call('WebDriver:ElementSendKeys', { id: await find(selector), text })
        },
        click: async selector => {
          await call('WebDriver:ElementClick', { id: await find(selector) })
        },
        waitFor: async selector => {
          await find(selector)
        },
      })
      return callTool<string>('save')
    },
    open: har => callTool<ImportedRequest[]>('open', har),
    async close() {
      const ended = once(child, 'exit')
      await call('Marionette:Quit', { flags: ['eForceQuit'] }).catch(() => child.kill())
      await ended
      marionette.close()
      home.remove()
    },
  }
}
