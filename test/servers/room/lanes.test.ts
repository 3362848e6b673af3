import { describe, expect, it } from 'vitest'
import type { EventBus, LabEvent } from '../../../src/protocol/events.js'
import { type HeaderList, header, text, textResponse } from '../../../src/protocol/http/message.js'
import { ruleDocuments } from '../../../src/protocol/rules/documents.js'
import { createLanes, MAX_LANES, MAX_STEPS } from '../../../src/servers/room/lanes.js'
import type { Lane } from '../../../src/servers/room/model.js'
import { labFeed } from '../../../src/servers/room/owners.js'
import { boardShower } from '../../../src/servers/room/pages/shown-board.js'
import { roomSite } from '../../../src/servers/room/room-site.js'
import { clock, exampleRoom } from './example.js'
import { recordedEvents, recordedLanes } from './made-board.js'

const written = ({ steps }: Lane): string[] =>
  steps.map(({ part, step, text, status, refused, reason, rule }) =>
    [part, step, text, status, ...(refused ? ['refused', reason, rule] : [])].join('|'),
  )

const LOGIN = ['browser|authorize|asks for a code|200', 'browser|login|logs in|302']
const CODE = [...LOGIN, 'authorization|code|issues a code|302']
const GRANTED = [...CODE, 'authorization|token|redeems the code|200']
const WRONG = 'invalid_grant: code_verifier does not belong to the code_challenge'
const CALL = 'resource|api|GET /resource|200'

const expected: readonly (readonly [flow: string, steps: readonly string[]])[] = [
  ['flow code', [...GRANTED, CALL]],
  [
    'flow code --tamper wrong-verifier',
    [...CODE, `authorization|token|redeems the code|400|refused|${WRONG}|RFC 7636 §4.6`],
  ],
  [
    'flow resource',
    [
      'resource|api|GET /resource|401|refused|this resource needs an access token|RFC 6750 §3.1',
      ...GRANTED,
      CALL,
    ],
  ],
  ['k8s token default', ['cluster|token|token for default|201']],
  ['cf zones, cf dns list', ['dns|api|lists zones|200', 'dns|api|lists records of example.com|200']],
  ['k8s token nobody', ['cluster|api|POST …/nobody/token|404|refused|serviceaccounts "nobody" not found|']],
  [
    'flow code --user alice:wrong',
    [LOGIN[0]!, 'browser|login|logs in|200|refused|Username or password is wrong.|RFC 6749 §3.1'],
  ],
  [
    'flow refresh',
    [
      ...GRANTED,
      'authorization|token|refreshes the token|200',
      CALL,
      'authorization|token|refreshes the token|400|refused|invalid_grant: the refresh token was used before; every token of this authorization is revoked|RFC 9700 §4.14.2',
      'authorization|token|refreshes the token|400|refused|invalid_grant: the refresh token was revoked|RFC 6749 §6',
    ],
  ],
  ['flow client-credentials', ['authorization|token|asks as itself|200', CALL]],
  [
    'flow device',
    [
      'authorization|authorize|asks for a device|200',
      'authorization|token|waits for the person|400',
      'browser|login|logs in|200',
      'browser|consent|allows access|200',
      'authorization|token|asks for the device|200',
      CALL,
    ],
  ],
  ['a wrong token for the DNS API', ['dns|api|GET /zones|400|refused|Invalid request headers|']],
  ['a wrong token for the cluster', ['cluster|api|GET …/v1/namespaces|401|refused|invalid bearer token|']],
  [
    'a wrong token for the resource',
    [
      'resource|api|GET /resource|401|refused|invalid_token: not a JWT: a JWT has three parts with dots between them, this has 1|RFC 7519 §7.2',
    ],
  ],
]

describe('the lanes of recorded flows', () => {
  const found = recordedLanes().map(written)
  it.each(expected.map(([flow, steps], i) => [flow, i, steps] as const))('%s', (_, i, steps) => {
    expect(found[i]).toEqual(steps)
  })
  it('are as many as there were flows', () => expect(found).toHaveLength(expected.length))
})

const answer = (request: number, more: object = {}): LabEvent => ({
  type: 'request.answered',
  at: '2030-01-01T09:00:00.000Z',
  request,
  site: 'cluster',
  method: 'GET',
  path: '/api/v1/namespaces/k7-03/pods',
  status: 200,
  ...more,
})

