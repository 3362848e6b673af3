import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { placesOf } from '../../src/learn/engine/texts.js'
import { attemptsOf, trialLab } from '../../src/learn/engine/trial.js'
import { builtInLessons } from '../../src/learn/lesson-list.js'
import type { Lesson } from '../../src/learn/model.js'
import { loadLessons } from '../../src/learn/teacher/load-lessons.js'
import { paragraphs } from '../../src/learn/teacher/read-lesson.js'
import { teacherLines } from '../../src/learn/teacher/teacher-page.js'
import type { UserError } from '../../src/protocol/errors.js'
import { EVENTS } from '../../src/protocol/event-catalogue.js'
import { launcher, temporaryFolder } from '../support/program.js'
import { root } from '../support/source-files.js'

const types = Object.keys(EVENTS)
const example = join(root, 'examples/lesson')

let folder: ReturnType<typeof temporaryFolder>
beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(() => folder.remove())

/** The lines of the error for the example with a change. */
async function problems(change: (text: string) => string): Promise<readonly string[]> {
  const text = await readFile(join(example, '01-ask-for-less.yaml'), 'utf8')
  const changed = change(text)
  expect(changed).not.toBe(text)
  await writeFile(join(folder.path, '01-less.yaml'), changed)
  const error = await loadLessons(folder.path, types).then(
    () => undefined,
    (caught: UserError) => caught,
  )
  expect(error?.kind).toBe('usage')
  return [error?.message ?? '', ...(error?.hints ?? [])].map(line => line.replace(`${folder.path}/`, ''))
}

it('a built-in lesson is a lesson of a teacher: its file is read from any folder', async () => {
  const lessons = await builtInLessons()
  for (const { name } of lessons)
    await copyFile(join(root, `content/lessons/${name}.yaml`), join(folder.path, `${name}.yaml`))
  const plain = (all: readonly Lesson[]) =>
    JSON.parse(JSON.stringify(all, (key, value) => (['probe', 'builtIn'].includes(key) ? undefined : value)))
  expect(plain(await loadLessons(folder.path, types))).toEqual(plain(lessons))
})

describe('the example of a lesson', () => {
  it('is proved by its solutions and near misses', { timeout: 240_000 }, async () => {
    for (const lesson of await loadLessons(example, types)) {
      const lab = await trialLab(lesson, launcher, { lessons: example })
      try {
        for (const attempt of attemptsOf(lesson))
          expect(await lab.attempt(attempt), attempt.name).toBeUndefined()
      } finally {
        await lab.stop()
      }
    }
  })
})

