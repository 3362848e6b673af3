import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { KeptEvent } from '../../src/lab/state/event-file.js'
import { evidenceOf, judge } from '../../src/learn/engine/session.js'
import { placesOf } from '../../src/learn/engine/texts.js'
import { all, answered, inOrder, judgeProbe, oneOf, seen } from '../../src/learn/engine/vocabulary.js'
import { builtInLessons } from '../../src/learn/lesson-list.js'
import type { Facts, Task } from '../../src/learn/model.js'
import { PLANS, state } from '../../src/learn/probe/plans/plans.js'
import { shuffledRuns } from '../../src/learn/probe/run-probe.js'
import { forAll } from '../support/for-all.js'

const lessons = await builtInLessons()

let count = 0
const event = (type: string, members: Record<string, unknown> = {}): KeptEvent => ({
  type,
  at: '2026-11-22T10:00:00Z',
  lab: 'one',
  request: ++count,
  ...members,
})
const learner = { clients: ['demo'], user: 'alice' }
const facts: Facts = { client: 'demo', user: 'alice', ...placesOf(), answers: [] }

describe('evidence', () => {
  it('is what the client and the user of the task did', () => {
    const own = event('code.issued', { client_id: 'demo', username: 'alice' })
    const bob = event('code.issued', { client_id: 'demo', username: 'bob' })
    const other = event('token.issued', { client_id: 'demo-spa', sub: 'alice' })
    const service = event('token.issued', { client_id: 'demo', sub: 'demo' })
    const { events, others } = evidenceOf([own, bob, other, service], learner)
    expect(events).toEqual([own, service])
    expect(others).toEqual([bob, other])
  })

  it('counts the clients that introduced themselves where a task wants newcomers', () => {
    const registered = event('client.registered', { client_id: 'c1' })
    const fetched = event('client_document.fetched', { client_id: 'https://c.example/2' })
    const own = event('token.issued', { client_id: 'c1', sub: 'alice' })
    const document = event('token.issued', { client_id: 'https://c.example/2', sub: 'alice' })
    const bob = event('token.issued', { client_id: 'c1', sub: 'bob' })
    const unknown = event('token.issued', { client_id: 'c3', sub: 'alice' })
    const all = [registered, fetched, own, document, bob, unknown]
    expect(evidenceOf(all, learner).events).toEqual([])
    expect(evidenceOf(all, { ...learner, newcomers: true })).toMatchObject({
      events: [registered, fetched, own, document],
      others: [bob, unknown],
    })
  })

  it('gives an event without names to the one whose request it was', () => {
    const answered = event('request.answered', { request: 900 })
    const login = event('login.succeeded', { request: 900, client_id: 'demo', username: 'bob' })
    expect(evidenceOf([answered, login], learner).events).toEqual([])
    const same = { ...login, username: 'alice' }
    expect(evidenceOf([answered, same], learner).events).toEqual([answered, same])
    // The same number in another run of the lab is another request.
    expect(evidenceOf([{ ...answered, lab: 'two' }, same], learner).events).toEqual([same])
  })

  it.each(['doctor 1a2b', 'attack 1a2b'])('leaves %s out, which plays everybody', name => {
    const done = event('code.issued', { request: 901, client_id: 'demo', username: 'alice' })
    const run = event('request.answered', { request: 901, client_id: 'demo', run: name })
    expect(evidenceOf([done, run], learner).events).toEqual([])
  })

  it('is of the own program and of the lab of the lesson', () => {
    const named = (learner: string) => event('token.issued', { client_id: 'demo', sub: 'alice', learner })
    const [ann, ben, by] = [named('ann'), named('ben'), event('token.issued', { client_id: 'demo' })]
    const caused = event('resource.accepted', { client_id: 'demo', cause: ben.request })
    const weak = event('token.issued', { client_id: 'demo', sub: 'alice', weak: ['no-state'] })
    const all = [ann, ben, by, caused, weak]
    expect(evidenceOf(all, { ...learner, name: 'ann' }).events).toEqual([ann, by])
    expect(evidenceOf(all, learner).events).toEqual([by])
    expect(evidenceOf(all, { ...learner, weak: ['no-state'] }).events).toEqual([weak])
  })

  it('puts every event in one place, whatever its members are', async () => {
    const value = fc.oneof(fc.constantFrom('demo', 'alice', 'bob'), fc.jsonValue())
    const hostile = fc.record(
      { client_id: value, username: value, sub: value, request: value, cause: value },
      { requiredKeys: [] },
    )
    await forAll(fc.array(hostile), members => {
      const events = members.map(each => ({ ...event('x'), ...each }) as KeptEvent)
      const { events: own, others, withAnonymous } = evidenceOf(events, learner)
      expect(others.length + withAnonymous.length).toBe(events.length)
      for (const each of own) expect(withAnonymous).toContain(each)
    })
  })
})

