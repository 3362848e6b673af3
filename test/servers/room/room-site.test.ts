import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { HeaderList, HttpRequest, HttpResponse } from '../../../src/protocol/http/message.js'
import { header, text, textResponse } from '../../../src/protocol/http/message.js'
import type { LabDocument } from '../../../src/protocol/room/lab-document.js'
import type { Joined } from '../../../src/protocol/room/messages.js'
import { ruleDocuments } from '../../../src/protocol/rules/documents.js'
import { defined } from '../../../src/protocol/values.js'
import type { Board } from '../../../src/servers/room/model.js'
import type { LabFeed, LabListener } from '../../../src/servers/room/owners.js'
import { boardShower } from '../../../src/servers/room/pages/shown-board.js'
import { MAX_OF_SOURCE, MAX_PEOPLE } from '../../../src/servers/room/room.js'
import { MAX_BODY, type RoomLab, roomSite } from '../../../src/servers/room/room-site.js'
import { clock, exampleRoom, factsFrom, newState } from './example.js'

const ORIGIN = ['origin', 'https://192.0.2.7:8448'] as const

const pages = {
  board: () => textResponse(200, 'the board'),
  stage: () => textResponse(200, 'the stage'),
  join: () => textResponse(200, 'how to join'),
  report: (board: Board, format: string) => textResponse(200, `${format} of ${board.room}`),
  view: boardShower(await ruleDocuments()),
}

/** A room behind its site. */
function open(options: Parameters<typeof exampleRoom>[0] = {}, lab?: RoomLab) {
  const room = exampleRoom(options)
  const site = roomSite(defined({ room, pages, now: () => clock.now, kept: async () => {}, lab }))
  async function ask(
    method: string,
    path: string,
    { body, headers = [], from = '192.0.2.1' }: { body?: unknown; headers?: HeaderList; from?: string } = {},
  ): Promise<HttpResponse> {
    const sent =
      body instanceof Uint8Array ? body : Buffer.from(body === undefined ? '' : JSON.stringify(body))
    const request: HttpRequest = {
      method,
      url: `https://192.0.2.7:8448${path}`,
      headers: [['host', '192.0.2.7:8448'], ...headers],
      body: sent,
      remoteAddress: from,
    }
    return site.handle(request, { publish() {} })
  }
  const join = (name: unknown, secret: unknown = room.secret, more: Parameters<typeof ask>[2] = {}) =>
    ask('POST', '/room/join', { body: { secret, name }, ...more })
  async function joined(name: string): Promise<Joined> {
    return bodyOf(await join(name))
  }
  async function teacher(): Promise<HeaderList> {
    const set = header(await ask('GET', `/board?key=${room.state().key}`), 'set-cookie') ?? ''
    return [['cookie', set.split(';', 1)[0]!], ORIGIN, ['content-type', 'application/json']]
  }
  return { room, ask, join, joined, teacher }
}

const bodyOf = (response: HttpResponse) => JSON.parse(text(response.body))
const by = (token: string): { headers: HeaderList } => ({ headers: [['authorization', `Bearer ${token}`]] })

