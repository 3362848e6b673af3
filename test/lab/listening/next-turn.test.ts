import { expect, it } from 'vitest'
import { nextTurn } from '../../../src/lab/listening/http-adapter.js'

/** Waits for the next turn, and then takes two steps. */
async function walk(name: string, steps: string[]): Promise<void> {
  await nextTurn()
  steps.push(`${name} one`)
  await null
  steps.push(`${name} two`)
}

it('resumes the requests of one turn together, step by step', async () => {
  const steps: string[] = []
  await Promise.all(['a', 'b', 'c'].map(name => walk(name, steps)))
  expect(steps).toEqual(['a one', 'b one', 'c one', 'a two', 'b two', 'c two'])
})

it('leaves a later request to the turn after it', async () => {
  const steps: string[] = []
  const later = nextTurn().then(() => walk('later', steps))
  await walk('early', steps)
  expect(steps).toEqual(['early one', 'early two'])
  await later
  expect(steps).toEqual(['early one', 'early two', 'later one', 'later two'])
})
