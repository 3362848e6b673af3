import { describe, expect, it } from 'vitest'
import { encodeForm } from '../../../../src/protocol/http/form.js'
import type { HeaderList } from '../../../../src/protocol/http/message.js'
import { judgeDocument } from '../../../../src/servers/authorization-server/client-documents/document-rules.js'
import { createClientDocuments } from '../../../../src/servers/authorization-server/client-documents/documents.js'
import {
  documentReader,
  FetchFailure,
} from '../../../../src/servers/authorization-server/client-documents/fetch-failure.js'
import type { AuthorizationServerEvent } from '../../../../src/servers/authorization-server/events.js'
import type { ClientCalls, FetchDocument } from '../../../../src/servers/authorization-server/settings.js'
import { createDocumentClients } from '../../../../src/servers/authorization-server/stores/registry.js'
import { client, ISSUER } from '../support.js'

const ID = 'https://client.example/client.json'
const section = (number: string) => `draft-ietf-oauth-client-id-metadata-document-02 §${number}`

/** Documents whose answers the test sets, with a clock that the test moves. */
function world(options: { readonly limit?: number } = {}) {
  let time = 1_000_000
  const asked: string[] = []
  const events: AuthorizationServerEvent[] = []
  let headers: HeaderList = []
  let answer: (url: string) => unknown = url => ({
    client_id: url,
    redirect_uris: ['https://client.example/cb'],
  })
  let gate: Promise<unknown> = Promise.resolve()
  const clients = createDocumentClients(options.limit)
  const documents = createClientDocuments({
    clients,
    isRegistered: () => false,
    async fetchDocument(url, accept, kind) {
      asked.push(`${kind} ${accept} ${url}`)
      await gate
      const document = answer(url)
      if (document instanceof Error) throw document
      const body = typeof document === 'string' ? document : JSON.stringify(document)
      return { body, contentType: 'application/json', headers }
    },
    judgeDocument,
    readMetadata(metadata, id) {
      if (metadata.redirect_uris === undefined) {
        return { member: 'redirect_uris', problem: 'it is missing', rule: 'RFC 7591 §2' }
      }
      return { client: client(id, { redirect_uris: metadata.redirect_uris as string[] }) }
    },
    now: () => time,
  })
  return {
    clients,
    documents,
    asked,
    events,
    name: (...ids: string[]) =>
      documents.prepare(
        {
          method: 'GET',
          url: `${ISSUER}/authorization?${encodeForm(ids.map(id => ['client_id', id] as const))}`,
          headers: [],
          body: new Uint8Array(),
        },
        event => void events.push(event),
      ),
    answers(document: unknown, sent: HeaderList = []) {
      answer = () => document
      headers = sent
    },
    waits(until: Promise<unknown>) {
      gate = until
    },
    later: (seconds: number) => {
      time += seconds * 1000
    },
  }
}

const document = (more: object = {}) => ({
  client_id: ID,
  redirect_uris: ['https://client.example/cb'],
  ...more,
})

