import { describe, expect, it } from 'vitest'
import {
  clientUrlProblem,
  isClientUrl,
} from '../../../../src/servers/authorization-server/client-documents/document-rules.js'

const section = (number: string) => `draft-ietf-oauth-client-id-metadata-document-02 §${number}`

describe('a client_id that is a URL', () => {
  it.each([
    ...['https://client.example/client.json', 'https://client.example/', 'https://client.example:8443/a/b'],
    ...['https://client.example:443/client', 'https://client.example/a..b/...'],
    ...['https://CLIENT.example/client', 'https://127.0.0.1/client', 'https://[::1]:8443/client'],
    ...['https://xn--bcher-kva.example/client'],
  ])('may be %s', id => {
    expect(isClientUrl(id)).toBe(true)
    expect(clientUrlProblem(id)).toBeUndefined()
  })

  it.each([
    ['http://client.example/client', /https:\/\//, section('3')],
    ['https://client.example', /no path/, section('3')],
    ['https://client.example?a=/b', /no path/, section('3')],
    ['https://client.example/client#part', /fragment/, section('3')],
    ['https://client.example/client#', /fragment/, section('3')],
    ['https://user@client.example/client', /user information/, section('3')],
    ['https://user:secret@client.example/client', /user information/, section('3')],
    ['https://client.example/./client', /dot segment/, section('3')],
    ['https://client.example/a/../client', /dot segment/, section('3')],
    ['https://client.example/a/%2e%2E/client', /dot segment/, section('3')],
    ['https:///client', /absolute URL/, section('3')],
    ['https://client.example:99999/client', /absolute URL/, section('3')],
    [`https://client.example/${'x'.repeat(512)}`, /longer than 512/, section('3')],
    ['https://client.example/a b', /character/, 'RFC 3986 §2'],
    ['https://client.example\\@evil.example/', /character/, 'RFC 3986 §2'],
    ['https://bücher.example/client', /character/, 'RFC 3986 §2'],
    ['https://2130706433/client', /unusual/, section('8.6')],
    ['https://127.1/client', /unusual/, section('8.6')],
    ['https://[0:0:0:0:0:0:0:1]/client', /unusual/, section('8.6')],
    ['https://[::ffff:127.0.0.1]/client', /unusual/, section('8.6')],
    ['https://loc%61lhost/client', /unusual/, section('8.6')],
  ])('is not %s', (id, problem, rule) => {
    expect(isClientUrl(id)).toBe(true)
    expect(clientUrlProblem(id)).toMatchObject({ problem: expect.stringMatching(problem), rule })
  })

  it.each(['demo', '', 'urn:client', 'httpsclient', ' https://client.example/'])('is not meant by %j', id => {
    expect(isClientUrl(id)).toBe(false)
  })
})
