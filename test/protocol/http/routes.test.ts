import { describe, expect, it } from 'vitest'
import { header, text, textResponse } from '../../../src/protocol/http/message.js'
import { createRouter } from '../../../src/protocol/http/site.js'
import { recordingContext } from '../../support/ask.js'

const router = createRouter([
  { path: '/', methods: { GET: () => textResponse(200, 'root') } },
  { path: '/kb/:kb', methods: { GET: (_request, _context, { kb }) => textResponse(200, `kb ${kb}`) } },
  { path: '/kb/special', methods: { GET: () => textResponse(200, 'special') } },
  {
    path: '/token',
    methods: { POST: async () => textResponse(200, 'token'), OPTIONS: () => textResponse(204, '') },
    otherMethod: (_request, allow) => textResponse(405, 'own words', [['allow', allow]]),
  },
])

async function ask(method: string, target: string) {
  const response = await router(
    { method, url: `https://h${target}`, headers: [], body: new Uint8Array() },
    recordingContext([]),
  )
  return { status: response.status, body: text(response.body), allow: header(response, 'allow') }
}

describe('createRouter', () => {
  it.each([
    ['GET', '/', 200, 'root'],
    ['GET', '/?x=1#y', 200, 'root'],
    ['HEAD', '/', 200, 'root'],
    ['GET', '/kb/2', 200, 'kb 2'],
    ['GET', '/kb/a%2Fb', 200, 'kb a/b'],
    ['GET', '/kb/special', 200, 'special'],
    ['GET', '/kb/%', 404, 'Not found\n'],
    ['GET', '/kb/%ff', 404, 'Not found\n'],
    ['GET', '/kb', 404, 'Not found\n'],
    ['GET', '/kb/2/', 404, 'Not found\n'],
    ['GET', '/KB/2', 404, 'Not found\n'],
    ['GET', '//', 404, 'Not found\n'],
    ['GET', '/token/../', 404, 'Not found\n'],
    ['GET', '/__proto__', 404, 'Not found\n'],
    ['POST', '/token', 200, 'token'],
  ])('%s %s answers %i', async (method, target, status, body) => {
    expect(await ask(method, target)).toMatchObject({ status, body })
  })

  it.each([
    ['POST', '/', 'GET, HEAD'],
    ['toString', '/', 'GET, HEAD'],
    ['GET', '/token', 'POST, OPTIONS'],
    ['HEAD', '/token', 'POST, OPTIONS'],
  ])('%s %s is 405 and names the allowed methods', async (method, target, allow) => {
    expect(await ask(method, target)).toMatchObject({ status: 405, allow })
  })

  it('lets a route answer other methods itself', async () => {
    expect((await ask('PUT', '/token')).body).toBe('own words')
  })
})
