import { expect, it } from 'vitest'
import { readLeadLine } from '../../../src/commands/workshop/lead-lines.js'
import { lessons } from '../../servers/room/example.js'

const together = { kind: 'together', share: 1 } as const
const phase = { lesson: '04-state', pace: together, open: [] }
const act = (action: object) => ({ kind: 'action', action })

it.each<[string, object]>([
  ['say  Look at the board ', act({ do: 'say', text: 'Look at the board' })],
  ['hint', act({ do: 'hint' })],
  ['free', act({ do: 'phase', lesson: '04-state', pace: { kind: 'free' } })],
  ['most', act({ do: 'phase', lesson: '04-state', pace: { kind: 'together', share: 0.8 } })],
  ['together', act({ do: 'phase', lesson: '04-state', pace: together })],
  ['next', act({ do: 'open', task: '04-state/without' })],
  ['open', act({ do: 'open', task: '04-state/without' })],
  ['end', act({ do: 'end' })],
  ['report', { kind: 'report' }],
  ['say', { kind: 'problem', problem: 'say takes a sentence of up to 300 characters' }],
  ['constructor', { kind: 'problem', problem: expect.stringContaining('Type one of: say TEXT') }],
  ['', { kind: 'problem', problem: expect.stringContaining('Type one of') }],
])('the teacher types %j', (line, read) => {
  expect(readLeadLine(line, { lessons, phase })).toEqual(read)
})

it.each([
  ['open', { pace: { kind: 'free' }, open: [] }],
  ['next', { lesson: '05-pkce', pace: { kind: 'free' }, open: [] }],
] as const)('%s is refused where there is nothing to do', (line, phase) => {
  expect(readLeadLine(line, { lessons, phase }).kind).toBe('problem')
})