describe('the lanes of a room', () => {
  it('are one for each of the people who began last, newest first', () => {
    const lanes = createLanes()
    for (let i = 1; i <= 30; i++) lanes.add(answer(i), `K7-${i}`)
    expect(lanes.lanes().map(({ who }) => who)).toEqual(
      Array.from({ length: MAX_LANES }, (_, i) => `K7-${30 - i}`),
    )
    lanes.add(answer(31, { site: 'dns', path: '/client/v4/zones' }), 'K7-25')
    const [first, ...rest] = lanes.lanes().map(({ who }) => who)
    expect([first, ...rest.slice(0, 2)]).toEqual(['K7-25', 'K7-30', 'K7-29'])
    expect(lanes.lanes()).toHaveLength(MAX_LANES)
  })

  it('go on with a new one after twelve steps, and after twenty silent seconds', () => {
    const lanes = createLanes()
    const steps = () => lanes.lanes()[0]?.steps.length
    for (let i = 1; i <= MAX_STEPS; i++) lanes.add(answer(i, { path: `/api/v1/nodes/${i}` }), 'K7-03')
    expect(steps()).toBe(MAX_STEPS)
    lanes.add(answer(100), 'K7-03')
    expect(steps()).toBe(1)
    lanes.add(answer(101, { at: '2030-01-01T09:00:20.000Z', path: '/api/v1/nodes' }), 'K7-03')
    expect(steps()).toBe(2)
    lanes.add(answer(102, { at: '2030-01-01T09:00:41.000Z' }), 'K7-03')
    expect(steps()).toBe(1)
  })

  it('change only with a step that is new', () => {
    const lanes = createLanes()
    expect(lanes.add(answer(1), 'K7-03')).toBe(true)
    expect(lanes.add(answer(2), 'K7-03')).toBe(false)
    expect(lanes.add(answer(3, { status: 403 }), 'K7-03')).toBe(true)
    expect(lanes.add(answer(4, { status: 403 }), 'K7-03')).toBe(true)
    expect(lanes.lanes()[0]?.steps.map(({ status }) => status)).toEqual([200, 403, 403])
  })

  it.each([
    ['a request of nobody', answer(1), undefined],
    ['an event without a request', { type: 'key.rotated', at: answer(1).at }, 'K7-03'],
    ['a run of the doctor', answer(1, { run: 'doctor 1a2b3c4d' }), 'K7-03'],
    ['a document of the cluster', answer(1, { path: '/apis/apps/v1' }), 'K7-03'],
    ['a page of the server', answer(1, { site: 'authorization', path: '/authorization' }), 'K7-03'],
  ])('have no step for %s', (_, event, who) => {
    const lanes = createLanes()
    expect(lanes.add(event, who)).toBe(false)
    expect(lanes.lanes()).toEqual([])
  })

  it('know whose a request is by any of its events, and cut what is long', () => {
    const lanes = createLanes()
    const about = { at: answer(1).at, request: 1 }
    const refusal = { description: 'd'.repeat(200), rule: 'RFC 6749 §5.2' }
    lanes.add({ ...about, type: 'token.refused', ...refusal }, undefined)
    lanes.add({ ...about, type: 'token.revoked' }, 'K7-03')
    lanes.add(answer(1, { site: 'authorization', path: '/token', status: 400 }), undefined)
    lanes.add(answer(2, { path: `/${'a'.repeat(300)}` }), 'K7-04')
    const [long, refused] = lanes.lanes()
    expect(long?.steps[0]?.text).toHaveLength(40)
    const reason = `${'d'.repeat(119)}…`
    const step = { text: 'asks for a token', refused: true, rule: refusal.rule, reason }
    expect(refused).toMatchObject({ who: 'K7-03', steps: [step] })
  })

  it('forget the oldest of five hundred requests that nobody answers', () => {
    const lanes = createLanes()
    for (let request = 1; request <= 501; request++) {
      lanes.add({ type: 'login.succeeded', at: answer(1).at, request }, 'K7-03')
    }
    const page = { site: 'authorization', path: '/authorization' }
    expect(lanes.add(answer(1, page), undefined)).toBe(false)
    expect(lanes.add(answer(2, page), undefined)).toBe(true)
  })
})

it('go to the stage with the board, without the requests of nobody', async () => {
  let publish = (_: LabEvent): void => {}
  const events: Pick<EventBus, 'subscribe'> = {
    subscribe(listener) {
      publish = event => listener(event, () => JSON.stringify(event))
      return () => {}
    },
  }
  const own = new Set(['demo', 'alice', 'admin'])
  const feed = labFeed(events, account => (own.has(account) ? 'K7-03' : undefined))
  const room = exampleRoom()
  const { key } = room.state()
  const page = () => textResponse(200, 'a page')
  const { handle } = roomSite({
    room,
    pages: { board: page, stage: page, join: page, report: page, view: boardShower(await ruleDocuments()) },
    now: () => clock.now,
    kept: async () => {},
    lab: {
      feed,
      documentOf() {
        throw new Error('nobody asked for it')
      },
    },
  })
  const get = (path: string, headers: HeaderList = []) =>
    handle(
      { method: 'GET', url: `https://192.0.2.7:8448${path}`, headers, body: new Uint8Array() },
      { publish() {} },
    )
  const cookie = header(await get(`/board?key=${key}`), 'set-cookie')!.split(';', 1)[0]!
  const { stream } = await get('/board/events', [['cookie', cookie]])
  const boards = stream![Symbol.asyncIterator]()
  const lanes = async () => JSON.parse(text((await boards.next()).value!).slice('data: '.length)).lanes
  expect(await lanes()).toEqual([])
  // Calls with wrong tokens name nobody.
  for (const event of recordedEvents) publish(event)
  const device = recordedLanes().find(({ steps }) => steps[0]?.text === 'asks for a device')
  expect(await lanes()).toEqual([{ ...device, who: 'K7-03' }])
  await boards.return?.()
})