/** Reads the values of a stream as they are there now. */
function reader(response: HttpResponse) {
  const stream = response.stream![Symbol.asyncIterator]()
  return {
    async next(): Promise<string> {
      const { value } = await stream.next()
      return value === undefined ? '' : text(value)
    },
    leave: () => stream.return!(),
  }
}
const messagesIn = (lines: string) =>
  lines
    .split('\n')
    .filter(line => line.startsWith('data: '))
    .map(line => JSON.parse(line.slice(6)))

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('POST /room/join', () => {
  it('gives a number, a token and a seed, and does not keep the token', async () => {
    const files = [{ name: '01-mine.yaml', text: 'title: mine' }]
    const { room, join } = open({ state: { ...newState(), course: '90m' }, files })
    const answer = await join('Dora')
    expect(answer.status).toBe(201)
    expect(bodyOf(answer)).toMatchObject({
      who: 'KJ-01',
      name: 'Dora',
      room: { name: 'Monday', course: '90m', files },
      phase: { pace: { kind: 'free' }, open: [] },
    })
    expect(JSON.stringify(room.state())).not.toContain(bodyOf(answer).token)
  })

  it('leads back to the same row with the token, under a new name, also after leaving and without the code', async () => {
    const { room, ask, join, joined } = open()
    const dora = await joined('Dora')
    await ask('DELETE', '/room/me', by(dora.token))
    expect(room.board().people[0]!.leftAt).toBeDefined()
    const again = await join('Dora and Eve', 'wrong', by(dora.token))
    expect(again.status).toBe(200)
    const { who, token, seed } = dora
    expect(bodyOf(again)).toMatchObject({ who, token, seed, name: 'Dora and Eve' })
    expect(room.board().people).toHaveLength(1)
    expect(room.board().people[0]).not.toHaveProperty('leftAt')
  })

  it.each([
    ['wrong code', 'a', '0000000000', 401, 'wrong_code'],
    ['no code', 'a', 7, 400, 'invalid_request'],
    ['name that is no text', { a: 1 }, undefined, 400, 'invalid_request'],
  ])('refuses a %s', async (_, name, secret, status, error) => {
    const { room, join } = open()
    const answer = await join(name, secret)
    expect([answer.status, bodyOf(answer).error]).toEqual([status, error])
    expect(room.board().people).toEqual([])
  })

  it.each(['', '{', '[]', '[[[[', 'null', '"x"', '\u0000', `{"secret":"${'a'.repeat(10_000)}"}`])(
    'refuses the body %.20j',
    async body => {
      const { ask } = open()
      const { status } = await ask('POST', '/room/join', { body: Buffer.from(body) })
      expect([400, 413]).toContain(status)
    },
  )

  it.each<[name: string | undefined, kept: string]>([
    ['<img src=x onerror=alert(1)>', '<img src=x onerror=alert(1)>'],
    ['\u001b]0;owned\u0007 =1+1', '\u001b]0;owned\u0007 =1+1'],
    [`  ${'a'.repeat(100)}`, 'a'.repeat(40)],
    [`${'👩'.repeat(50)}`, '👩'.repeat(40)],
    ['\ud800', '\ufffd'],
    ['', 'KJ-01'],
    [undefined, 'KJ-01'],
  ])('keeps the name %j, for others to make it safe', async (name, kept) => {
    const { room, join } = open()
    await join(name)
    expect(room.board().people[0]!.name).toBe(kept)
  })

  it('limits wrong codes of a network, and lets others in', async () => {
    const { join } = open()
    for (let i = 0; i < 20; i++) expect((await join('a', '00')).status).toBe(401)
    const limited = await join('a')
    expect([limited.status, header(limited, 'retry-after')]).toEqual([429, '60'])
    expect((await join('b', undefined, { from: '192.0.2.2' })).status).toBe(201)
    clock.now += 60_000
    expect((await join('a')).status).toBe(201)
  })

  it('limits wrong codes of all networks together, but not people who are in the room', async () => {
    const { join, joined } = open()
    const dora = await joined('Dora')
    for (let i = 0; i < 1_000; i++) await join('a', '00', { from: `2001:db8:0:${i.toString(16)}::1` })
    expect((await join('b', undefined, { from: '192.0.2.2' })).status).toBe(429)
    expect((await join('Dora', 'x', by(dora.token))).status).toBe(200)
    clock.now += 60_000
  })

  it('stays bounded with ten thousand joins: of one network, and in all', async () => {
    const { room, ask, join } = open()
    const first = bodyOf(await join('first'))
    for (let i = 0; i < 10_000; i++) await join('x', undefined, { from: '192.0.2.9' })
    expect(room.board().people).toHaveLength(MAX_OF_SOURCE + 1)
    const last = await join('late', undefined, { from: '192.0.2.10' })
    expect(last.status).toBe(201)
    for (let i = 0; i < MAX_PEOPLE; i++)
      await join('x', undefined, { from: `2001:db8:0:${i.toString(16)}::1` })
    const full = await join('x', undefined, { from: '192.0.2.11' })
    expect([full.status, bodyOf(full).error]).toEqual([409, 'room_full'])
    expect(room.board().people).toHaveLength(MAX_PEOPLE)
    const sent = await ask('POST', '/room/facts', { body: { facts: factsFrom(1, {}) }, ...by(first.token) })
    expect(sent.status).toBe(200)
  })
})

