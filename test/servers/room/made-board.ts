import { readFileSync } from 'node:fs'
import type { LabEvent } from '../../../src/protocol/events.js'
import { createLanes } from '../../../src/servers/room/lanes.js'
import type {
  Board,
  BoardLesson,
  BoardPerson,
  Lane,
  Stuck,
  TaskCell,
} from '../../../src/servers/room/model.js'

/** Events of a lab as `serve --json` wrote them, while one person ran a flow or a command after the other. */
export const recordedEvents: readonly LabEvent[] = readFileSync(
  new URL('lab-events.jsonl', import.meta.url),
  'utf8',
)
  .trimEnd()
  .split('\n')
  .map(line => JSON.parse(line))

/** The recorded flows in order, each as it was when the next began. */
export function recordedLanes(): readonly Lane[] {
  const lanes = createLanes()
  const had = new Map<string, Lane>()
  for (const event of recordedEvents) {
    lanes.add(event, 'K7-01')
    for (const lane of lanes.lanes()) had.set(lane.at, lane)
  }
  return [...had.values()]
}

/** The recorded flows as those of twelve people of the made board. */
export const madeLanes = (): readonly Lane[] =>
  recordedLanes()
    .slice(0, 12)
    .map((lane, i) => ({ ...lane, who: `K7-${String(i + 1).padStart(2, '0')}` }))

/** A name that would act if it were not shown as text: markup, an escape sequence and a direction override. */
const HOSTILE = '<img src=x onerror=alert(1)>\u001b[31m\u202e'

const at = (minute: number, second = 0): string =>
  new Date(Date.UTC(2026, 10, 28, 10, minute, second)).toISOString().replace('.000Z', 'Z')

const LESSONS: readonly BoardLesson[] = [
  {
    name: '04-state',
    title: 'State: the answer belongs to this browser',
    tasks: ['without-state', 'state-checked'],
    question:
      'A stranger sends you a link that ends at the client with a code of the stranger. What happens?',
    options: [
      'You are logged in as the stranger.',
      'The client refuses the answer.',
      'The server refuses the code.',
    ],
    right: 'b',
  },
  {
    name: '05-pkce',
    title: 'PKCE: the code is bound to the client that asked',
    tasks: ['challenge', 'verifier', 'wrong-verifier', 'downgrade'],
    question:
      'A thief puts a copied code into his own session. The client redeems it, with its secret, and with the verifier of that session. What happens?',
    options: [
      'Tokens. The secret is right, and PKCE is for clients without one.',
      'Tokens, unless the state was wrong.',
      'invalid_grant: that verifier does not belong to that code.',
    ],
    right: 'c',
  },
  {
    name: '06-one-use',
    title: 'A code is good once',
    tasks: ['redeem', 'replay'],
    question: 'The client redeems a code twice. What happens to the first token?',
    options: ['Nothing.', 'It is revoked.'],
    right: 'b',
  },
]

const NAMES = ['Dora', 'Emil', 'Fatima', 'Gustav', 'Hélène', 'Ivo', 'Jana', 'Kofi', 'Lin', 'Mehmet', HOSTILE]

const RULE = 'invalid_grant RFC 7636 §4.6'

function stuckOf(i: number): Stuck | undefined {
  if (i % 7 === 3) return { why: 'refused', rule: RULE }
  return ({ 5: { why: 'said' }, 12: { why: 'hints' }, 20: { why: 'slow' } } as const)[i]
}

function person(i: number): BoardPerson {
  const who = `K7-${String(i + 1).padStart(2, '0')}`
  const stuck = stuckOf(i)
  const done = stuck === undefined ? (i * 5) % 5 : 1
  const tasks: Record<string, TaskCell> = {}
  for (const task of LESSONS[0]!.tasks)
    tasks[`04-state/${task}`] = {
      state: 'done',
      hints: i % 3,
      solution: false,
      refused: {},
      took: 95_000 + i * 7000,
    }
  const [, pkce] = LESSONS
  pkce!.tasks.slice(0, (done + i) % 5).forEach((task, n) => {
    tasks[`05-pkce/${task}`] = {
      state: 'done',
      hints: (i + n) % 3,
      solution: i === 12,
      refused: n === 1 ? { [RULE]: 1 } : {},
      took: 60_000 * (n + 1),
    }
  })
  const task = pkce!.tasks[Math.min(3, (done + i) % 5)]!
  if (tasks[`05-pkce/${task}`] === undefined)
    tasks[`05-pkce/${task}`] = {
      state: 'shown',
      hints: i % 2,
      solution: false,
      refused: stuck?.why === 'refused' ? { [RULE]: 3 } : {},
    }
  return {
    who,
    name: i < NAMES.length ? NAMES[i]! : `${NAMES[i % 10]!} ${Math.floor(i / 10) + 1}`,
    joinedAt: at(0, i % 60),
    online: i % 9 !== 8,
    lastAt: at(20),
    idle: i % 11 === 10,
    lesson: '05-pkce',
    task,
    since: at(12 + (i % 8)),
    tasks,
    predictions: { '05-pkce': { first: 'abc'[i % 3]!, ...(i % 2 === 0 && { last: 'cbc'[i % 3]! }) } },
    ...(stuck && { stuck }),
  }
}

/** A board as a class has it in the middle of its second lesson; the eleventh person has the hostile name. */
export function madeBoard(count = 30): Board {
  const people = Array.from({ length: count }, (_, i) => person(i))
  const held = people.filter(({ stuck }) => stuck?.why === 'refused')
  const counted = (pick: (each: BoardPerson) => string | undefined) => {
    const counts: Record<string, number> = {}
    for (const each of people) {
      const letter = pick(each)
      if (letter !== undefined) counts[letter] = (counts[letter] ?? 0) + 1
    }
    return counts
  }
  return {
    room: 'OAuth on Friday',
    code: 'K7QM-3D9X-0ABC-DEFG-HJKM-NPQR',
    at: at(21),
    lessons: LESSONS,
    people,
    groups: [
      { lesson: '05-pkce', task: 'verifier', rule: RULE, who: held.map(({ who }) => who) },
      { lesson: '05-pkce', task: 'challenge', rule: 'invalid_request', who: ['K7-02'] },
    ],
    polls: [
      {
        lesson: '05-pkce',
        before: counted(({ predictions }) => predictions['05-pkce']?.first),
        after: counted(({ predictions }) => predictions['05-pkce']?.last),
      },
      { lesson: '04-state', before: { a: 12, b: count - 15, c: 3 }, after: {} },
    ],
    phase: { lesson: '05-pkce', pace: { kind: 'together', share: 0.8 }, open: ['05-pkce/challenge'] },
  }
}
