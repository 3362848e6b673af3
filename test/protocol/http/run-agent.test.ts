import { expect, it } from 'vitest'
import type { HttpRequest } from '../../../src/protocol/http/message.js'
import { learnerAgent, learnerOf, runAgent, runOf } from '../../../src/protocol/http/message.js'

const request = (agent: string): HttpRequest => ({
  method: 'GET',
  url: 'https://lab.example/',
  headers: [['User-Agent', agent]],
  body: new Uint8Array(),
})

it('is read as it was written', () => {
  const agent = runAgent('doctor', Uint8Array.of(0x1a, 0x2b, 0x3c, 0x4d))
  expect(agent).toBe('oauth-lab (doctor 1a2b3c4d)')
  expect(runOf(request(agent))).toBe('doctor 1a2b3c4d')
})

it.each(['oauth-lab', 'curl/8', 'oauth-lab (doctor 1a2b3c4)', 'oauth-lab (doctor 1a2b3c4d) x', ''])(
  'is no run: %j',
  agent => expect(runOf(request(agent))).toBeUndefined(),
)

it('names a learner beside a run, and nobody by a name that no file can have', () => {
  const run = runAgent('tamper', Uint8Array.of(1, 2, 3, 4))
  for (const agent of [undefined, run]) expect(learnerOf(learnerAgent('ann-1', agent))).toBe('ann-1')
  expect(runOf(request(learnerAgent('ann', run)!))).toBe('tamper 01020304')
  expect([learnerAgent('a)b'), learnerAgent(undefined, run)]).toEqual([undefined, run])
  for (const agent of ['curl/8', run, 'oauth-lab (learner ../x)']) expect(learnerOf(agent)).toBeUndefined()
})
