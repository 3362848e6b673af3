import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ApiObject } from '../../../src/servers/kubernetes/shapes.js'
import { type AskOptions, expectStatus, LIMITED, statusOf, testCluster } from './support.js'

const MAPS = '/api/v1/namespaces/lab/configmaps'

interface WatchEvent {
  readonly type: string
  readonly object: ApiObject & { readonly kind: string }
}

const decoder = new TextDecoder()

/** A cluster and its watches, whose lines are read one after the other. */
function cluster() {
  const made = testCluster()
  const { ask } = made
  async function watch(query = '', options: AskOptions = {}, path = MAPS) {
    const { response, status } = await ask('GET', `${path}?watch=true&${query}`, options)
    const lines = response.stream![Symbol.asyncIterator]()
    const waiting: string[] = []
    const next = async (): Promise<WatchEvent | undefined> => {
      if (waiting.length === 0) {
        const { done, value } = await lines.next()
        if (done) return undefined
        waiting.push(...decoder.decode(value).trimEnd().split('\n'))
      }
      return JSON.parse(waiting.shift()!) as WatchEvent
    }
    return { status, next, close: () => lines.return?.() }
  }
  const add = (name: string, labels: object = {}) =>
    ask('POST', MAPS, { body: { metadata: { name, labels } } })
  const patch = (name: string, body: object) =>
    ask('PATCH', `${MAPS}/${name}`, { body, headers: [['content-type', 'application/merge-patch+json']] })
  const version = async () =>
    (await ask('GET', MAPS)).json<{ metadata: { resourceVersion: string } }>().metadata.resourceVersion
  return { ...made, watch, add, patch, version }
}

const shown = (event: WatchEvent | undefined) => [event?.type, event?.object.metadata?.name]

describe('a watch', () => {
  beforeEach(
    () => void vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'clearTimeout', 'clearInterval'] }),
  )
  afterEach(() => void vi.useRealTimers())

  it('begins with all objects, and goes on with changes', async () => {
    const { watch, add, patch, ask } = cluster()
    await add('a')
    const { next } = await watch()
    expect(shown(await next())).toEqual(['ADDED', 'a'])
    await add('b')
    await patch('b', { data: { x: '1' } })
    await ask('DELETE', `${MAPS}/b`)
    const events = [await next(), await next(), await next()]
    expect(events.map(shown).join()).toBe('ADDED,b,MODIFIED,b,DELETED,b')
    const versions = events.map(each => Number(each?.object.metadata?.resourceVersion))
    expect(versions).toEqual([...versions].sort((a, b) => a - b))
    expect(new Set(versions).size).toBe(3)
  })

  it('from a version reports the changes after it, and no other resource or namespace', async () => {
    const { watch, add, ask, version } = cluster()
    await add('a')
    const from = await version()
    await add('b')
    await ask('POST', '/api/v1/namespaces/default/configmaps', { body: { metadata: { name: 'elsewhere' } } })
    await ask('POST', '/api/v1/namespaces/lab/serviceaccounts', { body: { metadata: { name: 'b' } } })
    const { next } = await watch(`resourceVersion=${from}`)
    await add('c')
    expect(shown(await next())).toEqual(['ADDED', 'b'])
    expect(shown(await next())).toEqual(['ADDED', 'c'])
  })

  it('with a selector adds objects that begin to match, and deletes those that end to', async () => {
    const { watch, add, patch } = cluster()
    const { next } = await watch('labelSelector=app%3Dx')
    await add('a')
    await patch('a', { metadata: { labels: { app: 'x' } } })
    await patch('a', { data: { y: '1' } })
    await patch('a', { metadata: { labels: { app: 'z' } } })
    for (const type of ['ADDED', 'MODIFIED', 'DELETED']) expect(shown(await next())).toEqual([type, 'a'])
  })

  it('reports all objects and then a bookmark to streaming lists', async () => {
    const { watch, add } = cluster()
    await add('a')
    const query = 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true'
    const { next } = await watch(query)
    expect(shown(await next())).toEqual(['ADDED', 'a'])
    const metadata = { annotations: { 'k8s.io/initial-events-end': 'true' } }
    expect(await next()).toMatchObject({ type: 'BOOKMARK', object: { kind: 'ConfigMap', metadata } })
    const { ask } = cluster()
    expect((await ask('GET', `${MAPS}?watch=1&sendInitialEvents=true`)).status).toBe(422)
  })

  it('has bookmarks with the present version, and ends after its time', async () => {
    const { watch, version } = cluster()
    const { next } = await watch('allowWatchBookmarks=true&timeoutSeconds=45')
    const first = next()
    await vi.advanceTimersByTimeAsync(30_000)
    const metadata = { resourceVersion: await version() }
    expect(await first).toMatchObject({ type: 'BOOKMARK', object: { metadata } })
    const second = next()
    await vi.advanceTimersByTimeAsync(15_000)
    expect(await second).toBeUndefined()
  })

  it('of a forgotten version, and of one of the future, is gone', async () => {
    const { ask, add, patch } = cluster()
    for (const version of ['1', '999999']) {
      const gone = await ask('GET', `${MAPS}?watch=1&resourceVersion=${version}`)
      expectStatus(gone, 410, `too old resource version: ${version} (`)
      expect(statusOf(gone).reason).toBe('Expired')
    }
    const { metadata } = (await add('a')).json<ApiObject>()
    for (let i = 0; i < 2100; i++) await patch('a', { data: { i: String(i) } })
    const old = await ask('GET', `${MAPS}?watch=1&resourceVersion=${metadata?.resourceVersion}`)
    expect(old.status).toBe(410)
    expect((await ask('GET', `${MAPS}?watch=1&resourceVersion=x`)).status).toBe(422)
  })

  it('gives tables to clients that prefer them', async () => {
    const { watch, add } = cluster()
    await add('a')
    const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json'
    const { next } = await watch('', { headers: [['accept', accept]] })
    expect((await next())?.object.kind).toBe('Table')
  })

  it('needs its verb, and is limited in number for each user', async () => {
    const { ask, watch, events } = cluster()
    expect((await ask('GET', `${MAPS}?watch=1`, { bearer: LIMITED })).status).toBe(403)
    const open = []
    for (let i = 0; i < 100; i++) open.push(await watch())
    const refused = await ask('GET', `${MAPS}?watch=1`)
    expect([refused.status, refused.header('retry-after')]).toEqual([429, '1'])
    for (const each of open) each.close()
    expect((await watch()).status).toBe(200)
    const started = events.find(({ type }) => type === 'cluster.watch_started')
    expect(started).toMatchObject({ resource: 'configmaps', namespace: 'lab' })
  })

  it('by WebSocket ends after its first events, so that clients watch by HTTP', async () => {
    const { watch, add } = cluster()
    await add('a')
    const headers = Object.entries({ connection: 'Upgrade', upgrade: 'websocket' })
    const { status, next } = await watch('', { headers })
    expect([status, shown(await next())]).toEqual([200, ['ADDED', 'a']])
    const end = next()
    await vi.advanceTimersByTimeAsync(1)
    expect(await end).toBeUndefined()
  })

  it('ends when its client reads too slowly', async () => {
    const { watch, patch, add } = cluster()
    await add('a')
    const { next } = await watch()
    for (let i = 0; i < 30; i++) await patch('a', { data: { x: `${i}${'x'.repeat(50_000)}` } })
    expect(await next()).toBeUndefined()
  })
})
