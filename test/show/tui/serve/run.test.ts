import { afterEach, describe, expect, it, vi } from 'vitest'
import type { LabEvent } from '../../../../src/protocol/events.js'
import { PANES } from '../../../../src/show/tui/serve/entries.js'
import type { DashboardOffers } from '../../../../src/show/tui/serve/keys.js'
import { type DashboardOptions, type FeedListener, runDashboard } from '../../../../src/show/tui/serve/run.js'
import { fakeTerminal } from '../screen/fake-terminal.js'
import { AFTERNOON, answered, event, NOW } from './events.js'

/** A busy machine may take its time. */
const PATIENCE = 10_000

const LEAVE = '\x1b[?1049l'

function open(more: Partial<DashboardOptions> = {}, terminal = fakeTerminal()) {
  const offers = {
    rotate: vi.fn(async () => 'signs with k2'),
    remove: vi.fn((id: string) => `deleted ${id}`),
    browse: vi.fn(async (url: string) => `opened ${url}`),
    save: vi.fn(async (name: string, _text: string) => `./${name}`),
    keepCopy: vi.fn(async (_text: string) => '~/lab-copied.txt'),
    clipboard: true,
    version: '1.2.3',
    titles: {},
  } satisfies DashboardOffers
  let feed: FeedListener | undefined
  const stopped = vi.fn()
  const ended = runDashboard({
    feed: { command: 'serve', live: true },
    listen: listener => {
      feed = listener
      return stopped
    },
    offers,
    now: () => NOW,
    ascii: false,
    stdin: terminal.stdin,
    stdout: terminal.stdout,
    ...more,
  })
  // The test reads the rejection where it expects one.
  ended.catch(() => {})
  const seen = (pattern: RegExp) => vi.waitFor(() => expect(terminal.shown()).toMatch(pattern), PATIENCE)
  const type = async (...keys: readonly string[]) => {
    for (const key of keys) {
      terminal.type(key)
      await new Promise(setImmediate)
      await new Promise(setImmediate)
    }
  }
  const happen = (...events: readonly LabEvent[]) => {
    for (const event of events) feed?.event(event)
  }
  return { ...terminal, ended, seen, type, happen, offers, stopped, feed: () => feed! }
}

/** The dashboard of the recorded afternoon. */
async function afternoon(terminal = fakeTerminal()) {
  const screen = open({}, terminal)
  screen.happen(...AFTERNOON)
  await screen.seen(/following · 10/)
  return screen
}

afterEach(() => {
  process.exitCode = undefined
})

