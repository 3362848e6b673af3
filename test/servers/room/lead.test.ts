import { expect, it } from 'vitest'
import type { RoomPhase } from '../../../src/protocol/room/messages.js'
import { nextAction } from '../../../src/servers/room/lead.js'
import { lessons } from './example.js'

const free = { kind: 'free' } as const
const together = { kind: 'together', share: 0.8 } as const
const until = { kind: 'until', at: '2030-01-01T10:00:00.000Z' } as const

it.each<[string, RoomPhase, object | undefined]>([
  ['begins the first lesson', { pace: free, open: [] }, { do: 'phase', lesson: '04-state', pace: free }],
  [
    'opens the task that holds people',
    { lesson: '04-state', pace: together, open: [] },
    { do: 'open', task: '04-state/without' },
  ],
  [
    'goes on to the next lesson behind the last task',
    { lesson: '04-state', pace: together, open: ['04-state/without'] },
    { do: 'phase', lesson: '05-pkce', pace: together },
  ],
  [
    'goes on at once where nobody is held',
    { lesson: '04-state', pace: free, open: [] },
    { do: 'phase', lesson: '05-pkce', pace: free },
  ],
  [
    'takes no time along',
    { lesson: '04-state', pace: until, open: ['04-state/without'] },
    { do: 'phase', lesson: '05-pkce', pace: free },
  ],
  ['ends with the last lesson', { lesson: '05-pkce', pace: free, open: [] }, undefined],
])('next %s', (_, phase, action) => expect(nextAction({ lessons, phase })).toEqual(action))
