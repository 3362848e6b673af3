import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Gate,
  gateLayer,
  putTogether,
  type RequestPart,
  takeApart,
} from '../../../src/flows/middleware/gate.js'
import { TimeoutError, TransportError } from '../../../src/protocol/errors.js'
import type { Exchange, Send } from '../../../src/protocol/http/exchange.js'
import { bytes, type HttpRequest, text } from '../../../src/protocol/http/message.js'
import { forAll } from '../../support/for-all.js'

const form = 'application/x-www-form-urlencoded'

const post = (body: string, type = form, url = 'https://lab.test/token?a=1&b=%7E'): HttpRequest => ({
  method: 'POST',
  url,
  headers: [
    ['content-type', type],
    ['x-a', '1'],
  ],
  body: bytes(body),
})

const part = (place: RequestPart['place'], name: string, value: string): RequestPart => ({
  place,
  name,
  value,
})
const headerParts = (type = form) => [part('header', 'content-type', type), part('header', 'x-a', '1')]

/** The request after the change of its parts. */
function edited(
  request: HttpRequest,
  change: (parts: readonly RequestPart[]) => readonly RequestPart[],
): HttpRequest {
  const held = takeApart(request)
  return putTogether(request, held, change(held.parts))
}

describe('a held request', () => {
  it('has its query, its form and its headers as parts, in their order', () => {
    expect(takeApart(post('code=x&code=y'))).toEqual({
      method: 'POST',
      url: 'https://lab.test/token',
      parts: [
        part('query', 'a', '1'),
        part('query', 'b', '~'),
        part('form', 'code', 'x'),
        part('form', 'code', 'y'),
        ...headerParts(),
      ],
    })
  })

  it.each([
    ['JSON', 'application/json', '{"a":1}'],
    ['a form that cannot be decoded', form, 'a=%zz'],
    ['text', 'text/plain', 'a=1'],
  ])('with %s as its body has that body as one part', (_what, type, body) => {
    expect(takeApart(post(body, type)).parts.slice(2)).toEqual([part('body', '', body), ...headerParts(type)])
  })

  it.each([form, 'application/json'])('without a body has no part for it (%s)', type => {
    expect(takeApart(post('', type)).parts.slice(2)).toEqual(headerParts(type))
  })

  it('has no parts for a query that cannot be decoded, and keeps it', () => {
    const request = post('', form, 'https://lab.test/x?a=%zz')
    expect(takeApart(request).parts).toEqual(headerParts())
    expect(edited(request, () => []).url).toBe('https://lab.test/x?a=%zz')
  })
})

describe('a changed request', () => {
  it('keeps each place that was not changed byte for byte', () => {
    const request = post('code=%7E&x')
    const sent = edited(request, parts => parts.filter(({ place }) => place !== 'header'))
    expect(sent).toEqual({ ...request, headers: [] })
    expect(sent.body).toBe(request.body)
  })

  it.each<[what: string, change: (parts: readonly RequestPart[]) => readonly RequestPart[], url: string]>([
    [
      'another value',
      parts => parts.map(each => (each.name === 'a' ? { ...each, value: '2 3' } : each)),
      'https://lab.test/token?a=2%203&b=~',
    ],
    ['another order', ([a, b, ...rest]) => [b!, a!, ...rest], 'https://lab.test/token?b=~&a=1'],
    ['one less', ([, ...rest]) => rest, 'https://lab.test/token?b=~'],
    ['one more', parts => [...parts, part('query', 'c', '')], 'https://lab.test/token?a=1&b=~&c='],
    ['none left', parts => parts.slice(2), 'https://lab.test/token'],
  ])('has in its query %s', (_what, change, url) => {
    const sent = edited(post('code=%7E'), change)
    expect(sent.url).toBe(url)
    expect(text(sent.body)).toBe('code=%7E')
  })

  it('has in its form what the parts say', () => {
    const sent = edited(post('code=%7E&x=1'), parts => [
      ...parts.filter(({ name }) => name !== 'x'),
      part('form', 'code', '&'),
    ])
    expect(text(sent.body)).toBe('code=~&code=%26')
    expect(sent.url).toBe('https://lab.test/token?a=1&b=%7E')
  })

  it('has another body, or none', () => {
    const json = post('{"a":1}', 'application/json')
    const other = edited(json, parts =>
      parts.map(each => (each.place === 'body' ? { ...each, value: '{"ü":2}' } : each)),
    )
    expect(text(other.body)).toBe('{"ü":2}')
    expect(edited(json, parts => parts.filter(({ place }) => place !== 'body')).body).toEqual(bytes(''))
  })

  it('has the headers that are left, in their order', () => {
    const sent = edited(post(''), parts => [part('header', 'x-new', 'n'), ...parts.slice(-1)])
    expect(sent.headers).toEqual([
      ['x-new', 'n'],
      ['x-a', '1'],
    ])
  })

  it('is the same request where the parts are the same, whatever it was', async () => {
    const pair = fc.tuple(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }))
    await forAll(
      fc.string(),
      fc.webQueryParameters(),
      fc.array(pair),
      fc.boolean(),
      (body, query, headers, isForm) => {
        const request: HttpRequest = {
          method: 'POST',
          url: `https://lab.test/token?${query}`,
          headers: [['content-type', isForm ? form : 'text/plain'], ...headers],
          body: bytes(body),
        }
        expect(edited(request, parts => [...parts])).toEqual(request)
      },
    )
  })
})

