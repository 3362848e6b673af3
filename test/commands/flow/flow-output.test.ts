import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { exitCodeOf, lineWriter, recordLines, writeFlow } from '../../../src/commands/flow/flow-output.js'
import type { FlowRecord, Outcome } from '../../../src/flows/step.js'
import { UsageError } from '../../../src/protocol/errors.js'

const folder = await mkdtemp(join(tmpdir(), 'flow-output-'))
afterAll(() => rm(folder, { recursive: true }))

const outcome = (kind: Outcome['outcome'], error = 'x'): Outcome => ({
  type: 'outcome',
  outcome: kind,
  ...(kind !== 'granted' && { error: { error, error_description: 'why' } }),
})

describe('writing a flow', () => {
  it('goes line by line into a file of its owner', async () => {
    const file = join(folder, 'flow.jsonl')
    async function* records(): AsyncGenerator<FlowRecord> {
      yield outcome('refused')
    }
    const options = { clientId: 'demo', showSecrets: false, ascii: false, json: true }
    const last = await writeFlow(records(), record => recordLines(record, options), lineWriter(file))
    expect(last?.outcome).toBe('refused')
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(outcome('refused'))
    if (process.platform !== 'win32') expect((await stat(file)).mode & 0o777).toBe(0o600)
  })

  it('says when the file cannot be written', () => {
    expect(() => lineWriter(join(folder, 'none', 'x'))).toThrow(UsageError)
  })
})

describe('exitCodeOf', () => {
  it.each([
    [outcome('granted'), undefined, 0],
    [outcome('refused', 'invalid_grant'), undefined, 1],
    [outcome('failed', 'ECONNREFUSED'), undefined, 3],
    [outcome('failed', 'invalid_response'), undefined, 3],
    [{ ...outcome('failed', 'not_here'), expected: false }, undefined, 2],
    [outcome('failed', 'timeout'), undefined, 124],
    [outcome('failed', 'interrupted'), 130, 130],
    [outcome('failed', 'interrupted'), 143, 143],
  ])('%j after signal %s is %i', (ended, signal, code) => {
    expect(exitCodeOf(ended, { exitCode: () => signal })).toBe(code)
  })
})
