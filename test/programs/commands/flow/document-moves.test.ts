import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Outcome } from '../../../../src/flows/step.js'
import type { Finding } from '../../../../src/judge/doctor/finding.js'
import { documentMoves } from '../../../../src/judge/tamper/moves/documents.js'
import { jsonLines, runProgram, temporaryFolder } from '../../../support/program.js'
import { type Serving, serve } from '../../../support/serve.js'
import { sharedLab } from '../../../support/shared.js'

const NAMES = documentMoves.map(({ name }) => name)

/** Walks the code flow with a move at a running lab. */
async function tampered({ env }: Serving, ...args: readonly string[]) {
  const { code, stdout, stderr } = await runProgram(['flow', 'code', '--json', '--tamper', ...args], { env })
  const lines = jsonLines(stdout) as unknown as (Outcome & { url?: string })[]
  return { code, stderr, asked: lines.find(({ url }) => url !== undefined)?.url, outcome: lines.at(-1) }
}

/** The findings of the doctor about moves with documents. */
async function examined({ env }: Serving) {
  const { stdout } = await runProgram(['doctor', '--only', 'registration', '--json'], { env })
  const { findings } = JSON.parse(stdout) as { findings: readonly Finding[] }
  return findings.filter(({ name }) => NAMES.includes(name))
}

describe('a client ID metadata document that is wrong in one point', () => {
  const lab = sharedLab()

  it.each(NAMES)('is refused in the code flow: %s', async name => {
    const { code, asked, outcome } = await tampered(lab, name)
    expect(outcome).toMatchObject({ outcome: 'refused', expected: true, tamper: { move: name } })
    expect(code).toBe(0)
    expect(new URL(asked ?? '').searchParams.get('client_id')).toMatch(/^https:\/\//)
  })

  it('is tried by the doctor, and leaves nothing that listens', async () => {
    const found = await examined(lab)
    expect(found.map(({ name, result }) => [name, result])).toEqual(NAMES.map(name => [name, 'pass']))
  })
})

describe('at a lab that follows redirects of documents', () => {
  const lab = sharedLab(['--weak', 'fetch-anything'])

  it('a redirected document is a fault, for the flow and for the doctor', async () => {
    const { code, outcome } = await tampered(lab, 'redirected-document')
    expect([code, outcome?.expected]).toEqual([1, false])
    const faults = (await examined(lab)).filter(({ result }) => result !== 'pass')
    expect(faults.map(({ name, result }) => [name, result])).toEqual([['redirected-document', 'fault']])
  })
})

describe('at a lab that cannot read the document', () => {
  let lab: Serving
  let folder: ReturnType<typeof temporaryFolder>
  beforeAll(async () => {
    folder = temporaryFolder()
    const file = join(folder.path, 'lab.yaml')
    await writeFile(file, 'client_id_documents: { allow: [] }\n')
    lab = await serve(['--config', file])
  })
  afterAll(async () => {
    await lab?.remove()
    folder.remove()
  })

  it('nothing is said about its answer', async () => {
    const { code, outcome } = await tampered(lab, 'html-document')
    expect([code, outcome?.error?.error]).toEqual([2, 'not_here'])
    const found = await examined(lab)
    expect(new Set(found.map(({ result }) => result))).toEqual(new Set(['not_tried']))
    expect(found[0]?.detail).toMatch(/does not ask for a document on this computer/)
  })
})
