import { describe, expect, it } from 'vitest'
import { createEventFold } from '../../../../src/judge/explain/lab-events/fold.js'
import { explainSource } from '../../../../src/judge/explain/read/explain-source.js'
import { stream } from '../recording.js'
import { explainEvents, login, ready, redemption, request, summary } from './support.js'

const whole = [ready, ...login(1, 'alice', 'aaaa…111'), ...redemption(3, 'alice', 'aaaa…111')]

describe('the events of a lab', () => {
  it('become the conversation of a login, and nothing is made up', async () => {
    const { flows, facts } = await explainEvents(whole)
    expect(summary({ flows, facts })).toEqual(['code web alice granted'])
    expect(facts).toMatchObject({ entries: 3, picked: 3, creator: 'a lab' })
    const [asked, sent, token] = flows[0]!.conversation.messages.map(({ recorded }) => recorded)
    expect(asked?.exchange.request).toEqual({
      method: 'GET',
      url: expect.stringMatching(/^https:\/\/lab\.example\/authorization\?response_type=code&client_id=web&/),
      headers: [],
      body: '',
    })
    expect(asked?.exchange.response).toEqual({ status: 200, headers: [], body: '' })
    expect(sent?.exchange.response?.headers).toEqual([['location', '?code=aaaa…111']])
    expect(token?.lacks).toEqual(['response headers', 'request body', 'response body'])
    expect(JSON.parse(token?.exchange.response?.body ?? '')).toEqual({
      access_token: 'eyJ0…111',
      token_type: 'Bearer',
      expires_in: 3600,
      id_token: '…',
    })
  })

  it('of requests that run at the same time stay apart', async () => {
    const [a, b] = [login(1, 'alice', 'aaaa…111'), login(3, 'bob', 'bbbb…222')]
    const tokens = [...redemption(5, 'bob', 'bbbb…222'), ...redemption(6, 'alice', 'aaaa…111')]
    const mixed = [...a.flatMap((event, i) => [event, b[i]!]), ...tokens]
    expect(summary(await explainEvents([ready, ...mixed]))).toEqual([
      'code web alice granted',
      'code web bob granted',
    ])
  })

  it('of a second lab are numbered on, and nothing ties both', async () => {
    const again = [ready, ...login(1, 'bob', 'aaaa…111'), ...redemption(3, 'bob', 'aaaa…111')]
    const { flows } = await explainEvents([...whole, ...again])
    expect(summary({ flows, facts: { entries: 0, picked: 0, gaps: [] } })).toEqual([
      'code web alice granted',
      'code web bob granted',
    ])
    expect(flows[1]?.conversation.messages.map(({ recorded }) => recorded.entry)).toEqual([4, 5, 6])
  })

  it('that begin in the middle are explained from there, without the addresses of the lab', async () => {
    const { flows, facts } = await explainEvents(whole.slice(5))
    expect(summary({ flows, facts })).toEqual(['code web alice granted'])
    expect(flows[0]?.conversation.issuer).toBeUndefined()
    expect(flows[0]?.conversation.messages[0]?.recorded.exchange.request.url).toMatch(/^\/authorization\?/)
  })

  it('that begin in the middle of a line, or after a warning, are still found', async () => {
    const text = whole.map(event => JSON.stringify(event)).join('\n')
    for (const broken of [text.slice(20), `(node:1) Warning: old\n${text}`]) {
      const { flows, facts } = await explainSource(stream(broken), 'lab.jsonl')
      expect(flows).toHaveLength(1)
      expect(facts.gaps).toContain('1 line could not be read.')
    }
  })

  it('that end in the middle are explained up to there, and the cut request is counted', async () => {
    const text = whole.map(event => `${JSON.stringify(event)}\n`).join('')
    for (let length = 1; length < text.length; length += 97) {
      const part = explainSource(stream(text.slice(0, length)), 'lab.jsonl')
      const message = await part.then(
        ({ facts }) => facts.gaps.join(' '),
        (error: Error) => error.message,
      )
      expect(message).not.toBe('')
    }
    const { facts } = await explainEvents(whole.slice(0, -1))
    expect(facts.gaps[0]).toBe('1 request had no answer in the recording, and cannot be drawn.')
  })

  it('without numbers of requests are refused with the reason', async () => {
    const old = whole.map(event => ({ ...event, request: undefined }))
    await expect(explainEvents(old)).rejects.toMatchObject({
      message: 'lab.jsonl holds the events of a lab, and no request with its answer',
      hints: expect.arrayContaining([
        '3 events had no number of a request, as those of an older oauth-lab, and cannot be sorted.',
      ]),
    })
  })

  it('beside the steps of a run are left out, and counted', async () => {
    const step = { type: 'step', n: 1, name: 'discovery_request', exchange: undefined }
    const { facts } = await explainEvents([...whole, step, step])
    expect(facts.gaps[0]).toBe(
      '2 lines of a run of flow --json stood between the others and were left out: explain each file by itself.',
    )
  })

  it('of other sites are no exchange of OAuth', async () => {
    const other = request(
      9,
      { site: 'dns', method: 'GET', path: '/zones' },
      { type: 'dns.zones_read', count: 1 },
    )
    const { facts, flows } = await explainEvents([ready, ...other])
    expect(flows).toEqual([])
    expect(facts).toMatchObject({ entries: 1, picked: 0 })
  })

  it('name failed handshakes, the most frequent first', async () => {
    const failed = (description: string) => ({
      type: 'handshake.failed',
      at: '',
      site: 'authorization',
      description,
    })
    const hint = { ...failed('does not trust the CA'), hint: 'use --cacert' }
    const { facts } = await explainEvents([...whole, failed('closed'), hint, hint])
    expect(facts.gaps.slice(0, 2)).toEqual([
      '2 TLS handshakes of the lab failed: does not trust the CA (use --cacert).',
      '1 TLS handshake of the lab failed: closed.',
    ])
  })
})

describe('the memory of a fold', () => {
  it('is bounded: of requests without an answer only the newest are kept', () => {
    const fold = createEventFold()
    for (let n = 1; n <= 5000; n++) fold.add({ type: 'login.shown', request: n, at: '' })
    expect(fold.remarks()).toEqual(['5000 requests had no answer in the recording, and cannot be drawn.'])
    const answer = {
      type: 'request.answered',
      site: 'authorization',
      method: 'GET',
      path: '/authorization',
      ms: 1,
    }
    expect(fold.add({ ...answer, request: 1 })?.report?.kind).toBeUndefined()
    expect(fold.add({ ...answer, request: 5000 })?.report?.kind).toBe('login')
  })

  it('drops what follows the answer of a request', () => {
    const fold = createEventFold()
    const [event] = request(1, { path: '/end-session' })
    fold.add(event as never)
    fold.add({ type: 'logout_token.accepted', request: 1, at: '' })
    expect(fold.remarks()).toEqual([])
  })
})

describe('a lab that ran for a week', () => {
  it('is explained by its last logins', async () => {
    const names = Array.from({ length: 7001 }, (_, i) => `user${i}`)
    const events = names.flatMap((name, i) => {
      const code = `${String(i).padStart(4, '0')}…abc`
      return [...login(3 * i + 1, name, code), ...redemption(3 * i + 3, name, code)]
    })
    const { facts, flows } = await explainEvents([ready, ...events])
    expect(facts.entries).toBe(21_003)
    expect(facts.gaps[0]).toBe('2000 earlier exchanges would not fit into the memory and were left out.')
    expect(flows.at(-1)?.conversation).toMatchObject({ username: 'user7000', outcome: 'granted' })
  }, 60_000)
})
