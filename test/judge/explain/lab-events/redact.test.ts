import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { explainSource } from '../../../../src/judge/explain/read/explain-source.js'
import { redactedEvents } from '../../../../src/judge/explain/redact/redact-events.js'
import { runHere } from '../../../support/in-process.js'
import { cleanEnv, temporaryFolder } from '../../../support/program.js'
import { stream } from '../recording.js'
import { login, ready, redemption, request, summary } from './support.js'

const folder = temporaryFolder()
afterAll(() => folder.remove())

const linesOf = (events: readonly object[]): string =>
  events.map(event => `${JSON.stringify(event)}\n`).join('')

async function redacted(events: readonly object[]): Promise<string> {
  const lines: string[] = []
  for await (const line of redactedEvents(() => stream(linesOf(events)), randomBytes(32))) lines.push(line)
  return lines.join('\n')
}

const explained = async (text: string) => explainSource(stream(text), 'lab.jsonl')

/** A login of somebody whose client then sends a wrong redirect_uri, with personal values wherever an event has some. */
function personal(name: string, address: string): object[] {
  const query = `client_id=web&login_hint=${encodeURIComponent(name)}&state=${encodeURIComponent(name)}&pad=${'x'.repeat(150)}`
  const cut = login(1, name, 'aaaa…111', query).map(event => ({
    ...event,
    remoteAddress: address,
    ...('path' in event && { path: `${String(event.path).slice(0, 199)}…` }),
  }))
  const refusal = {
    type: 'token.refused',
    client_id: 'web',
    grant_type: 'authorization_code',
    code: 'aaaa…111',
    error: 'invalid_grant',
    description: `redirect_uri is not the one of ${name}, for ${address}`,
    rule: 'RFC 6749 §4.1.3',
    evidence: `seen ${name}`,
    claims: [name],
    checks: [{ name: 'sub', ok: true, detail: name }],
  }
  const chat = request(4, { site: 'dns', path: '/hook' }, { type: 'chat.posted', text: name, username: name })
  return [
    { ...ready, ca: `/home/${name}/ca.pem` },
    ...cut,
    ...request(3, { path: '/token', status: 400 }, refusal),
    ...chat,
  ]
}

describe('a redacted recording of a lab', () => {
  it('shows the same conversations and mistakes, with the same numbers', async () => {
    const events = personal('eve.adams@example.org', '203.0.113.77')
    const [one, other] = [await explained(linesOf(events)), await explained(await redacted(events))]
    expect(summary(one)).toEqual(['code web eve.adams@example.org refused, fault redirect-uri-differs 3'])
    const name = other.flows[0]?.conversation.username ?? ''
    expect(name).toMatch(/^[a-z]{3}\.[a-z]{5}@[a-z]{7}\.[a-z]{3}$/)
    expect(summary(other)).toEqual([`code web ${name} refused, fault redirect-uri-differs 3`])
  })

  it('has no name and no address of a person, whatever they are', async () => {
    const name = fc.stringMatching(/^[a-z]{6,12}(\.[a-z]{3,8})?(@[a-z]{4,8}\.example)?$/)
    await fc.assert(
      fc.asyncProperty(name, fc.ipV4(), async (person, address) => {
        // A name that is also a word of every event cannot be told from it.
        fc.pre(!linesOf([ready, ...login(1, 'x', 'y'), ...redemption(3, 'x', 'y')]).includes(person))
        const copy = await redacted(personal(person, `203.${address}`))
        expect(decodeURIComponent(copy)).not.toContain(person)
        expect(copy).not.toContain(`203.${address}`)
      }),
      { numRuns: 60 },
    )
  })

  it('keeps equal values equal: people, states and codes', async () => {
    const two = [ready, ...login(1, 'alice', 'aaaa…111'), ...login(3, 'alice', 'bbbb…222')]
    const lines = (await redacted(two)).split('\n').map(line => JSON.parse(line) as Record<string, string>)
    const users = lines.flatMap(({ username }) => username ?? [])
    expect(new Set(users).size).toBe(1)
    expect(lines.flatMap(({ code }) => code ?? [])).toEqual(['aaaa…111', 'bbbb…222'])
    const states = lines.flatMap(({ path = '' }) => /state=([^&]+)/.exec(path)?.[1] ?? [])
    expect(states).toHaveLength(4)
    expect(new Set(states).size).toBe(1)
  })

  it('is written by explain --redact, and a run of flow --json is still refused', async () => {
    const [file, run, copy] = ['lab.jsonl', 'run.jsonl', 'clean.jsonl'].map(name => join(folder.path, name))
    writeFileSync(file!, linesOf(personal('eve.adams', '203.0.113.77')))
    const env = cleanEnv(folder.path)
    const { code, stderr } = await runHere(['explain', file!, '--redact', '-o', copy!], { env })
    expect(code).toBe(1)
    expect(stderr).toContain('Read it before you give it away')
    const text = await readFile(copy!, 'utf8')
    expect(text).not.toContain('eve.adams')
    expect(text.trim().split('\n')).toHaveLength(10)
    writeFileSync(run!, '{"type":"step","n":1,"name":"discovery_request"}\n')
    const refused = await runHere(['explain', run!, '--redact', '-o', copy!], { env })
    expect(refused.code).toBe(2)
    expect(refused.stderr).toContain('is no HAR, and cannot be redacted')
  })
})