describe('a client that is known by its document', () => {
  it('is found after a request named it', async () => {
    const { documents, clients, asked, events, name } = world()
    expect(documents.client(ID)).toBeUndefined()
    await name(ID)
    expect(documents.client(ID)).toMatchObject({ client_id: ID, introduced: 'document' })
    expect(documents.clients()).toHaveLength(1)
    expect(clients.ids()).toEqual([ID])
    expect(documents.problem(ID)).toBeUndefined()
    expect(asked).toEqual([`metadata application/json ${ID}`])
    expect(events).toEqual([
      {
        type: 'client_document.fetched',
        client_id: ID,
        redirect_uris: ['https://client.example/cb'],
        token_endpoint_auth_method: 'none',
        fresh_for: 60,
      },
    ])
  })

  it('is fetched again when it is stale, and keeps its place', async () => {
    const { asked, name, later, answers, events, documents } = world()
    answers(document(), [['cache-control', 'max-age=100']])
    await name(ID)
    later(99)
    await name(ID)
    expect(asked).toHaveLength(1)
    later(1)
    answers(document({ redirect_uris: ['https://client.example/other'] }))
    await name(ID)
    expect(asked).toHaveLength(2)
    expect(events.at(-1)).toMatchObject({ type: 'client_document.fetched', changed: ['redirect_uris'] })
    expect(documents.client(ID)?.redirect_uris).toEqual(['https://client.example/other'])
  })

  it('is fetched once for requests at the same time', async () => {
    const { asked, name, waits } = world()
    let open = () => {}
    waits(new Promise<void>(done => (open = done)))
    const all = [name(ID), name(ID), name(ID)]
    open()
    await Promise.all(all)
    expect(asked).toHaveLength(1)
  })

  it.each<[string, unknown, string]>([
    ['redirects', new FetchFailure('status', 'it answered 302; redirects are not followed'), '5'],
    ['is too large', new FetchFailure('size', 'it is larger than 5120 bytes'), '8.7'],
    ['is at a private address', new FetchFailure('address', 'it is private'), '8.6'],
    ['cannot be reached', new FetchFailure('network', 'no answer'), '5.1'],
    ['cannot be had for another cause', new Error('anything else'), '5.1'],
    ['is HTML', '<!doctype html>', '4'],
    ['names another client', { client_id: 'https://other.example/' }, '4'],
    ['has a secret', document({ client_secret: 'x' }), '4.1'],
  ])('is refused when its document %s, and asked again at once', async (_name, answer, number) => {
    const { documents, asked, events, name, answers } = world()
    answers(answer)
    await name(ID)
    expect(documents.client(ID)).toBeUndefined()
    // The client learns the cause only of a document that names itself.
    const unread = {
      problem: 'its document: this server cannot read it; the event of the lab names the cause',
      rule: section('5.1'),
    }
    const isOwn = number === '4.1'
    expect(documents.problem(ID)).toEqual(
      isOwn ? { problem: expect.stringContaining('secret'), rule: section('4.1') } : unread,
    )
    expect(events).toEqual([
      {
        type: 'client_document.refused',
        client_id: ID,
        description: expect.any(String),
        rule: section(number),
      },
    ])
    // Errors are not cached (§5.2).
    answers(document())
    await name(ID)
    expect(asked).toHaveLength(2)
    expect(documents.problem(ID)).toBeUndefined()
    expect(documents.client(ID)).toBeDefined()
  })

  it('is not asked endlessly when it fails: the host has to wait', async () => {
    const { documents, asked, name, answers, later } = world()
    answers('<html>')
    for (let i = 0; i < 30; i++) await name(`https://client.example/${i}`)
    expect(asked).toHaveLength(20)
    expect(documents.problem('https://client.example/29')).toMatchObject({
      problem: expect.stringMatching(/too often; try again in 10 s/),
      rule: section('5.1'),
    })
    await name('https://another.example/client')
    expect(asked).toHaveLength(21)
    later(10)
    await name(ID)
    expect(asked).toHaveLength(22)
  })

  it('stays usable when this server is too busy to ask again', async () => {
    const { documents, name, answers, later } = world()
    await name(ID)
    later(61)
    answers(new FetchFailure('busy', 'too many clients are called now'))
    await name(ID)
    expect(documents.problem(ID)).toBeUndefined()
    expect(documents.client(ID)).toBeDefined()
    await name('https://another.example/client')
    expect(documents.problem('https://another.example/client')).toMatchObject({ rule: section('5.1') })
  })

  it('is one of a bounded number', async () => {
    const { documents, clients, name } = world({ limit: 3 })
    for (let i = 0; i < 10; i++) await name(`https://client.example/${i}`)
    expect(documents.clients()).toHaveLength(3)
    expect(clients.ids()).toEqual([7, 8, 9].map(i => `https://client.example/${i}`))
    expect(clients.ids()).toBe(clients.ids())
  })
})

it.each<[string, () => ReturnType<FetchDocument>]>([
  ['a refused connection', () => Promise.reject(new Error('connect ECONNREFUSED'))],
  ['an answer that is no document', async () => ({ body: '<html>' })],
])('a failure takes the same time for %s', async (_, fetchDocument) => {
  let release = () => {}
  const pause = () => new Promise<void>(resolve => (release = resolve))
  const clientCalls = { pause } as unknown as ClientCalls
  const address = { url: ID, accept: 'application/json', kind: 'introduced' } as const
  let ended = false
  const read = documentReader({ fetchDocument, clientCalls })(address, ({ body }) => JSON.parse(body))
  const failed = read.catch(() => (ended = true))
  await new Promise(resolve => setImmediate(resolve))
  expect(ended).toBe(false)
  release()
  await failed
  expect(ended).toBe(true)
})
