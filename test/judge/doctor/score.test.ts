import { expect, it } from 'vitest'
import { type Finding, scoreOf } from '../../../src/judge/doctor/finding.js'

type Result = Finding['result']

it.each<[results: Result[], percent: number]>([
  [[], 0],
  [['not_applicable'], 0],
  [['pass'], 100],
  [['pass', 'not_applicable'], 100],
  [['fault'], 0],
  [['not_tried'], 0],
  [['pass', 'not_tried'], 50],
  [['pass', 'pass', 'fault'], 66],
  [['pass', 'pass', 'fault', 'not_tried'], 50],
  [['pass', 'weakness', 'remark'], 66],
  [['remark'], 100],
  [[...Array.from({ length: 999 }, (): Result => 'pass'), 'fault'], 99],
  [[...Array.from({ length: 999 }, (): Result => 'pass'), 'not_tried'], 99],
])('a score counts: %j is %i %%', (results, percent) => {
  const found = results.map(result => ({ result }) as Finding)
  const count = (wanted: Result) => results.filter(each => each === wanted).length
  expect(scoreOf(found)).toEqual({
    passed: count('pass'),
    faults: count('fault'),
    weaknesses: count('weakness'),
    remarks: count('remark'),
    not_applicable: count('not_applicable'),
    not_tried: count('not_tried'),
    percent,
  })
})

it('does not count what is ignored', () => {
  const found = [{ result: 'pass' }, { result: 'fault', ignored: true }] as Finding[]
  expect(scoreOf(found)).toMatchObject({ passed: 1, faults: 0, percent: 100 })
})
