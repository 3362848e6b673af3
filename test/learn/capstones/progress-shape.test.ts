import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { certificate, progressLines } from '../../../src/learn/engine/certificate.js'
import { type Progress, readProgress } from '../../../src/learn/engine/progress.js'
import { dueReviews } from '../../../src/learn/engine/review.js'
import { builtInLessons } from '../../../src/learn/lesson-list.js'
import { UsageError } from '../../../src/protocol/errors.js'
import { temporaryFolder } from '../../support/program.js'

const WHOLE: Progress = {
  version: 1,
  current: { lesson: '04-state', mark: { generation: 1, offset: 0 }, client: 'demo', user: 'alice' },
  lessons: {
    '00-printing-service': {
      title: 'The printing service',
      startedAt: '2026-01-01T10:00:00.000Z',
      doneAt: '2026-01-01T10:05:00.000Z',
      since: { generation: 1, offset: 12 },
      prediction: 'b',
      reviews: ['2026-01-02T12:00:00.000Z'],
      tasks: {
        password: {
          doneAt: '2026-01-01T10:05:00.000Z',
          hints: 1,
          solution: false,
          answers: ['x'],
          events: [{ type: 'token.issued', at: '2026-01-01T10:04:00.000Z', lab: '1' }],
          probe: { probe: 'state', runs: [{ finished: true, expected: 'a', received: 'b' }] },
        },
      },
    },
  },
  capstone: 'capstone-server',
  capstones: {
    'capstone-server': {
      seed: 3,
      startedAt: '2026-01-03T10:00:00.000Z',
      found: ['no-iss'],
      falseAlarms: [],
      failedChecks: 0,
    },
  },
}

/** Every place in a value, as paths of names. */
function paths(value: unknown, here: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [here]
  return [here, ...Object.entries(value).flatMap(([name, part]) => paths(part, [...here, name]))]
}

/** A copy with another value at a place. */
function changed(value: unknown, [name, ...rest]: readonly string[], put: unknown): unknown {
  if (name === undefined) return put
  const copy = structuredClone(value) as Record<string, unknown>
  copy[name] = changed(copy[name], rest, put)
  return copy
}

describe('a progress file', () => {
  const folder = temporaryFolder()
  const home = join(folder.path, 'lab')
  mkdirSync(home, { mode: 0o700 })
  afterAll(() => folder.remove())
  const put = (text: string) => writeFileSync(join(home, 'learn.json'), text)

  it('is read as it was written', async () => {
    put(JSON.stringify(WHOLE))
    expect(await readProgress(home)).toEqual(WHOLE)
  })

  it('that was changed anywhere is refused in one sentence, or does no harm', async () => {
    const lessons = await builtInLessons()
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...paths(WHOLE)),
        fc.oneof(fc.jsonValue(), fc.constantFrom(null, {}, [], '', -1, 1e300, 'x'.repeat(1000))),
        async (path, value) => {
          put(JSON.stringify(changed(WHOLE, path, value)))
          try {
            const progress = await readProgress(home)
            progressLines(lessons, progress)
            certificate(lessons, progress)
            dueReviews(lessons, progress, Date.now())
          } catch (error) {
            expect(error).toBeInstanceOf(UsageError)
            expect((error as UsageError).hints).toEqual(['Begin again:  oauth-lab learn reset'])
          }
        },
      ),
      { numRuns: 300 },
    )
  })

  it('that is torn, empty or no JSON is refused', async () => {
    const text = JSON.stringify(WHOLE)
    for (const broken of ['', '{', text.slice(0, -2), 'null', '[]', '42', '"x"', '\u0000']) {
      put(broken)
      await expect(readProgress(home)).rejects.toThrow(UsageError)
    }
  })
})