describe('POST /room/facts', () => {
  const task = { task: 'verifier' }

  it('takes each number once, in order, with gaps', async () => {
    const { room, ask, joined } = open()
    const { token } = await joined('Dora')
    const taken: unknown[] = []
    room.subscribe(change => change.kind === 'fact' && taken.push([change.kept.n, change.fact.fact]))
    const send = async (...facts: object[]) =>
      bodyOf(await ask('POST', '/room/facts', { body: { facts }, ...by(token) }))
    expect(await send(...factsFrom(1, task, { ...task, fact: 'hint.taken' }))).toEqual({ n: 2 })
    const more = factsFrom(2, { ...task, fact: 'hint.taken' }, { ...task, fact: 'task.done' })
    expect(await send(...more)).toEqual({ n: 3 })
    expect(await send(...factsFrom(9, { fact: 'idle' }))).toEqual({ n: 9 })
    expect(await send()).toEqual({ n: 9 })
    expect(taken).toEqual([
      [1, 'task.shown'],
      [2, 'hint.taken'],
      [3, 'task.done'],
      [9, 'idle'],
    ])
  })

  const many = factsFrom(1, ...Array.from({ length: 201 }, () => task))
  const secret = { ...factsFrom(2, task)[0], token: 'x' }
  const marked = factsFrom(1, { fact: 'refused', rule: '<b>' })
  it.each<[string, unknown, object]>([
    ['no list', { facts: 7 }, { error: 'invalid_facts' }],
    ['too many', { facts: many }, { error: 'invalid_facts' }],
    ['a secret beside', { facts: [...factsFrom(1, task), secret] }, { error: 'invalid_facts', fact: 1 }],
    ['markup in a rule', { facts: marked }, { error: 'invalid_facts', fact: 0 }],
  ])('refuses %s, and keeps none', async (_, body, expected) => {
    const { room, ask, joined } = open()
    const { token } = await joined('Dora')
    const answer = await ask('POST', '/room/facts', { body, ...by(token) })
    expect([answer.status, bodyOf(answer)]).toEqual([400, expected])
    expect(room.board().people[0]!.tasks).toEqual({})
  })

  it('refuses a body of 10 MB', async () => {
    const { ask, joined } = open()
    const { token } = await joined('Dora')
    const send = async (size: number) =>
      (await ask('POST', '/room/facts', { body: Buffer.alloc(size, 0x20), ...by(token) })).status
    expect([await send(10_000_000), await send(MAX_BODY)]).toEqual([413, 400])
  })

  it('limits the requests of one person', async () => {
    const { ask, joined } = open()
    const [{ token }, other] = [await joined('Dora'), await joined('Eve')]
    const send = (as: string) => ask('POST', '/room/facts', { body: { facts: [] }, ...by(as) })
    for (let i = 0; i < 240; i++) expect((await send(token)).status).toBe(200)
    expect((await send(token)).status).toBe(429)
    expect((await send(other.token)).status).toBe(200)
  })

  it('keeps a bounded number of facts of a person, and answers as if it kept all', async () => {
    const { room, ask, joined } = open()
    const { token } = await joined('Dora')
    let kept = 0
    room.subscribe(({ kind }) => {
      if (kind === 'fact') kept += 1
    })
    for (let i = 0; i < 15; i++) {
      const facts = factsFrom(1 + 200 * i, ...Array.from({ length: 200 }, () => ({ fact: 'idle' }) as const))
      const answer = await ask('POST', '/room/facts', { body: { facts }, ...by(token) })
      expect(bodyOf(answer).n).toBe(200 * (i + 1))
    }
    expect(kept).toBe(2_000)
  })
})