describe('checks', () => {
  const issued = (code: string) => event('code.issued', { client_id: 'demo', username: 'alice', code })
  const redeemed = (code: string) => event('code.redeemed', { client_id: 'demo', username: 'alice', code })
  const check = inOrder(
    { event: 'code.issued', why: 'no code' },
    { event: 'code.redeemed', same: ['code'], why: 'not redeemed' },
  )
  const verdictOn = (...events: KeptEvent[]) => check(evidenceOf(events, learner), facts)

  it('follow one code among several', () => {
    expect(verdictOn(issued('a'), issued('b'), redeemed('b'))).toMatchObject({ done: true })
    expect(verdictOn(issued('a'), redeemed('b'))).toMatchObject({ done: false, why: 'not redeemed' })
    expect(verdictOn(redeemed('a'), issued('a'))).toMatchObject({ done: false, why: 'not redeemed' })
    expect(verdictOn()).toMatchObject({ done: false, why: 'no code' })
  })

  it('end after the task was shown; what came before may begin them', () => {
    const [old, late] = [[issued('a'), redeemed('a')], redeemed('a')]
    const verdict = (events: readonly KeptEvent[]) => check(evidenceOf(events, learner, new Set(old)), facts)
    expect(verdict(old)).toMatchObject({ done: false, why: 'not redeemed' })
    expect(verdict([...old, late])).toMatchObject({ done: true, events: [old[0], late] })
    const task = { ...(lessons[0]!.tasks[0] as Task), check, mistakes: [] }
    const shown = new Set(old)
    expect(judge(task, evidenceOf(old, learner, shown), facts, evidenceOf([], learner))).toMatchObject({
      done: false,
      why: expect.stringMatching(/^You have done this already: code.redeemed at 10:00:00/),
    })
  })

  it('combine', () => {
    const first = seen({ event: 'a', why: 'no a' })
    const second = seen({ event: 'b', why: 'no b' })
    const evidence = evidenceOf([event('a', { client_id: 'demo' })], learner)
    expect(all(first, second)(evidence, facts)).toMatchObject({ done: false, why: 'no b' })
    expect(oneOf(second, first)(evidence, facts)).toMatchObject({ done: true })
  })

  it('read answers without case, articles and full stops', () => {
    const question = answered({
      right: ['client'],
      why: 'none',
      otherwise: 'no',
      wrong: [{ when: ['browser'], why: 'not the browser', again: 'still not' }],
    })
    const to = (...answers: string[]) => question(evidenceOf([], learner), { ...facts, answers })
    expect(to('The Client.').done).toBe(true)
    expect(to('browser')).toMatchObject({ why: 'not the browser' })
    expect(to('browser', 'a browser', 'the browser')).toMatchObject({ why: 'still not' })
    expect(to('client', 'moon')).toMatchObject({ done: false, why: 'no' })
    expect(to()).toMatchObject({ why: 'none' })
  })
})

describe('a probe', () => {
  it.each(Object.entries(PLANS))('of %s has three right runs and three lies', (name, { runs }) => {
    expect(runs.filter(run => run.wrong === undefined)).toHaveLength(3)
    // Nothing can be wrong about three steps, and the client cannot see the audience of its token.
    const lies = name === 'code' || name === 'audience' ? 0 : 3
    expect(new Set(runs.flatMap(run => run.wrong ?? [])).size).toBe(lies)
  })

  it('begins with no run that needs an earlier one', () =>
    forAll(fc.infiniteStream(fc.nat()), numbers => {
      const random = (below: number) => Number(numbers.next().value) % below
      const runs = shuffledRuns(state.runs, random)
      expect(runs[0]?.wrong).not.toBe('the state of another login')
      expect(new Set(runs)).toEqual(new Set(state.runs))
    }))

  it('is not passed by a client that refuses one right answer', () => {
    const right = { finished: true, expected: 'a', received: 'a' }
    const wrong = { wrong: 'a lie', finished: false, expected: 'a', received: 'b' }
    const runs = [right, { ...right, expected: 'b' }, { ...right, expected: 'c' }, wrong, wrong, wrong]
    expect(judgeProbe({ probe: 'state', runs })).toBe('passed')
    expect(judgeProbe({ probe: 'state', runs: [{ ...right, finished: false }, ...runs.slice(1)] })).toContain(
      'refused 1 right run',
    )
  })
})
