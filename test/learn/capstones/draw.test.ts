import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CapstoneProgress } from '../../../src/learn/capstones/capstone-progress.js'
import { drawsOf, seedOf } from '../../../src/learn/capstones/draw.js'
import { answerQuiz, isFound } from '../../../src/learn/capstones/quiz.js'
import {
  examinedDefences,
  hiddenModes,
  missingDefences,
  serverQuiz,
} from '../../../src/learn/capstones/weak-server.js'
import { judgeAnswers } from '../../../src/learn/engine/hidden.js'
import { WEAK_NAMES, weakModes } from '../../../src/protocol/rules/weak-modes.js'
import { forAll } from '../../support/for-all.js'

const FRESH: CapstoneProgress = {
  seed: 1,
  startedAt: '2026-01-01T00:00:00Z',
  found: [],
  falseAlarms: [],
  failedChecks: 0,
}

const anySeed = fc.oneof(fc.nat(), fc.constantFrom(0, 1, 999_999_999_999_999, Number.MAX_SAFE_INTEGER))

describe('seeds', () => {
  it('come from the name of the learner, and differ between neighbours', async () => {
    const names = Array.from({ length: 200 }, (_, i) => `learner-${i}`)
    expect(new Set(names.map(seedOf)).size).toBe(200)
    expect(seedOf('ann')).toBe(seedOf('ann'))
    await forAll(fc.string(), name => {
      expect(Number.isSafeInteger(seedOf(name)) && seedOf(name) >= 0).toBe(true)
    })
  })

  it('repeat their draws, which lose and double nothing', () =>
    forAll(anySeed, fc.uniqueArray(fc.nat(), { minLength: 1 }), (seed, items) => {
      const drawn = drawsOf(seed, 'test').shuffled(items)
      expect(drawsOf(seed, 'test').shuffled(items)).toEqual(drawn)
      expect([...drawn].sort()).toEqual([...items].sort())
    }))
})

describe('the weak server', () => {
  it('misses one defence of each site, whatever the seed', () =>
    forAll(anySeed, seed => {
      const modes = weakModes(missingDefences(seed))
      expect(modes.map(({ at }) => at)).toEqual(['authorization-server', 'resource-server', 'demo-client'])
      expect(hiddenModes(missingDefences(seed))[0]).toBe('hidden')
    }))

  it('draws every mode for somebody', () => {
    const drawn = new Set(Array.from({ length: 400 }, (_, seed) => missingDefences(seed)).flat())
    expect(drawn.size).toBe(22)
  })
})

describe('the lab of an examination', () => {
  it('misses one defence of each server, and every seed of a few draws each of them', () => {
    const drawn = Array.from({ length: 200 }, (_, seed) => examinedDefences(seed))
    for (const names of drawn)
      expect(weakModes(names).map(({ at }) => at)).toEqual(['authorization-server', 'resource-server'])
    expect(new Set(drawn.flat()).size).toBe(9)
  })

  it('counts a wrong name once, and no word that is no name', () => {
    const judged = judgeAnswers(['code-reuse', 'hs-rs'], ['no-mask, HS-RS', 'no-mask', 'moon'], WEAK_NAMES)
    expect(judged).toMatchObject({ found: ['hs-rs'], falseAlarms: ['no-mask'] })
  })
})

describe('answerQuiz', () => {
  it('counts each false alarm once, and is done when everything was found, in any order', () =>
    forAll(anySeed, fc.shuffledSubarray([...WEAK_NAMES], { minLength: WEAK_NAMES.length }), (seed, names) => {
      const quiz = serverQuiz(seed)
      const twice = [...names, ...names]
      const end = twice.reduce((progress, name) => answerQuiz(quiz, progress, name).progress, FRESH)
      expect(isFound(quiz, end)).toBe(true)
      expect(end.falseAlarms).toHaveLength(WEAK_NAMES.length - 3)
      expect(new Set(end.falseAlarms).size).toBe(end.falseAlarms.length)
    }))
})