describe('a participant', () => {
  it.each([
    ['POST', '/room/facts'],
    ['GET', '/room/messages'],
    ['DELETE', '/room/me'],
  ])('is nobody without a token of this room: %s %s', async (method, path) => {
    const { ask, joined } = open()
    const { who } = await joined('Dora')
    const stranger = (await open().joined('Eve')).token
    for (const token of [undefined, '', who, stranger, `${stranger}a`]) {
      const answer = await ask(method, path, token === undefined ? {} : by(token))
      expect([answer.status, bodyOf(answer).error]).toEqual([401, 'invalid_token'])
    }
  })

  it('writes into one row alone, and reads no other', async () => {
    const { room, ask, joined } = open()
    const [dora, eve] = [await joined('Dora'), await joined('Eve')]
    const facts = [{ ...factsFrom(1, { task: 'verifier' })[0]!, who: dora.who }]
    expect((await ask('POST', '/room/facts', { body: { facts }, ...by(eve.token) })).status).toBe(400)
    await ask('POST', '/room/facts', {
      body: { facts: factsFrom(1, { task: 'verifier' }) },
      ...by(eve.token),
    })
    expect(room.board().people.map(({ task }) => task)).toEqual([undefined, 'verifier'])
    for (const path of ['/board', '/stage', '/board/events', '/board/report.csv', '/board/report.md']) {
      expect((await ask('GET', path, by(eve.token))).status).toBe(401)
      const headers = [['cookie', `__Host-workshop=${eve.token}`]] as const
      expect((await ask('GET', path, { headers })).status).toBe(401)
    }
    const lead = { body: { do: 'end' }, ...by(eve.token) }
    expect((await ask('POST', '/board/lead', lead)).status).toBe(401)
  })

  it('is sent the phase, what was said since the last message, and new messages, each once', async () => {
    const { room, ask, joined } = open()
    const [dora, eve] = [await joined('Dora'), await joined('Eve')]
    room.lead({ do: 'say', text: 'one' })
    room.lead({ do: 'say', text: 'to Eve', who: eve.who })
    const stream = reader(await ask('GET', '/room/messages', by(dora.token)))
    expect(messagesIn(await stream.next())).toEqual([
      { type: 'phase', pace: { kind: 'free' }, open: [] },
      { type: 'say', text: 'one', to: 'all' },
    ])
    expect(room.board().people.map(({ online }) => online)).toEqual([true, false])
    room.lead({ do: 'hint', who: dora.who })
    expect(await stream.next()).toBe('id: 3\ndata: {"type":"hint"}\n\n')
    vi.advanceTimersByTime(15_000)
    expect(await stream.next()).toBe(':\n\n')
    await stream.leave()
    expect(room.board().people[0]!.online).toBe(false)
    room.lead({ do: 'phase', lesson: '05-pkce', pace: { kind: 'together', share: 0.8 } })
    room.lead({ do: 'say', text: 'four' })
    const { headers } = by(dora.token)
    const resumed = { headers: [...headers, ['last-event-id', '3'] as const] }
    const again = reader(await ask('GET', '/room/messages', resumed))
    expect(messagesIn(await again.next())).toEqual([
      { type: 'phase', lesson: '05-pkce', pace: { kind: 'together', share: 0.8 }, open: [] },
      { type: 'say', text: 'four', to: 'all' },
    ])
    room.lead({ do: 'end' })
    expect(messagesIn(await again.next())).toEqual([{ type: 'end' }])
    expect(await joined('Late')).toEqual({ error: 'room_ended' })
  })

  it('who has done a task is told how many of the lesson have it', async () => {
    const { room, ask, joined } = open()
    const [dora, eve] = [await joined('Dora'), await joined('Eve')]
    room.lead({ do: 'phase', lesson: '05-pkce', pace: { kind: 'together', share: 1 } })
    const stream = reader(await ask('GET', '/room/messages', by(dora.token)))
    await stream.next()
    const shown = { task: 'verifier' }
    room.take(dora.who, factsFrom(1, shown, { ...shown, fact: 'task.done' }))
    const waiting = { type: 'waiting', task: '05-pkce/verifier' }
    expect(messagesIn(await stream.next())).toEqual([{ ...waiting, done: 1, of: 1 }])
    room.take(eve.who, factsFrom(1, shown, { ...shown, fact: 'task.done' }))
    expect(messagesIn(await stream.next())).toEqual([{ ...waiting, done: 2, of: 2 }])
  })

  it('has a bounded number of streams, and none after leaving', async () => {
    const { ask, joined } = open()
    const { token } = await joined('Dora')
    const streams = []
    for (let i = 0; i < 4; i++) streams.push(reader(await ask('GET', '/room/messages', by(token))))
    for (const each of streams) await each.next()
    expect((await ask('GET', '/room/messages', by(token))).status).toBe(429)
    expect((await ask('DELETE', '/room/me', by(token))).status).toBe(204)
    for (const each of streams) expect(await each.next()).toBe('')
    expect((await ask('POST', '/room/facts', { body: { facts: [] }, ...by(token) })).status).toBe(401)
  })
})

