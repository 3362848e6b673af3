import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { type HttpResponse, header, text } from '../../../src/protocol/http/message.js'
import { ruleDemand, ruleDocuments } from '../../../src/protocol/rules/documents.js'
import { plainPage, roomPages } from '../../../src/servers/room/pages/pages.js'
import { madeBoard } from './made-board.js'

const place = { room: '<b>Friday</b>', address: '192.0.2.7:8448', plain: 'http://192.0.2.7:8447/' }
const pages = await roomPages(place, {
  csv: ({ room }) => `who,name\nK7-01,${room}\n`,
  md: ({ room }) => `# ${room}\n`,
})
const tarball = { sha256: 'ab'.repeat(32) }

const all: readonly [name: string, page: HttpResponse][] = [
  ['board', await pages.board()],
  ['stage', await pages.stage()],
  ['join', await pages.join()],
  ['plain', plainPage({ ...place, tarball })],
]

describe('the pages of a room', () => {
  it.each(all)('%s allows its own script and style by their hashes, and nothing of others', (_, page) => {
    const policy = header(page, 'content-security-policy') ?? ''
    const markup = text(page.body)
    const hashes = [...markup.matchAll(/<(?:style|script)>(.*?)<\/(?:style|script)>/gs)].map(
      ([, source = '']) => `'sha256-${createHash('sha256').update(source).digest('base64')}'`,
    )
    expect(policy).toContain("default-src 'none'")
    expect(hashes.length).toBeGreaterThan(0)
    for (const hash of hashes) expect(policy).toContain(hash)
    expect(policy.match(/sha256-/g)).toHaveLength(hashes.length)
    expect(policy).not.toMatch(/unsafe|https:/)
    expect(markup).not.toMatch(/ (?:style|on\w+)="|(?:src|href)="(?:https:)?\/\//)
  })

  it('are under 60 kB compressed in all', () => {
    const sizes = all.map(([, page]) => gzipSync(page.body).length)
    expect(sizes.reduce((sum, each) => sum + each, 0)).toBeLessThan(60_000)
  })

  it('say how to join without a code, and escape the name of the room', async () => {
    const markup = text((await pages.join()).body)
    expect(markup).toContain('npx oauth-lab join 192.0.2.7:8448 CODE')
    expect(markup).toContain('Join &lt;b&gt;Friday&lt;/b&gt;')
    expect(markup).toContain('aria-label="QR code of http://192.0.2.7:8447/"')
  })

  it('have the program on the plain page where it could be packed', async () => {
    const markup = text(plainPage({ ...place, tarball }).body)
    expect(markup).toContain('npm install -g http://192.0.2.7:8447/oauth-lab.tgz')
    expect(markup).toContain(tarball.sha256)
    expect(text(plainPage(place).body)).toContain('it has no npm')
  })

  it.each([
    ['csv', 'text/csv; charset=utf-8', 'who,name\nK7-01,OAuth on Friday\n'],
    ['md', 'text/markdown; charset=utf-8', '# OAuth on Friday\n'],
  ] as const)('give the report as a file: %s', (format, type, body) => {
    const file = pages.report(madeBoard(), format)
    expect(text(file.body)).toBe(body)
    expect(header(file, 'content-type')).toBe(type)
    expect(header(file, 'content-disposition')).toBe(`attachment; filename="workshop.${format}"`)
    expect(header(file, 'x-content-type-options')).toBe('nosniff')
  })

  it('show reasons, demands, predictions, the pace and what is next in words', () => {
    expect(pages.view(madeBoard())).toMatchObject({
      lesson: '05-pkce',
      pace: 'goes on once 80 % are done',
      next: { action: { do: 'open', task: '05-pkce/verifier' }, text: 'people go on after verifier' },
      groups: [
        {
          rule: 'invalid_grant RFC 7636 §4.6',
          demand: 'A code_verifier that does not fit the challenge is invalid_grant.',
        },
        { rule: 'invalid_request' },
      ],
      people: expect.arrayContaining([
        expect.objectContaining({ stuck: { why: 'said', text: 'asks for help' } }),
        expect.objectContaining({
          stuck: expect.objectContaining({ text: 'refused three times by invalid_grant RFC 7636 §4.6' }),
        }),
        expect.objectContaining({
          who: 'K7-01',
          begun: { '04-state': 'no prediction', '05-pkce': 'predicted A, then C; right is C' },
        }),
        expect.objectContaining({ who: 'K7-09', presence: 'offline' }),
        expect.objectContaining({ who: 'K7-11', presence: 'idle' }),
      ]),
    })
  })
})

it.each<[phase: string | undefined, people: readonly string[], lesson: string | undefined]>([
  ['06-one-use', ['04-state'], '06-one-use'],
  [undefined, ['04-state', '06-one-use', '06-one-use'], '06-one-use'],
  ['gone', ['05-pkce'], '05-pkce'],
  [undefined, [], '04-state'],
])('with the room at %s and people at %j, the shown lesson is %s', (phase, lessons, lesson) => {
  const { people, ...board } = madeBoard()
  const view = pages.view({
    ...board,
    people: lessons.map((each, i) => ({ ...people[i]!, lesson: each })),
    phase: { pace: { kind: 'free' }, open: [], ...(phase !== undefined && { lesson: phase }) },
  })
  expect(view).toMatchObject({ lesson })
})

it.each([
  ['invalid_grant RFC 7636 §4.6', /code_verifier/],
  ['invalid_grant RFC 6749 §4.1.3, RFC 7636 §4.6', /./],
  ['invalid_request', undefined],
  ['RFC 7636 §99', undefined],
])('the demand of %j', async (rule, demand) => {
  const found = ruleDemand(await ruleDocuments(), rule)
  if (demand === undefined) expect(found).toBeUndefined()
  else expect(found).toMatch(demand)
})
