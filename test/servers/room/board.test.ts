import { describe, expect, it } from 'vitest'
import type { NewFact } from '../../../src/protocol/room/facts.js'
import { clock, exampleRoom, factsFrom, joinAll } from './example.js'

const RULE = 'invalid_grant RFC 7636 §4.6'
const verifier = { lesson: '05-pkce', task: 'verifier' }
const refused: Partial<NewFact> = { ...verifier, fact: 'refused', rule: RULE }

/** A room of four whose first person sends facts. The others have done the task in 10 seconds. */
function afterFacts(...facts: readonly Partial<NewFact>[]) {
  const room = exampleRoom()
  const people = joinAll(room, ['Ann', 'Ben', 'Cem', 'Dora'])
  for (const { who } of people) room.take(who, factsFrom(1, { fact: 'lesson.opened' }, verifier))
  clock.now += 10_000
  for (const { who } of people.slice(1)) room.take(who, factsFrom(3, { ...verifier, fact: 'task.done' }))
  room.take(people[0]!.who, factsFrom(3, ...facts))
  return { room, person: () => room.board().people[0]! }
}

describe('a person is stuck', () => {
  it.each<[string, readonly Partial<NewFact>[], object | undefined]>([
    ['never without a reason', [], undefined],
    ['after three refusals by one rule', [refused, refused, refused], { why: 'refused', rule: RULE }],
    ['not after two', [refused, refused], undefined],
    [
      'not after three by three rules',
      [refused, { ...refused, rule: 'b' }, { ...refused, rule: 'c' }],
      undefined,
    ],
    ['with the solution', [{ ...verifier, fact: 'solution.taken' }], { why: 'hints' }],
    ['not with one hint', [{ ...verifier, fact: 'hint.taken' }], undefined],
    [
      'with both',
      [
        { ...verifier, fact: 'hint.taken' },
        { ...verifier, fact: 'hint.taken' },
      ],
      { why: 'hints' },
    ],
    ['who says so', [{ fact: 'stuck' }], { why: 'said' }],
    ['no longer with the task done', [{ fact: 'stuck' }, { ...verifier, fact: 'task.done' }], undefined],
    ['no longer at the next task', [refused, refused, refused, { ...verifier, task: 'stolen' }], undefined],
  ])('%s', (_, facts, stuck) => expect(afterFacts(...facts).person().stuck).toEqual(stuck))

  it('who needs more than twice the median time of three people', () => {
    const { person } = afterFacts()
    clock.now += 10_000
    expect(person().stuck).toBeUndefined()
    clock.now += 1
    expect(person().stuck).toEqual({ why: 'slow' })
  })

  it('not when the person has left', () => {
    const { room, person } = afterFacts(refused, refused, refused)
    room.leave(person().who)
    expect(person().stuck).toBeUndefined()
    expect(room.board().groups).toEqual([])
  })
})

describe('a board', () => {
  it('has a cell for each task, by the clock of the teacher', () => {
    const { room } = afterFacts()
    expect(room.board().people[1]).toMatchObject({
      name: 'Ben',
      lesson: '05-pkce',
      task: 'verifier',
      tasks: { '05-pkce/verifier': { state: 'done', hints: 0, solution: false, refused: {}, took: 10_000 } },
    })
  })

  it('times facts that waited as they happened, whatever the clock of the participant says', () => {
    const room = exampleRoom()
    const [ann] = joinAll(room, ['Ann'])
    const wrongClock = (ms: number) => new Date(clock.now - 86_400_000 + ms).toISOString()
    room.take(ann!.who, factsFrom(1, { ...verifier, at: wrongClock(0) }))
    clock.now += 60_000
    const late = { at: wrongClock(-40_000), ...verifier, fact: 'task.done' } as const
    room.take(ann!.who, factsFrom(2, late))
    expect(room.board().people[0]!.tasks['05-pkce/verifier']).toMatchObject({ took: 20_000 })
  })

  it('groups people by the rule that holds them, largest group first', () => {
    const room = exampleRoom()
    const [ann, ben, cem, dora] = joinAll(room, ['Ann', 'Ben', 'Cem', 'Dora']).map(({ who }) => who)
    const other = { ...refused, rule: 'access_denied' }
    room.take(ann!, factsFrom(1, other))
    room.take(ben!, factsFrom(1, refused))
    room.take(cem!, factsFrom(1, other, refused, refused))
    room.take(dora!, factsFrom(1, refused, { ...verifier, fact: 'task.done' }))
    expect(room.board().groups).toEqual([
      { ...verifier, rule: RULE, who: [ben, cem] },
      { ...verifier, rule: 'access_denied', who: [ann] },
    ])
  })

  it('counts the answers to a prediction, before and after', () => {
    const room = exampleRoom()
    const answer = (letter: string) => ({ fact: 'prediction.answered', answer: letter }) as const
    const all = [['a'], ['b', 'a'], ['b', 'b', 'a'], []]
    for (const [i, letters] of all.entries()) {
      const [person] = joinAll(room, [`person ${i}`])
      room.take(person!.who, factsFrom(1, ...letters.map(answer)))
    }
    expect(room.board().polls).toEqual([{ lesson: '05-pkce', before: { a: 1, b: 2 }, after: { a: 2 } }])
  })

  it('has no cell for lessons and tasks that the room has not, and few rules at one task', () => {
    const { room, person } = afterFacts(
      { lesson: '99-mine', task: 'x' },
      { lesson: '__proto__', fact: 'prediction.answered', answer: 'a' },
      { lesson: '05-pkce', task: '__proto__' },
      ...Array.from({ length: 500 }, (_, i) => ({ ...refused, rule: `rule ${i}` })),
      { ...refused, rule: '__proto__' },
    )
    expect(Object.keys(person().tasks)).toEqual(['05-pkce/verifier'])
    expect(Object.keys(person().tasks['05-pkce/verifier']!.refused)).toHaveLength(20)
    expect(room.board().polls).toEqual([])
  })
})
