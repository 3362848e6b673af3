import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { explainSource } from '../../../src/judge/explain/read/explain-source.js'
import { redactedHar } from '../../../src/judge/explain/redact/redact-source.js'
import { type Application, serveApplication } from './application.js'
import { recordLogin } from './login.js'
import type { Mistake } from './mistakes.js'
import type { RecordingBrowser } from './recording-browser.js'
import { secretsOf } from './secrets.js'
import type { RecordedServer } from './servers.js'

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}

/** Returns the findings of a recording: their names and the entries that show them. */
async function findingsIn(har: string): Promise<{ name: string; entry: number }[]> {
  const { flows } = await explainSource(bytesOf(har), 'the recording')
  return flows.flatMap(({ findings }) => findings.map(({ name, entry }) => ({ name, entry })))
}

/** Returns the copy of a recording that `explain --redact` writes. */
async function redactedCopy(har: string): Promise<string> {
  let copy = ''
  for await (const piece of redactedHar(() => bytesOf(har), randomBytes(32), '1.0.0')) copy += piece
  return copy
}

interface Archive {
  readonly log: { readonly entries: readonly { readonly request: { readonly url: string } }[] }
}

/**
 * Records logins of a browser at a server, right and with its mistakes. Each mistake is named by the one right finding, in the redacted
 * copy too, which holds no secret and which the DevTools of the browser open.
 */
export function describeRecordings(
  openBrowser: (ca: string) => Promise<RecordingBrowser>,
  startServer: () => Promise<RecordedServer>,
  mistakes: readonly Mistake[],
): void {
  let server: RecordedServer
  let browser: RecordingBrowser
  let application: Application
  beforeAll(async () => {
    server = await startServer()
    browser = await openBrowser(server.ca)
    application = await serveApplication()
  }, 600_000)
  afterAll(async () => {
    application?.close()
    await browser?.close()
    await server?.stop()
  })

  /** Records a login, and returns the findings after the copy was compared. */
  async function recorded(mistake?: Mistake): Promise<{ har: string; copy: string; names: string[] }> {
    const har = await recordLogin(browser, server, application, mistake)
    const found = await findingsIn(har)
    const copy = await redactedCopy(har)
    expect(await findingsIn(copy), 'the findings of the redacted copy').toEqual(found)
    const sanitized = await browser.sanitized?.()
    if (sanitized !== undefined)
      expect(await findingsIn(sanitized), 'the findings of the sanitized export').toEqual(found)
    const secrets = secretsOf(har)
    expect(secrets.filter(secret => copy.includes(secret))).toEqual([])
    return { har, copy, names: found.map(({ name }) => name) }
  }

  it('name nothing in a right login, whose copy the DevTools open', async () => {
    const { har, copy, names } = await recorded()
    expect(names).toEqual([])
    expect(secretsOf(har).length).toBeGreaterThan(5)
    const entries = (text: string) => (JSON.parse(text) as Archive).log.entries
    const opened = await browser.open(copy)
    expect(opened).toHaveLength(entries(har).length)
    expect(opened.map(({ url }) => url).sort()).toEqual(
      entries(copy)
        .map(({ request }) => request.url)
        .sort(),
    )
    const original = await browser.open(har)
    expect(opened.map(({ method }) => method)).toEqual(original.map(({ method }) => method))
    expect(opened.map(({ status }) => status)).toEqual(
      // Firefox leaves the status out of some answers, and explain reads it from their headers.
      original.map(({ status }, i) => status || opened[i]?.status),
    )
  })

  it.each(mistakes.map(each => [each.finding, each] as const))('name %s', async (finding, mistake) => {
    const { names } = await recorded(mistake)
    expect(names).toEqual([finding])
  })
}
