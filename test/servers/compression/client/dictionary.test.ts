import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { availableDictionary, dictionaryCodings, hashOf } from '../../../../src/protocol/http/codings.js'
import { createAsk } from '../../../../src/servers/compression/client/ask.js'
import { measureAnswer } from '../../../../src/servers/compression/studies/answer.js'
import { getLines } from '../../../../src/show/render/compression/get-lines.js'

const dictionary = Buffer.from('the words of the first version')

/** Measures the answer of a server that always sends one body as dcb. */
async function measured(body: Uint8Array) {
  const fields: (string | undefined)[] = []
  const server = createServer((request, response) => {
    fields.push(request.headers['available-dictionary'] as string | undefined)
    response
      .writeHead(200, { 'Content-Encoding': 'dcb', Vary: 'Accept-Encoding, Available-Dictionary' })
      .end(body)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  try {
    const asked = { method: 'GET', offer: 'dcb', dictionary } as const
    return { fields, ...(await measureAnswer(url, asked, createAsk({}))) }
  } finally {
    server.close()
  }
}

const header = (named: Uint8Array) => Buffer.concat([Buffer.from('ff444342', 'hex'), hashOf(named)])

it('a request with a dictionary sends its hash, and the answer says whose header it has', async () => {
  if ((await dictionaryCodings()).includes('dcb')) {
    // An empty brotli stream (RFC 7932 §9.1).
    const { answer } = await measured(Buffer.concat([header(dictionary), Buffer.of(0x06)]))
    expect(answer.decodedBodySize).toBe(0)
  } else {
    const { answer, fields } = await measured(Buffer.concat([header(dictionary), Buffer.of(0x06)]))
    expect(fields[0]).toBe(availableDictionary(hashOf(dictionary)))
    expect(answer).toMatchObject({ wireBytes: 37, dictionary: { named: true, headerBytes: 36, bytes: 30 } })
    expect(answer.decodedBodySize).toBeUndefined()
    expect(getLines(answer, { ascii: true }).join('\n')).toContain(
      'not decoded: this program has no such coding',
    )
  }
})

it('an answer that names another dictionary is not decoded', async () => {
  const wrong = measured(Buffer.concat([header(Buffer.from('other')), Buffer.of(0x06)]))
  if ((await dictionaryCodings()).includes('dcb')) await expect(wrong).rejects.toThrow('is not valid dcb')
  else expect((await wrong).answer.dictionary).toMatchObject({ named: false })
})