describe('a broken lesson is refused with its line and what is allowed:', () => {
  it('a misspelt member', async () => {
    const [first] = await problems(text => text.replace('explanation:', 'explanatoin:'))
    expect(first).toMatch(
      /^01-less\.yaml:\d+: explanatoin: there is no such member; allowed: .*Did you mean explanation\?$/,
    )
  })

  it('an event that does not exist, so that the check can never pass', async () => {
    const [first] = await problems(text => text.replace('seen: code.redeemed', 'seen: code.redemed'))
    expect(first).toBe(
      '01-less.yaml:31: tasks[0].check.in_order[1].seen: "code.redemed" is not allowed. Did you mean code.redeemed?',
    )
  })

  it('a check of an unknown kind', async () => {
    const [first] = await problems(text => text.replace('in_order:', 'sequence:'))
    expect(first).toContain(
      'a check is one of seen, in_order, all, one_of, answer, answer_in, probe, judged_by; it has none of them',
    )
  })

  it('a probe that is not there', async () => {
    const [first] = await problems(text => text.replace(/in_order:\n(?: {8}.*\n)+/, 'probe: cookie\n'))
    expect(first).toMatch(/cookie.*state, iss, nonce, at_hash, mix-up, access-token, code/)
  })

  it('a task without near misses', async () => {
    const all = await problems(text =>
      text.replace(/ {4}near_misses:\n(?: {6}.*\n)+/, '    near_misses: []\n'),
    )
    expect(all[0]).toBe(
      '01-less.yaml: the task read-only has 0 near misses; two at least prove that its check refuses',
    )
  })

  it('an opening that nobody reads', async () => {
    const [first] = await problems(text =>
      text.replace('opening: |\n', `opening: |\n${'  Read this.\n\n'.repeat(20)}`),
    )
    expect(first).toMatch(/\d+ lines stand before the first thing to do; at most 18 are read/)
  })

  it('a prediction without a right option', async () => {
    const [first] = await problems(text =>
      text.replace('- text: Read.', '- text: Read.\n      misconception: x'),
    )
    expect(first).toContain('0 options of the prediction have no misconception')
  })

  it('a misconception that the program does not have', async () => {
    const [first] = await problems(text => text.replace(/misconception: .*/, 'misconception: state-is-pkc'))
    expect(first).toContain('Did you mean state-is-pkce?')
  })

  it('text that is no YAML', async () => {
    const [first, where] = await problems(text => text.replace('minutes: 4', 'minutes: [4'))
    expect(first).toMatch(/^this is neither YAML nor JSON/)
    expect(where).toMatch(/^01-less\.yaml:\d+:\d+: /)
  })

  it('a name that is not NN-name, and a lesson before it that is not there', async () => {
    await mkdir(join(folder.path, 'x'))
    await copyFile(join(example, '01-ask-for-less.yaml'), join(folder.path, 'x/scopes.yaml'))
    await expect(loadLessons(join(folder.path, 'x'), types)).rejects.toThrow(
      'the name scopes is not like 04-state',
    )
    const all = await problems(text => text.replace('minutes: 4', 'minutes: 4\nafter: [00-first]'))
    expect(all[0]).toContain('after names 00-first, which is not in')
  })

  it('an empty folder, and one that is not there', async () => {
    await expect(loadLessons(folder.path, types)).rejects.toThrow('there is no lesson in')
    await expect(loadLessons(join(folder.path, 'none'), types)).rejects.toThrow('there is no such folder')
  })
})

describe('a course file', () => {
  const course = async (text: string) => {
    await copyFile(join(example, '01-ask-for-less.yaml'), join(folder.path, '04-state.yaml'))
    await writeFile(join(folder.path, 'course.yaml'), text)
    return loadLessons(folder.path, types)
  }

  it('orders, replaces and leaves out lessons of the program', async () => {
    const lessons = await course('lessons: [ 05-pkce, 04-state, 00-printing-service ]')
    expect(lessons.map(({ name, builtIn }) => [name, builtIn])).toEqual([
      ['05-pkce', true],
      ['04-state', undefined],
      ['00-printing-service', true],
    ])
    expect(lessons[0]?.after).toEqual(['04-state'])
    expect((await course('lessons: [ 06-one-use ]'))[0]?.after).toEqual([])
  })

  it.each([
    ['lessons: [ 05-pkcee ]', /Did you mean 05-pkce\?/],
    ['lessons: [ 04-state, 04-state ]', /04-state is named twice/],
    ['lesson: 04-state', /there is no such member.*Did you mean lessons\?/],
  ])('%s is refused', async (text, problem) => {
    await expect(course(text)).rejects.toThrow(problem)
  })
})

it('a page for a teacher has what people get wrong, without internal names', async () => {
  for (const lesson of await builtInLessons()) {
    const text = teacherLines(lesson, { ...placesOf(), client: 'course', user: 'alice' }).join('\n')
    for (const { misconception = 'own: ' } of lesson.prediction.options)
      if (!misconception.startsWith('own: ')) expect(text).not.toContain(misconception)
    expect(text).toContain('What people get wrong\n- “')
    expect(text.split('\n').length).toBeLessThan(80)
  }
})

it('a value of any shape in place of a lesson is a usage error, never a crash', async () => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), async value => {
      await writeFile(join(folder.path, '01-any.yaml'), JSON.stringify(value))
      await expect(loadLessons(folder.path, types)).rejects.toMatchObject({ kind: 'usage' })
    }),
    { numRuns: 50 },
  )
})

it('Markdown becomes paragraphs, lines of code and items', () => {
  const text = 'One\n**two** `three`.\n\n    oauth-lab serve\n\n- first\n- second\n'
  expect(paragraphs(text)).toEqual(['One two three.', '  oauth-lab serve', '- first', '- second'])
})