describe('a gate', () => {
  const request = post('code=x')
  const exchange = { ms: 1 } as Exchange
  const refused = new TransportError('connection refused', 'ECONNREFUSED')

  /** A gate that lets everything go, and notes what it hears. */
  const openGate = (more: Partial<Gate> = {}) => {
    const heard: unknown[] = []
    const gate: Gate = {
      hold: async ({ parts }) => parts,
      noAnswer: async why => {
        heard.push(why)
        return false
      },
      answered: each => heard.push(each),
      ...more,
    }
    return { gate, heard }
  }

  /** A network that fails with each of these errors in turn, and then answers. */
  const failing = (...errors: unknown[]) => {
    const sent: Parameters<Send>[] = []
    const send: Send = async (...args) => {
      sent.push(args)
      if (sent.length <= errors.length) throw errors[sent.length - 1]
      return exchange
    }
    return { send, sent }
  }

  it('sends the very request where nothing was changed, with the options of its sender', async () => {
    const { gate, heard } = openGate()
    const { send, sent } = failing()
    const options = { signal: new AbortController().signal }
    expect(await gateLayer(gate)(send)(request, options)).toBe(exchange)
    expect(sent).toEqual([[request, options]])
    expect(sent[0]?.[0]).toBe(request)
    expect(heard).toEqual([exchange])
  })

  it('sends what became of the request, and again the same after no answer', async () => {
    const { gate } = openGate({ hold: async ({ parts }) => parts.slice(1), noAnswer: async () => true })
    const { send, sent } = failing(refused, new TimeoutError('no answer within 1 s'))
    expect(await gateLayer(gate)(send)(request)).toBe(exchange)
    expect(sent.map(([{ url }]) => url)).toEqual(
      Array.from({ length: 3 }, () => 'https://lab.test/token?b=~'),
    )
  })

  it.each([refused, new TimeoutError('no answer within 1 s')])(
    'ends with the error where the request is not sent again: %s',
    async error => {
      const { gate, heard } = openGate()
      await expect(gateLayer(gate)(failing(error).send)(request)).rejects.toBe(error)
      expect(heard).toEqual([error.message])
    },
  )

  it('asks nobody about another error', async () => {
    const bug = new TypeError('a bug')
    const { gate, heard } = openGate({ noAnswer: async () => true })
    await expect(gateLayer(gate)(failing(bug).send)(request)).rejects.toBe(bug)
    expect(heard).toEqual([])
  })

  it('asks nobody once the flow was ended', async () => {
    const controller = new AbortController()
    const { gate, heard } = openGate()
    const send: Send = async () => {
      controller.abort()
      throw refused
    }
    await expect(gateLayer(gate)(send)(request, { signal: controller.signal })).rejects.toBe(refused)
    expect(heard).toEqual([])
  })

  it('sends nothing when the flow was ended while the request was held', async () => {
    const controller = new AbortController()
    const { gate } = openGate({
      hold: async ({ parts }) => {
        controller.abort()
        return parts
      },
    })
    const { send, sent } = failing()
    await expect(gateLayer(gate)(send)(request, { signal: controller.signal })).rejects.toThrow(/abort/i)
    expect(sent).toEqual([])
  })
})
