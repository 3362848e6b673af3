import { expect, it } from 'vitest'
import { readKeptFact, readRoomState } from '../../../src/servers/room/state.js'
import { factsFrom, newState } from './example.js'

it('reads a state back, and no other text', () => {
  const state = newState()
  expect(readRoomState(JSON.stringify(state))).toEqual(state)
  for (const text of ['', '{', 'null', '[]', '{}', JSON.stringify({ ...state, version: 2 })]) {
    expect(readRoomState(text)).toBeUndefined()
  }
})

it('reads a kept fact back, and no torn line', () => {
  const [fact] = factsFrom(1, { task: 'verifier' })
  const line = JSON.stringify({ who: 'KJ-01', ...fact })
  expect(readKeptFact(line)).toEqual({ who: 'KJ-01', ...fact })
  for (const text of ['', line.slice(0, -1), line.slice(1), '{}', JSON.stringify(fact), '{"who":"KJ-01"}']) {
    expect(readKeptFact(text)).toBeUndefined()
  }
})
