import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { labConfigFrom } from '../../../../src/lab/lab-file/config.js'
import { text } from '../../../../src/protocol/http/message.js'
import { client, codeRequest, lab, settings } from '../support.js'

const stranger = client('demo-spy', { introduced: 'registration' })

const unescaped = (markup: string) =>
  markup.replace(
    /&(lt|gt|quot|#39|amp);/g,
    (_, name) => ({ lt: '<', gt: '>', quot: '"', amp: '&' })[name as string] ?? "'",
  )

/** The page for a client_id: its facts by name, and the line for the lab file. */
async function pageFor(client_id: string, redirect_uri?: string) {
  const { authorize } = lab({ clients: [...settings.clients, stranger] })
  const page = await authorize(
    codeRequest({ client_id, ...(redirect_uri !== undefined && { redirect_uri }) }),
  )
  const body = text(page.body)
  const fact = (name: string) => new RegExp(`<dt>${name}</dt>\n<dd><code>(.*?)</code>`).exec(body)?.[1]
  const line = /<p><code>(- \{.*\})<\/code><\/p>/.exec(body)?.[1]
  return {
    status: page.status,
    body,
    sent: fact('client_id of the request'),
    nearest: fact('Nearest registered client'),
    line: line && unescaped(line),
  }
}

describe('the page for an unknown client', () => {
  it.each([
    ['dmeo', 'demo'],
    ['demo-spaa', 'demo-spa'],
    // A client that registered itself is nearer, and is not named.
    ['demo-spx', 'demo-spa'],
    ['something else', undefined],
    ['<b>', undefined],
  ])('names %j and the nearest client', async (id, near) => {
    const { status, sent, nearest } = await pageFor(id)
    expect([status, unescaped(sent ?? ''), nearest]).toEqual([400, id, near])
  })

  it.each([
    ['photo', 'https://client.example/cb?a=b', 'https://client.example/cb?a=b'],
    [`it's "new" <b>: #1`, 'com.example.app:/cb', 'com.example.app:/cb'],
    ['photo', 'http://client.example/cb', 'http://127.0.0.1/callback'],
    ['photo', 'https://client.example/cb#x', 'http://127.0.0.1/callback'],
  ])('prints a line for %j at %s that the lab file takes', async (id, sent, address) => {
    const { line, body } = await pageFor(id, sent)
    const clients = parse(line ?? '')
    expect(clients).toEqual([{ client_id: id, redirect_uris: [address] }])
    const { clients: taken } = await labConfigFrom({ clients }, 'the test')
    expect(taken[0]).toMatchObject({ client_id: id, redirect_uris: [address] })
    expect(body).not.toContain('<a ')
  })

  it('prints no line for an id that cannot be registered, and cuts a long one', async () => {
    expect((await pageFor('ü')).line).toBeUndefined()
    const { sent, line } = await pageFor('x'.repeat(500))
    expect([sent?.length, line]).toEqual([200, undefined])
  })

  it('is not that of a client that is switched off, or missing', async () => {
    for (const id of ['demo-disabled', '']) expect((await pageFor(id)).sent).toBeUndefined()
  })
})
