import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ObjectMeta } from '../../../src/servers/kubernetes/shapes.js'
import { statusOf, testCluster } from './support.js'

const MAPS = '/api/v1/namespaces/lab/configmaps'

interface List {
  readonly metadata: {
    readonly resourceVersion: string
    readonly continue?: string
    readonly remainingItemCount?: number
  }
  readonly items: readonly { readonly metadata: ObjectMeta }[]
}

/** A cluster with ConfigMaps of these names. */
async function cluster(...names: readonly string[]) {
  const made = testCluster()
  const add = (name: string, labels: object = {}, namespace = 'lab') =>
    made.ask('POST', `/api/v1/namespaces/${namespace}/configmaps`, { body: { metadata: { name, labels } } })
  for (const name of names) await add(name)
  const headers = [['content-type', 'application/merge-patch+json']] as const
  const patch = (name: string, body: object) => made.ask('PATCH', `${MAPS}/${name}`, { body, headers })
  const refused = async (query: string, path = MAPS) => {
    const { code, reason, message } = statusOf(await made.ask('GET', `${path}?${query}`))
    return [code, reason, message]
  }
  const list = async (query: string, path = MAPS) => (await made.ask('GET', `${path}?${query}`)).json<List>()
  const next = (page: List, query: string, path = MAPS) =>
    list(`${query}&continue=${page.metadata.continue}`, path)
  return { ...made, add, patch, list, next, refused }
}

const namesOf = ({ items }: List) => items.map(each => each.metadata.name)

const token = (position: object) => Buffer.from(JSON.stringify(position)).toString('base64url')

describe('a list with a limit', () => {
  it('comes in pages of one version, and counts what is left', async () => {
    const { list, next, add, ask, patch } = await cluster('a', 'b', 'c', 'd', 'e')
    const first = await list('limit=2')
    expect([namesOf(first), first.metadata.remainingItemCount]).toEqual([['a', 'b'], 3])
    // Changes between two pages are not in the list, which is consistent.
    await ask('DELETE', `${MAPS}/c`)
    await add('bb')
    await patch('d', { data: { changed: 'yes' } })
    const second = await next(first, 'limit=2')
    expect([namesOf(second), second.metadata.remainingItemCount]).toEqual([['c', 'd'], 1])
    expect(second.items[1]).not.toHaveProperty('data')
    const third = await next(second, 'limit=2')
    expect([namesOf(third), third.metadata.continue]).toEqual([['e'], undefined])
    expect(new Set([first, second, third].map(each => each.metadata.resourceVersion)).size).toBe(1)
    expect(namesOf(await list(''))).toEqual(['a', 'b', 'bb', 'd', 'e'])
  })

  it.each([
    ...['limit=5', 'limit=9', 'limit=0', 'limit=-1', 'limit='],
    // A list of any version comes from a cache, which has no pages.
    'limit=2&resourceVersion=0',
  ])('%s has everything, and no token', async query => {
    const { list } = await cluster('a', 'b', 'c', 'd', 'e')
    const { items, metadata } = await list(query)
    expect([items.length, metadata.continue, metadata.remainingItemCount]).toEqual([5, undefined, undefined])
  })

  it('with a selector has full pages, and no count', async () => {
    const { list, next, add } = await cluster('a', 'c', 'e')
    for (const name of ['b', 'd', 'f']) await add(name, { app: 'x' })
    const query = 'limit=2&labelSelector=app%3Dx'
    const first = await list(query)
    expect([namesOf(first), first.metadata.remainingItemCount]).toEqual([['b', 'd'], undefined])
    const second = await next(first, query)
    expect([namesOf(second), second.metadata.continue]).toEqual([['f'], undefined])
  })

  it('of all namespaces goes on behind the object with its namespace', async () => {
    const { list, next, add } = await cluster('a', 'b')
    await add('a', {}, 'default')
    const all = '/api/v1/configmaps'
    const first = await list('limit=2', all)
    const second = await next(first, 'limit=2', all)
    const found = [first, second].flatMap(({ items }) => items.map(each => each.metadata))
    const places = found.map(({ namespace, name }) => `${namespace}/${name}`)
    expect(places).toEqual(['default/a', 'lab/a', 'lab/b'])
  })

  it.each(['meta.k8s.io/v1 Table', 'meta.k8s.io/v1 PartialObjectMetadataList'])(
    'has its token as %s',
    async form => {
      const { ask } = await cluster('a', 'b', 'c')
      const [group = '', kind] = form.split(' ')
      const accept = `application/json;as=${kind};v=v1;g=${group.split('/')[0]},application/json`
      const answer = await ask('GET', `${MAPS}?limit=2`, { headers: [['accept', accept]] })
      const { metadata } = answer.json<List>()
      expect(metadata).toMatchObject({ continue: expect.any(String), remainingItemCount: 1 })
    },
  )

  it('shows every object once, for any names and limits', async () => {
    const name = fc.stringMatching(/^[a-z]([a-z.-]{0,3}[a-z])?$/).filter(each => !/[.-]{2}/.test(each))
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(name, { maxLength: 12 }),
        fc.integer({ min: 1, max: 5 }),
        async (names, limit) => {
          const { list, next } = await cluster(...names)
          const shown: (string | undefined)[] = []
          let page = await list(`limit=${limit}`)
          shown.push(...namesOf(page))
          while (page.metadata.continue !== undefined) {
            page = await next(page, `limit=${limit}`)
            shown.push(...namesOf(page))
          }
          expect(shown).toEqual([...names].sort())
        },
      ),
      { numRuns: 25 },
    )
  })
})