describe('the teacher', () => {
  it('gets a cookie for the key, and pages for the cookie', async () => {
    const { room, ask, teacher } = open()
    const answer = await ask('GET', `/board?key=${room.state().key}`)
    expect([answer.status, header(answer, 'location')]).toEqual([302, '/board'])
    expect(header(answer, 'set-cookie')).toMatch(
      /^__Host-workshop=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Strict$/,
    )
    expect(header(answer, 'set-cookie')).not.toContain(room.state().key)
    const headers = await teacher()
    expect(text((await ask('GET', '/board', { headers })).body)).toBe('the board')
    expect(text((await ask('GET', '/stage', { headers })).body)).toBe('the stage')
    expect(text((await ask('GET', '/board/report.csv', { headers })).body)).toBe('csv of Monday')
    expect(text((await ask('GET', '/board/report.md', { headers })).body)).toBe('md of Monday')
  })

  it('is nobody with another key, and guesses no more than participants', async () => {
    const { room, ask } = open()
    for (let i = 0; i < 20; i++) expect((await ask('GET', `/board?key=${i}`)).status).toBe(401)
    expect((await ask('GET', `/board?key=${room.state().key}`)).status).toBe(429)
    clock.now += 60_000
    expect((await ask('GET', '/board?key=')).status).toBe(401)
  })

  it('sees the board at once, and at most four times a second', async () => {
    const { room, ask, teacher, joined } = open()
    const stream = reader(await ask('GET', '/board/events', { headers: await teacher() }))
    expect(messagesIn(await stream.next())).toMatchObject([{ type: 'board', room: 'Monday', people: [] }])
    const second = stream.next()
    await joined('Ann')
    await joined('Ben')
    let came = false
    second.then(() => {
      came = true
    })
    await vi.advanceTimersByTimeAsync(249)
    expect(came).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect(messagesIn(await second)[0].people).toHaveLength(2)
    const third = stream.next()
    await vi.advanceTimersByTimeAsync(1_000)
    room.lead({ do: 'open', task: '05-pkce/verifier' })
    const phase = { open: ['05-pkce/verifier'] }
    expect(messagesIn(await third)[0]).toMatchObject({ type: 'changes', phase, people: [] })
    const fourth = stream.next()
    await stream.leave()
    expect(await fourth).toBe('')
  })

  const free = { kind: 'free' }
  it.each<[unknown, number]>([
    [{ do: 'phase', lesson: '05-pkce', pace: free }, 204],
    [{ do: 'phase', pace: { kind: 'together', share: 0.8 } }, 204],
    [{ do: 'phase', pace: { kind: 'until', at: '2030-01-01T10:00:00Z' } }, 204],
    [{ do: 'phase', lesson: '06-other', pace: free }, 400],
    [{ do: 'phase', lesson: '05-pkce/verifier', pace: free }, 400],
    [{ do: 'phase', lesson: '05-pkce' }, 400],
    [{ do: 'phase', pace: { kind: 'together', share: 2 } }, 400],
    [{ do: 'phase', pace: { kind: 'until', at: 'soon' } }, 400],
    [{ do: 'open', task: '05-pkce/verifier' }, 204],
    [{ do: 'open', task: '05-pkce' }, 400],
    [{ do: 'open', task: '05-pkce/none' }, 400],
    [{ do: 'say', text: 'Look at the board' }, 204],
    [{ do: 'say', text: 'a'.repeat(301) }, 400],
    [{ do: 'say', text: ' ' }, 400],
    [{ do: 'say', text: 'x', who: 'KJ-99' }, 400],
    [{ do: 'hint' }, 204],
    [{ do: 'hint', who: '__proto__' }, 400],
    [{ do: 'end' }, 204],
    [{ do: 'constructor' }, 400],
    [{ do: '__proto__' }, 400],
    ['end', 400],
    [null, 400],
  ])('leads by %j: %i', async (body, status) => {
    const { ask, teacher } = open()
    expect((await ask('POST', '/board/lead', { body, headers: await teacher() })).status).toBe(status)
  })

  const JSON_TYPE = ['content-type', 'application/json'] as const
  it.each<[string, HeaderList]>([
    ['no origin', [JSON_TYPE]],
    ['another origin', [JSON_TYPE, ['origin', 'https://evil.example']]],
    ['a form', [['content-type', 'text/plain'], ORIGIN]],
  ])('leads from no page of others: %s', async (_, headers) => {
    const { room, ask, teacher } = open()
    const [cookie] = await teacher()
    const lead = { body: { do: 'end' }, headers: [cookie!, ...headers] }
    expect((await ask('POST', '/board/lead', lead)).status).toBe(403)
    expect(room.state().endedAt).toBeUndefined()
  })
})

