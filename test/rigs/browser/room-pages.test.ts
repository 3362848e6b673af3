import http, { type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { HttpResponse } from '../../../src/protocol/http/message.js'
import type { Board, Lane } from '../../../src/servers/room/model.js'
import { plainPage, roomPages } from '../../../src/servers/room/pages/pages.js'
import { madeBoard, madeLanes } from '../../servers/room/made-board.js'
import { chromiumNames, describeWith, findProgram, rigs } from '../../support/requires.js'
import { expectAccessible } from './accessible.js'

/** A room with one board, which a test changes, and the moves that pages sent. */
interface MadeRoom {
  readonly url: string
  readonly moves: unknown[]
  /** @param lanes the flows against its lab; left out: it has none */
  show(board: Board, lanes?: readonly Lane[]): Promise<void>
  /** Ends every stream, as a network that drops does. */
  drop(): void
  close(): void
}

const place = { room: 'OAuth on Friday', address: '192.0.2.7:8448', plain: 'http://192.0.2.7:8447/' }

async function makeRoom(): Promise<MadeRoom> {
  const streams = new Set<ServerResponse>()
  const moves: unknown[] = []
  let board = madeBoard()
  let flows: readonly Lane[] | undefined
  const pages = await roomPages(place, { csv: () => 'who\n', md: () => '# OAuth on Friday\n' })
  const written = () => `data: ${JSON.stringify({ type: 'board', ...pages.view(board, flows) })}\n\n`
  const pageOf: Readonly<Record<string, () => HttpResponse | Promise<HttpResponse>>> = {
    '/board': pages.board,
    '/stage': pages.stage,
    '/join': pages.join,
    '/': () => plainPage({ ...place, tarball: { sha256: 'ab'.repeat(32) } }),
  }
  const server = http.createServer(async (request, response) => {
    const path = request.url ?? '/'
    if (path === '/board/events') {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(written())
      streams.add(response)
    } else if (path === '/board/lead') {
      let body = ''
      for await (const part of request) body += part
      moves.push(JSON.parse(body))
      response.writeHead(204).end()
    } else {
      const { status, headers, body } = await (pageOf[path] ?? pageOf['/'])!()
      response.writeHead(status, Object.fromEntries(headers)).end(body)
    }
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    moves,
    async show(next, lanes) {
      board = next
      flows = lanes
      for (const stream of streams) stream.write(written())
    },
    drop() {
      for (const stream of streams) stream.destroy()
      streams.clear()
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

describeWith([rigs, chromiumNames.join('|')], 'the pages of a room in Chromium', () => {
  let room: MadeRoom
  let browser: Browser
  beforeAll(async () => {
    const { chromium } = await import('playwright-core')
    room = await makeRoom()
    browser = await chromium.launch({
      executablePath: findProgram(...chromiumNames) ?? '',
      args: ['--disable-dev-shm-usage', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
    })
  })
  afterAll(async () => {
    await browser?.close()
    room?.close()
  })

  async function open(path: string): Promise<{ readonly page: Page; readonly complaints: string[] }> {
    const page = await (await browser.newContext()).newPage()
    const complaints: string[] = []
    page.on('console', message => {
      if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
    })
    page.on('pageerror', error => complaints.push(error.message))
    page.on('dialog', dialog => complaints.push(`a dialog: ${dialog.message()}`))
    await page.goto(room.url + path)
    return { page, complaints }
  }

  it.each([
    ['/board', 'OAuth on Friday'],
    ['/stage', 'PKCE: the code is bound to the client that asked'],
    ['/join', 'Join OAuth on Friday'],
    ['/', 'Join OAuth on Friday'],
  ])('%s fits three windows in both colour schemes, and axe finds nothing', async (path, heading) => {
    const { page, complaints } = await open(path)
    await page.getByRole('heading', { level: 1, name: heading }).waitFor()
    await expectAccessible(page, path.replace('/', '') || 'plain')
    expect(complaints).toEqual([])
    await page.close()
  })

  it('draws flows on the stage that fit three windows in both colour schemes', async () => {
    await room.show(madeBoard(), madeLanes())
    const { page, complaints } = await open('/stage')
    await page.getByText('code_verifier does not belong to the code_challenge').waitFor()
    await expectAccessible(page, 'lanes')
    expect(complaints).toEqual([])
    await page.close()
    await room.show(madeBoard())
  })

  it('draws the steps of a flow one after the other, and pauses and names people by a key', async () => {
    await room.show(madeBoard(), [])
    const { page, complaints } = await open('/stage')
    await page.getByText('Nobody has begun a flow.').waitFor()
    const [, refused, resource] = madeLanes()
    // The page notes each text for a screen reader, with the number of steps that are drawn then.
    await page.evaluate(`window.said = []
      new MutationObserver(() => said.push([document.querySelectorAll('#lanes ol li').length, newest.textContent]))
        .observe(newest, { childList: true })`)
    await room.show(madeBoard(), [refused!])
    const drawn = (count: number) =>
      expect.poll(() => page.locator('#lanes ol li').count(), { timeout: 20_000 }).toBe(count)
    await drawn(4)
    expect(await page.evaluate('said')).toEqual([
      [1, 'K7-02 asks for a code'],
      [2, 'K7-02 logs in'],
      [3, 'K7-02 issues a code'],
      [
        4,
        'K7-02 redeems the code, refused: invalid_grant: code_verifier does not belong to the code_challenge RFC 7636 §4.6',
      ],
    ])
    const lanes = page.locator('#lanes > li')
    expect(await lanes.first().innerText()).toMatch(/✗ 4 invalid_grant: .* RFC 7636 §4\.6/)
    await page.keyboard.press('p')
    await room.show({ ...madeBoard(), room: 'OAuth on Monday' }, [{ ...resource!, who: 'K7-11' }, refused!])
    await page.getByText('OAuth on Monday').waitFor()
    await page.keyboard.press('f')
    await page.getByRole('heading', { name: 'Tasks' }).waitFor()
    await page.keyboard.press('f')
    await drawn(4)
    await page.keyboard.press('p')
    await drawn(10)
    expect(await lanes.getByRole('heading').allInnerTexts()).toEqual(['K7-11', 'K7-02'])
    await page.keyboard.press('n')
    const names = ['<img src=x onerror=alert(1)>␛[31m<U+202E>', 'Emil']
    expect(await lanes.getByRole('heading').allInnerTexts()).toEqual(names)
    expect(complaints).toEqual([])
    await page.close()
    await room.show(madeBoard())
  })

  it('shows what happens, hostile names as text, and names or none by one key', async () => {
    const { page, complaints } = await open('/board')
    const people = page.getByRole('region', { name: 'People and tasks' })
    await people.getByRole('button', { name: 'Dora' }).first().waitFor()
    expect(await people.getByText('<img src=x onerror=alert(1)>␛[31m<U+202E>').count()).toBe(1)
    const board = madeBoard(31)
    await room.show({
      ...board,
      people: board.people.map((each, i) => (i === 30 ? { ...each, name: 'Zora' } : each)),
    })
    await people.getByRole('button', { name: 'Zora' }).waitFor()
    await page.keyboard.press('n')
    await people.getByRole('button', { name: 'K7-31' }).waitFor()
    expect(await page.locator('main').textContent()).not.toMatch(/Dora|Zora|onerror/)
    expect(complaints).toEqual([])
    await page.close()
  })

  it('leads by the keyboard alone', async () => {
    const { page, complaints } = await open('/board')
    await page.getByRole('heading', { level: 1, name: 'OAuth on Friday' }).waitFor()
    room.moves.length = 0
    await page.keyboard.press('s')
    await page.keyboard.type('Look at step 3')
    await page.keyboard.press('Enter')
    await page.getByText('Said to all: Look at step 3').waitFor()
    // Out of the field: letters are keys again.
    await page.keyboard.press('Tab')
    await page.keyboard.press('/')
    await page.keyboard.type('K7-06')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Escape')
    await page
      .getByText('1 of 30 people are listed.')
      .or(page.getByText('1 of 31 people are listed.'))
      .waitFor()
    await page.getByRole('button', { name: 'Keys', exact: true }).focus()
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('heading', { name: 'Ivo' }).waitFor()
    await dialog.getByLabel('A sentence to this person').focus()
    await page.keyboard.type('Compare both codes')
    await page.keyboard.press('Enter')
    await expect.poll(() => room.moves.length).toBe(2)
    await page.keyboard.press('Escape')
    expect(room.moves).toEqual([
      { do: 'say', text: 'Look at step 3' },
      { do: 'say', text: 'Compare both codes', who: 'K7-06' },
    ])
    expect(complaints).toEqual([])
    await page.close()
  })

  it('sends each move of the teacher', async () => {
    const { page } = await open('/board')
    await page.getByRole('heading', { level: 1, name: 'OAuth on Friday' }).waitFor()
    room.moves.length = 0
    await page.getByLabel('Lesson').selectOption('04-state')
    await page.getByLabel('Pace').selectOption('all')
    await page.getByRole('button', { name: 'Set' }).click()
    await page.getByRole('button', { name: 'Next: people go on after verifier' }).click()
    await page.getByRole('button', { name: 'Hint to all' }).click()
    await page.getByRole('button', { name: 'End', exact: true }).click()
    await page.getByRole('button', { name: 'End it' }).click()
    const together = { kind: 'together', share: 1 }
    await expect
      .poll(() => room.moves)
      .toEqual([
        { do: 'phase', pace: together, lesson: '04-state' },
        { do: 'open', task: '05-pkce/verifier' },
        { do: 'hint' },
        { do: 'end' },
      ])
    await page.close()
  })

  it('says when the connection is lost, and goes on by itself', async () => {
    const { page } = await open('/board')
    await page.getByText('Live: what happens').waitFor()
    room.drop()
    await page.getByText(/The connection is lost since/).waitFor()
    await room.show(madeBoard(3))
    await page.getByText('3 people,').waitFor({ timeout: 20_000 })
    await page.getByText('Live: what happens').waitFor()
    await page.close()
    await room.show(madeBoard())
  })

  it('shows the code and the right option on the stage by a key alone', async () => {
    const { page, complaints } = await open('/stage')
    await page.getByText('npx oauth-lab join').waitFor()
    const shown = () => page.locator('main').innerText()
    expect(await shown()).not.toContain('K7QM')
    expect(await shown()).not.toContain('✓ right')
    expect(await shown()).not.toContain('Dora')
    await page.keyboard.press('c')
    await page.keyboard.press('r')
    expect(await shown()).toContain('K7QM-3D9X')
    expect(await shown()).toContain('✓ right')
    await page.keyboard.press('?')
    await page.getByLabel('These keys work').uncheck()
    await page.keyboard.press('Escape')
    await page.keyboard.press('c')
    expect(await shown()).toContain('K7QM-3D9X')
    expect(complaints).toEqual([])
    await page.close()
  })

  it('stays quick with 300 people', async () => {
    const { page } = await open('/board')
    await room.show(madeBoard(300))
    await page.getByText('300 people,').waitFor()
    await page.getByLabel('List only').fill('stuck asks')
    await page.getByText('1 of 300 people are listed.').waitFor()
    await page.close()
    await room.show(madeBoard())
  })
})