describe('leaving the dashboard', () => {
  it.each([
    ['q', 'q', undefined, undefined],
    ['Q', 'Q', undefined, undefined],
    ['Ctrl-C', '\x03', 'SIGINT', 130],
  ])('by %s restores the terminal and stops listening', async (_name, key, signal, exitCode) => {
    const screen = await afternoon()
    await screen.type(key)
    expect(await screen.ended).toEqual({ signal, requests: 10 })
    expect(screen.written().split(LEAVE)).toHaveLength(2)
    expect(screen.rawModes.at(-1)).toBe(false)
    expect(screen.stopped).toHaveBeenCalledOnce()
    expect(process.exitCode).toBe(exitCode)
  })

  it.each([
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('by %s restores the terminal', async (signal, exitCode) => {
    const before = process.listenerCount(signal)
    const screen = await afternoon()
    process.emit(signal, signal)
    expect(await screen.ended).toEqual({ signal, requests: 10 })
    expect(screen.written()).toContain(LEAVE)
    expect(process.exitCode).toBe(exitCode)
    expect(process.listenerCount(signal)).toBe(before)
  })

  it('restores the terminal, then throws what drawing threw', async () => {
    const screen = open({
      now: () => {
        throw new TypeError('no clock')
      },
    })
    await expect(screen.ended).rejects.toThrow('no clock')
    expect(screen.written()).toContain(LEAVE)
    expect(screen.rawModes.at(-1)).toBe(false)
  })

  it('goes back step by step with q, and quits from the top', async () => {
    const screen = await afternoon()
    await screen.type('\r')
    await screen.seen(/\[Request 10\]/)
    await screen.type('?')
    await screen.seen(/esc back/)
    await screen.type('q')
    await screen.seen(/\[Request 10\]/)
    await screen.type('q')
    await screen.seen(/\[1 Requests\]/)
    await screen.type('q')
    expect(await screen.ended).toMatchObject({ requests: 10 })
  })
})

describe('keys of the dashboard', () => {
  it('filter, keep the filter, and clear it', async () => {
    const screen = await afternoon()
    await screen.type('/', 'status:4xx', ' q?')
    await screen.seen(/\/status:4xx q\?▏/)
    await screen.type('\x7f', '\x7f', '\x7f')
    await screen.seen(/1 of 10 · filter status:4xx/)
    await screen.type('\r')
    await screen.seen(/enter open/)
    await screen.type('\x1b')
    await screen.seen(/following · 10/)
    await screen.type('Q')
    await screen.ended
  })

  it('never take pasted text, unknown sequences or the mouse for commands', async () => {
    const screen = await afternoon()
    await screen.type('\x1b[25~', '\x1b[<0;1;1M', '\x1b[200~qQ\x1b[201~', 'z', '\0')
    await screen.type('/', '\x1b[200~/tok\nen\x1b[201~')
    await screen.seen(/\/\/token▏/)
    await screen.type('\r', 'Q')
    expect(await screen.ended).toMatchObject({ signal: undefined })
  })

  it('are all counted when they come faster than frames', async () => {
    const screen = await afternoon()
    await screen.type('kkkkkkkkjj')
    await screen.seen(/►14:03:11 {2}GET/)
    await screen.type('2\t\tg')
    await screen.seen(/\[4 Clients\]/)
    await screen.type('Q')
    await screen.ended
  })

  it('copy, export and open the selected entry, and rotate the key', async () => {
    const { type, seen, offers, ended, written } = await afternoon()
    await type('y')
    await seen(/copied curl/)
    const copied = Buffer.from(/\x1b\]52;c;([^\x07]+)\x07/.exec(written())?.[1] ?? '', 'base64').toString()
    expect(copied).toBe(
      'curl --globoff --cacert /home/you/.local/share/oauth-lab/ca.pem https://localhost:8443/kb/200',
    )
    await type('o')
    await vi.waitFor(
      () => expect(offers.browse).toHaveBeenCalledWith('https://localhost:8443/kb/200'),
      PATIENCE,
    )
    await type('x', 'h')
    await seen(/written: \.\/oauth-lab-serve-140350\.har/)
    const [name, text] = offers.save.mock.calls[0]!
    expect(name).toBe('oauth-lab-serve-140350.har')
    expect(JSON.parse(text)).toMatchObject({ log: { creator: { name: 'oauth-lab', version: '1.2.3' } } })
    expect(JSON.parse(text).log.entries).toHaveLength(10)
    await type('K')
    await seen(/signs with k2/)
    await type('x', 'e')
    await vi.waitFor(() => expect(offers.save).toHaveBeenCalledTimes(2), PATIENCE)
    // What is exported can be played: the same events.
    const lines = offers.save.mock.calls[1]![1].trimEnd().split('\n')
    expect(lines.map(line => JSON.parse(line).type).sort()).toEqual(AFTERNOON.map(each => each.type).sort())
    await type('Q')
    await ended
  })

  it('delete the selected client where it registered itself, and no other', async () => {
    const screen = await afternoon()
    const id = '0123456789abcdef'
    screen.happen(event('14:00:00', 'client.registered', { client_id: id, redirect_uris: [] }))
    await screen.type(String(PANES.indexOf('clients') + 1))
    await screen.seen(/0123456789abcdef/)
    await screen.type('D')
    expect(screen.offers.remove).not.toHaveBeenCalled()
    await screen.type('G')
    await screen.seen(/D delete/)
    await screen.type('D')
    await screen.seen(/deleted 0123456789abcdef/)
    expect(screen.offers.remove).toHaveBeenCalledWith(id)
    const named = { client_id: 'f'.repeat(32), client_name: 'Photo \u001b[31mclub' }
    screen.happen(event('14:00:01', 'client.registered', named))
    await screen.seen(/Photo/)
    await screen.type('G')
    await screen.seen(/►Photo .*\[31mclub {2}registered itself/)
    await screen.type('Q')
    await screen.ended
  })

  it('report the error when a file cannot be written', async () => {
    const screen = await afternoon()
    screen.offers.save.mockRejectedValueOnce(new Error('cannot write ./x.har (EROFS)'))
    await screen.type('x', 'h')
    await screen.seen(/! cannot write .\/x\.har \(EROFS\)/)
    await screen.type('Q')
    await screen.ended
  })
})

describe('the terminal of the dashboard', () => {
  it('keeps the selected request while others come, and follows again with F', async () => {
    const screen = await afternoon()
    await screen.type('k', 'k')
    await screen.seen(/►14:03:40 {2}POST/)
    screen.happen(...Array.from({ length: 300 }, (_, i) => answered('14:04:00', `GET /later/${i} 200`)))
    await screen.seen(/─ 310 ─/)
    expect(screen.written().slice(-4000)).toMatch(/►14:03:40 {2}POST/)
    await screen.type('F')
    await screen.seen(/following · 310[\s\S]*►14:04:00 {2}GET {5}\/later\/299/)
    await screen.type('Q')
    expect(await screen.ended).toMatchObject({ requests: 310 })
  })

  it('may change its size: selection, pane and filter stay, and the scrollback too', async () => {
    const terminal = fakeTerminal(100, 40)
    const screen = await afternoon(terminal)
    await screen.type('k', 'k', 'k', '3')
    await screen.seen(/\[3 Tokens\]/)
    screen.resize(60, 20)
    await screen.seen(/ serve {2}https[\s\S]*\[3 Tokens\]/)
    screen.resize(50, 6)
    await screen.seen(/this terminal is 50x6/)
    screen.resize(80, 24)
    await screen.type('1')
    await screen.seen(/►14:03:31 {2}POST {4}\/token/)
    await screen.type('Q')
    await screen.ended
    expect(screen.written()).not.toContain('\x1b[3J')
  })

  it('gets ASCII alone when asked, also where a path holds wide characters', async () => {
    const screen = open({ ascii: true })
    screen.happen(...AFTERNOON, answered('14:05:00', 'GET /漢字/👩‍👩‍👧?e\u0301=1 200'))
    await screen.seen(/following - 11/)
    await screen.type('Q')
    await screen.ended
    expect(screen.written()).toMatch(/^[\x00-\x7f]*$/)
  })

  it('draws fast events a few times, and the last one always', async () => {
    const screen = open()
    await screen.seen(/following · 0/)
    const before = screen.written().split('1 Requests').length
    for (let i = 0; i < 500; i++) screen.happen(answered('14:04:00', `GET /many/${i} 200`))
    await screen.seen(/\/many\/499/)
    expect(screen.written().split('1 Requests').length - before).toBeLessThan(10)
    await screen.type('Q')
    await screen.ended
  })

  it('says when a recording has ended, and which lines were broken', async () => {
    const screen = await afternoon()
    screen.feed().changed({ command: 'play run.jsonl', live: false, broken: '1 broken line (3)' })
    await screen.seen(/play run\.jsonl .*! 1 broken line \(3\) {2}recorded 4:08/)
    await screen.type('Q')
    await screen.ended
  })
})
