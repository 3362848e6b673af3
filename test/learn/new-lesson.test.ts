import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { KeptEvent } from '../../src/lab/state/event-file.js'
import { hintLines, openingLines, taskLines } from '../../src/learn/engine/lesson-lines.js'
import { evidenceOf, judge } from '../../src/learn/engine/session.js'
import { placesOf } from '../../src/learn/engine/texts.js'
import type { Lesson } from '../../src/learn/model.js'
import { loadLessons } from '../../src/learn/teacher/load-lessons.js'
import { EVENTS } from '../../src/protocol/event-catalogue.js'
import { temporaryFolder } from '../support/program.js'

/** A lesson as CONTRIBUTING.md describes one: a file. */
const text = `
title: A token for the client itself
minutes: 4
needs: { client: demo, user: alice }
opening: A program that acts for nobody but itself asks in its own name.
prediction:
  question: Who is the subject of its token?
  options:
  - text: The client.
    reply: Nobody else took part.
  - text: alice.
    misconception: somebody logged in
    reply: Nobody logged in.
tasks:
- name: ask
  say: Ask for a token in the name of {client}.
  check:
    seen: token.issued
    where: { grant_type: client_credentials }
    why: '{client} has no token of its own yet.'
  mistakes:
  - seen: login.succeeded
    why: '{user} logged in, and nobody needs to.'
    again: Still a login. The grant is called client_credentials.
  hints:
    question: Which grant knows no user?
    place: 'One POST to /token.'
    line: oauth-lab flow client-credentials --client {client}
  solutions:
    cli: oauth-lab flow client-credentials --client {client}
    curl: curl -s --cacert "$CA" -u demo:demo-secret -d grant_type=client_credentials "$LAB/token"
  near_misses:
  - { name: a login, lines: oauth-lab flow code --client demo, why: 'alice logged in, and nobody needs to.' }
  - { name: nothing, lines: 'true', why: 'demo has no token of its own yet.' }
explanation: The client was its own resource owner (RFC 6749 §4.4).
remember: No user, no login.
rule: RFC 6749 §4.4
`
const names = { client: 'demo', user: 'alice', ...placesOf() }
const learner = { clients: ['demo'], user: 'alice' }
const event = (type: string, members: object): KeptEvent => ({
  type,
  at: '2026-11-27T10:00:00Z',
  lab: 'one',
  request: 1,
  client_id: 'demo',
  ...members,
})

let folder: ReturnType<typeof temporaryFolder>
let lesson: Lesson
beforeAll(async () => {
  folder = temporaryFolder()
  await writeFile(join(folder.path, '01-own-token.yaml'), text)
  lesson = (await loadLessons(folder.path, Object.keys(EVENTS)))[0]!
})
afterAll(() => folder.remove())

it('a new lesson is shown from its file: opening, task and hints', () => {
  const [task] = lesson.tasks
  const shown = [
    ...openingLines(lesson, names),
    ...taskLines(lesson, task!, names),
    ...[1, 2, 3].flatMap(given => hintLines(task!, given, names)),
  ].join('\n')
  expect(shown).toContain('A program that acts for nobody but itself asks in its own name.')
  expect(shown).toContain('Ask for a token in the name of demo.')
  expect(shown).toContain('oauth-lab flow client-credentials --client demo')
})

it.each([
  [[], 'demo has no token of its own yet.'],
  [[event('login.succeeded', { username: 'alice' })], 'alice logged in, and nobody needs to.'],
  [[event('token.issued', { grant_type: 'client_credentials', sub: 'demo' })], undefined],
])('a new lesson judges its task by the events of the lab (%#)', (events, why) => {
  const verdict = judge(lesson.tasks[0]!, evidenceOf(events, learner), { ...names, answers: [] })
  expect(verdict).toMatchObject(why === undefined ? { done: true } : { done: false, why })
})