it('a room that starts again goes on with the same people, tokens, facts, sentences and phase', async () => {
  const { room, joined } = open()
  const dora = await joined('Dora')
  const facts: unknown[] = []
  room.subscribe(change => change.kind === 'fact' && facts.push(change.kept))
  room.take(dora.who, factsFrom(1, { task: 'verifier' }, { task: 'verifier', fact: 'hint.taken' }))
  room.lead({ do: 'phase', lesson: '05-pkce', pace: { kind: 'together', share: 1 } })
  room.lead({ do: 'say', text: 'one' })
  const state = JSON.parse(JSON.stringify(room.state()))
  const again = open({ state, facts: JSON.parse(JSON.stringify(facts)) })
  expect(again.room.board()).toEqual(room.board())
  const body = { facts: factsFrom(2, { task: 'verifier', fact: 'hint.taken' }) }
  expect(bodyOf(await again.ask('POST', '/room/facts', { body, ...by(dora.token) }))).toEqual({ n: 2 })
  expect((await again.joined('Eve')).who).toBe('KJ-02')
  const stream = reader(await again.ask('GET', '/room/messages', by(dora.token)))
  expect(messagesIn(await stream.next())[1]).toEqual({ type: 'say', text: 'one', to: 'all' })
  await stream.leave()
})

describe('the lab of a room', () => {
  const document = (who: string) => ({ user: { username: who.toLowerCase() } }) as unknown as LabDocument

  /** A room with a lab, and the listener of its events. */
  function withLab() {
    let tell: LabListener = () => {}
    const feed: LabFeed = {
      subscribe(listener) {
        tell = listener
        return () => {}
      },
    }
    const opened = open({}, { feed, documentOf: document })
    const event = (who: string | undefined, n: number) =>
      tell({ type: 'token.issued', at: '2030-01-01T09:00:00.000Z', n }, who)
    return { ...opened, event }
  }

  it('gives each participant the own accounts, and nobody those of another', async () => {
    const { ask, joined } = withLab()
    const [ann, ben] = [await joined('Ann'), await joined('Ben')]
    expect(bodyOf(await ask('GET', '/room/lab', by(ann.token)))).toEqual(document(ann.who))
    expect(bodyOf(await ask('GET', '/room/lab', by(ben.token)))).toEqual(document(ben.who))
    for (const path of ['/room/lab', '/room/lab/events']) {
      expect((await ask('GET', path)).status).toBe(401)
      expect((await ask('GET', path, by('x'.repeat(43)))).status).toBe(401)
      expect((await ask('POST', path, by(ann.token))).status).toBe(405)
    }
    await ask('DELETE', '/room/me', by(ann.token))
    expect((await ask('GET', '/room/lab', by(ann.token))).status).toBe(401)
  })

  it('answers 404 where the room has none', async () => {
    const { ask, joined } = open()
    const { token } = await joined('Ann')
    for (const path of ['/room/lab', '/room/lab/events']) {
      const answer = await ask('GET', path, by(token))
      expect([answer.status, bodyOf(answer)]).toEqual([404, { error: 'no_lab' }])
    }
  })

  it('streams the events of own requests, with resume, until the participant leaves', async () => {
    const { ask, joined, event } = withLab()
    const [ann, ben] = [await joined('Ann'), await joined('Ben')]
    event(ann.who, 1)
    const stream = reader(await ask('GET', '/room/lab/events', by(ann.token)))
    expect(await stream.next()).toBe(':\n\n')
    event(ben.who, 2)
    event(undefined, 3)
    event(ann.who, 4)
    expect(await stream.next()).toMatch(/^id: \d+2\ndata: \{"type":"token.issued",.*"n":4\}\n\n$/)
    const { headers } = by(ann.token)
    const since = { headers: [...headers, ['last-event-id', '0'] as const] }
    const resumed = reader(await ask('GET', '/room/lab/events', since))
    expect(messagesIn(await resumed.next()).map(each => each.n)).toEqual([1, 4])
    await ask('DELETE', '/room/me', by(ann.token))
    expect(await stream.next()).toBe('')
    expect(await resumed.next()).toBe('')
  })

  it('has four streams of one participant at most, beside those of messages', async () => {
    const { ask, joined } = withLab()
    const { token } = await joined('Ann')
    const open = async (path: string) => (await ask('GET', path, by(token))).status
    const statuses: number[] = []
    const streams = []
    for (let i = 0; i < 5; i++) {
      const answer = await ask('GET', '/room/lab/events', by(token))
      statuses.push(answer.status)
      if (answer.stream) streams.push(reader(answer))
    }
    expect(statuses).toEqual([200, 200, 200, 200, 429])
    expect(await open('/room/messages')).toBe(200)
    for (const each of streams) await each.leave()
    expect(await open('/room/lab/events')).toBe(200)
  })
})