describe('a continue token', () => {
  it('whose version is forgotten is gone, with a token for the rest of the present objects', async () => {
    const { ask, list, next, add, patch } = await cluster('a', 'b', 'c')
    const first = await list('limit=1')
    for (let i = 0; i < 2100; i++) {
      await patch('a', { data: { i: String(i) } })
    }
    const old = statusOf(await ask('GET', `${MAPS}?limit=1&continue=${first.metadata.continue}`))
    const message = expect.stringContaining('parameter is too old to display a consistent list')
    expect(old).toMatchObject({ code: 410, reason: 'Expired', message })
    await add('bb')
    const rest = await next({ metadata: old.metadata as List['metadata'], items: [] }, 'limit=9')
    expect(namesOf(rest)).toEqual(['b', 'bb', 'c'])
  })

  it.each([
    ['a.b', 'illegal base64 data at input byte 1'],
    ['bm90IGpzb24', 'invalid character'],
    ['bnVsbA', 'invalid character'],
    [token({ v: 'v2', rv: 5, start: 'a' }), 'does not recognize this encoded version'],
    [token({ v: 'meta.k8s.io/v1', rv: 0, start: 'a' }), 'incorrect encoded start resourceVersion'],
    [token({ v: 'meta.k8s.io/v1', rv: '5', start: 'a' }), 'incorrect encoded start resourceVersion'],
    [token({ v: 'meta.k8s.io/v1', rv: 5 }), 'encoded start key empty'],
  ])('%s is a bad request', async (text, problem) => {
    const { refused } = await cluster('a')
    const says = new RegExp(`^invalid continue token: continue key is not valid.*${problem}`)
    const message = expect.stringMatching(says)
    expect(await refused(`limit=1&continue=${text}`)).toEqual([400, 'BadRequest', message])
  })

  it('takes no other version beside its own', async () => {
    const { list, refused } = await cluster('a', 'b')
    const { metadata } = await list('limit=1')
    expect(await refused(`continue=${metadata.continue}&resourceVersion=120`)).toEqual([
      ...[400, 'BadRequest'],
      'specifying resource version is not allowed when using continue',
    ])
  })

  it('of a version of the future, as after a restart, is gone', async () => {
    const { refused } = await cluster('a')
    const future = token({ v: 'meta.k8s.io/v1', rv: 999_999, start: 'a' })
    expect((await refused(`continue=${future}`)).slice(0, 2)).toEqual([410, 'Expired'])
  })
})

describe('a list of a version', () => {
  it('shows that version where it has to be exact, and the present one otherwise', async () => {
    const { list, add, ask } = await cluster('a', 'b')
    const { resourceVersion } = (await list('')).metadata
    await add('c')
    await ask('DELETE', `${MAPS}/a`)
    const at = `resourceVersion=${resourceVersion}`
    const exact = await list(`${at}&resourceVersionMatch=Exact`)
    expect([namesOf(exact), exact.metadata.resourceVersion]).toEqual([['a', 'b'], resourceVersion])
    // A limit without a match means the exact version too.
    expect(namesOf(await list(`${at}&limit=5`))).toEqual(['a', 'b'])
    expect(namesOf(await list(`${at}&resourceVersionMatch=NotOlderThan`))).toEqual(['b', 'c'])
    expect(namesOf(await list(at))).toEqual(['b', 'c'])
  })

  it.each([
    ['resourceVersionMatch=Exact', 422, 'is forbidden unless resourceVersion is provided'],
    ['resourceVersionMatch=Exact&resourceVersion=0', 422, 'is forbidden for resourceVersion "0"'],
    ['resourceVersionMatch=x&resourceVersion=5', 422, 'Unsupported value: "x"'],
    ['resourceVersionMatch=Exact&resourceVersion=5&continue=x', 422, 'forbidden when continue is provided'],
    ['resourceVersionMatch=Exact&resourceVersion=5', 410, 'for the provided list is too old.'],
    ['resourceVersion=999999', 504, 'Too large resource version: 999999'],
    ['limit=x', 400, 'strconv.ParseInt: parsing "x": invalid syntax'],
  ])('%s is refused', async (query, code, message) => {
    const { refused } = await cluster('a')
    expect(await refused(query)).toEqual([code, expect.any(String), expect.stringContaining(message)])
  })
})
