import { describe, expect, it } from 'vitest'
import { createCookieJar } from '../../../src/client/cookies.js'
import { readPage } from '../../../src/client/login-page.js'
import { parseFault } from '../../../src/commands/serve/serve-run.js'
import { parseInstant } from '../../../src/lab/clock.js'
import { parseDuration } from '../../../src/lab/lab-file/duration.js'
import { parseLabFile } from '../../../src/lab/lab-file/lab-file-source.js'
import { certificateName } from '../../../src/lab/lab-file/names.js'
import { parseRedirectUri } from '../../../src/lab/lab-file/overrides.js'
import { shownPath } from '../../../src/lab/listening/request-event.js'
import { parseWeakNames } from '../../../src/lab/weak/weak-lab.js'
import { parsedUrl } from '../../../src/protocol/http/address.js'
import { parseForm } from '../../../src/protocol/http/form.js'
import {
  bytes,
  cookie,
  type HttpRequest,
  mediaType,
  requestedHost,
  splitUrl,
} from '../../../src/protocol/http/message.js'
import { negotiate, parseAcceptEncoding } from '../../../src/protocol/http/negotiation.js'
import { parseAuthorizationDetails } from '../../../src/protocol/oauth/authorization-details.js'
import { parseBearer, parseChallenges } from '../../../src/protocol/oauth/bearer.js'
import { parseBasic } from '../../../src/protocol/oauth/client-auth.js'
import { parseDistinguishedName } from '../../../src/protocol/oauth/distinguished-name.js'
import { parseMac } from '../../../src/protocol/oauth/mac.js'
import { parseMetadata } from '../../../src/protocol/oauth/metadata.js'
import { parseLoopback } from '../../../src/protocol/oauth/redirect-uri.js'
import { parseScope } from '../../../src/protocol/oauth/scope.js'
import { parseTotpSecret } from '../../../src/protocol/oauth/totp.js'
import { makeSafe } from '../../../src/protocol/safe-output/safe.js'
import { parseXml } from '../../../src/protocol/saml/xml.js'
import { decodeJwt } from '../../../src/protocol/tokens/decode.js'
import { parsedJson, parsedObject } from '../../../src/protocol/values.js'
import { parseYaml } from '../../../src/protocol/yaml-text.js'
import { parseSpan, readFilter } from '../../../src/servers/cloudflare/client/events/event-query.js'
import { parseDeletionLimit } from '../../../src/servers/cloudflare/client/plan.js'
import { jsonRecords } from '../../../src/servers/cloudflare/client/record-file.js'
import { explainRefusal } from '../../../src/servers/cloudflare/client/webhook/hook-answer.js'
import { multipartFields } from '../../../src/servers/cloudflare/emulator/record-routes.js'
import { recordName } from '../../../src/servers/cloudflare/records/names.js'
import { readContent } from '../../../src/servers/cloudflare/records/record.js'
import { parseData } from '../../../src/servers/cloudflare/records/record-types.js'
import { parseZoneFile } from '../../../src/servers/cloudflare/records/zone-file.js'
import { parseTimestamp } from '../../../src/servers/cloudflare/timestamp.js'
import { otherServers } from '../../../src/servers/compression/studies/other-servers.js'
import { parseKubeconfig } from '../../../src/servers/kubernetes/client/kubeconfig/parse.js'
import { parseBinding } from '../../../src/servers/kubernetes/client/requests.js'
import { preferredForm } from '../../../src/servers/kubernetes/emulator/answer.js'
import { matcherOf } from '../../../src/servers/kubernetes/emulator/objects/selectors.js'
import { RESOURCES } from '../../../src/servers/kubernetes/emulator/resources.js'
import { parseGoJson } from '../../../src/servers/kubernetes/encoding/go-json.js'
import { decodeMessage } from '../../../src/servers/kubernetes/encoding/protobuf.js'
import { messageOf } from '../../../src/servers/kubernetes/encoding/schema.js'
import { parseEvent } from '../../../src/session/playback/events.js'
import { parseRecording } from '../../../src/session/playback/recording.js'
import { requestCookies, responseCookies } from '../../../src/show/render/exports/har.js'
import { csvCell } from '../../../src/show/render/text/list-text.js'
import { filesBelow, read } from '../../support/source-files.js'

const SIZE = 100_000

/** Longest time of the processor for one parser and one input, in milliseconds, on a busy machine. A quadratic parser takes several seconds. */
const BUDGET = 1000

/** The kinds that requests to a cluster carry. */
const KINDS = RESOURCES.map(({ kind }) => kind).filter(kind => kind !== 'Service')

const request = (name: string, value: string): HttpRequest => ({
  method: 'GET',
  url: 'https://lab.example/',
  headers: [[name, value]],
  body: new Uint8Array(),
  httpVersion: '1.1',
})

/** Every parser of text from outside, each with one argument. Parsers may refuse the text in any way. */
const parsers: Readonly<Record<string, (text: string) => unknown>> = {
  parseForm,
  parseAcceptEncoding: text => negotiate(parseAcceptEncoding([text]), ['br', 'gzip']),
  otherServers: text => otherServers([text]),
  requestedHost: text => requestedHost(request('host', text)),
  cookie: text => cookie(request('cookie', text), 'session'),
  mediaType: text => mediaType(request('content-type', text)),
  splitUrl: text => splitUrl(`https://lab.example${text}`),
  parseScope,
  parsedUrl,
  parseAuthorizationDetails,
  parseTotpSecret,
  parseLoopback: text => parseLoopback(`http://127.0.0.1:${text}`),
  parseRedirectUri: text => [parseRedirectUri(text, []), parseRedirectUri(`http://localhost/${text}`, [])],
  parsedJson,
  parsedObject,
  parseBasic: text => [parseBasic(text), parseBasic(`Basic ${text}`)],
  parseBearer: text => parseBearer([`Bearer ${text}`]),
  parseChallenges: text => [parseChallenges([text]), parseChallenges([`Bearer realm="${text}`])],
  parseMac,
  parseMetadata: text =>
    parseMetadata({ issuer: text, token_endpoint: text, scopes_supported: [text] }, text),
  parseXml: text => Promise.all([parseXml(text), parseXml(`<a ${text}></a>`), parseXml(`<a>${text}</a>`)]),
  decodeJwt: text => [decodeJwt(text), decodeJwt(`${Buffer.from(text).toString('base64url')}..`)],
  readPage: text => [
    readPage(text, 'https://id.example/login'),
    readPage(`<form><input type="password" ${text}`, 'https://id.example/login'),
  ],
  cookieJar: text => {
    const jar = createCookieJar()
    jar.store('https://id.example/', { headers: [['set-cookie', text]] })
    return jar.header('https://id.example/')
  },
  requestCookies: text => requestCookies([['cookie', text]]),
  responseCookies: text => responseCookies([['set-cookie', text]]),
  parseZoneFile: text => [
    parseZoneFile(text, 'example.com'),
    parseZoneFile(`a 60 IN A 192.0.2.1 ;${text}`, 'example.com'),
    parseZoneFile(`a 60 IN TXT "${text}"`, 'example.com'),
  ],
  multipartFields: text => [
    multipartFields({ ...request('content-type', 'multipart/form-data; boundary=a'), body: bytes(text) }),
    multipartFields(request('content-type', `multipart/form-data${text}`)),
    multipartFields({
      ...request('content-type', 'multipart/form-data; boundary=a'),
      body: bytes(`--a\nContent-Disposition: form-data;${text}`),
    }),
  ],
  csvCell,
  readContent: text =>
    ['A', 'AAAA', 'CNAME', 'MX', 'TXT'].map(type => readContent(type, { content: text }, 'a.b')),
  parseData: text => ['SRV', 'CAA', 'HTTPS', 'LOC', 'TLSA', 'URI'].map(type => parseData(type, text)),
  recordName: text => recordName(text, 'example.com'),
  jsonRecords,
  parseTimestamp,
  parseSpan,
  readFilter: text => readFilter({ action: text, ip: text, path: text } as object, { strict: false }),
  explainRefusal: text => explainRefusal(400, text, each => each),
  preferredForm: text => preferredForm(request('accept', text), ['application/json', 'application/yaml']),
  matcherOf: text => [
    matcherOf(new URLSearchParams({ labelSelector: text }), 'Pod'),
    matcherOf(new URLSearchParams({ fieldSelector: text }), 'Pod'),
  ],
  parseGoJson: text => parseGoJson(bytes(text)),
  decodeMessage: text => KINDS.map(kind => decodeMessage(messageOf(kind), bytes(text))),
  parseBinding,
  parseYaml: async text => (await parseYaml(text)).value,
  parseKubeconfig: text => parseKubeconfig(text, 'config'),
  parseInstant,
  parseDuration,
  parseDistinguishedName: text => [
    parseDistinguishedName(text),
    parseDistinguishedName(`CN=${text.slice(0, 4000)}`),
  ],
  parseDeletionLimit,
  parseFault,
  parseLabFile: text => parseLabFile('oauth-lab.yaml', text),
  parseWeakNames: text => [parseWeakNames([text], '--weak'), parseWeakNames(text.split(','), '--weak')],
  certificateName,
  shownPath: text => shownPath(`https://lab.example/?${text}`),
  parseEvent,
  parseRecording: text => parseRecording(text, 'file'),
  makeSafe: text => makeSafe(text),
}

const repeated = (unit: string): string => unit.repeat(Math.ceil(SIZE / unit.length)).slice(0, SIZE)

/** Inputs that make parsers slow: runs, nesting, duplicates, members without end, references. */
const units = [
  ...[
    ' ',
    '\t',
    '\n',
    ' \n',
    '\r\n',
    ', ',
    ',',
    ';',
    ' ;',
    '=',
    '==',
    '"',
    '\\',
    '\\"',
    "'",
    '%',
    '%2',
    '%20',
    '+',
  ],
  ...[
    '/',
    '//',
    '..',
    '.',
    'a.',
    'a',
    'A1',
    '0',
    '-',
    '--',
    '_',
    ':',
    '::',
    '&',
    '&a=1',
    'a=1&',
    '?',
    '#',
    '@',
  ],
  ...[
    '(',
    '((',
    '[',
    '{',
    '[{',
    '{"a":',
    '[1,',
    '"a",',
    '<',
    '<a>',
    '<a ',
    '</a>',
    '<!--',
    '<![CDATA[',
    '&amp;',
    '&#x',
  ],
  ...['a: ', '- ', '- - ', '&a [', '*a ', 'a: &a\n', '? ', '| ', '> ', '!a ', '{a: ', '# '],
  ...[
    'gzip;q=0.5, ',
    'gzip ; ',
    ';q=',
    'Bearer ',
    'a="b", ',
    'a=b; ',
    'eyJ',
    '\0',
    '\x1b[',
    '\u200b',
    'é',
    '😀',
    '\ud800',
  ],
  ...[
    '\x0a',
    '\x12\x02',
    '\x80',
    'cf_tags=',
    'cf_tags= ',
    '$ORIGIN a.\n',
    'a IN A 1\n',
    '<form><input name="a">',
    'x ',
  ],
]

const worst: readonly string[] = [
  ...units.map(repeated),
  // A run that leads to nothing: searches with `\s*$` start again at each of its blanks.
  ...[' ', '\t', '\n', '/', '=', 'a', ',', '.'].map(unit => `x${repeated(unit)}y`),
  ...['[', '{"a":', '(', '<a>'].map(
    unit => `${repeated(unit).slice(0, SIZE / 2)}${repeated(' ').slice(0, SIZE / 2)}`,
  ),
  // Distinct members, and the same key again and again.
  repeated(Array.from({ length: 9000 }, (_, i) => `k${i}=v&`).join('')),
  `{${Array.from({ length: 9000 }, () => '"key":1').join(',')}}`,
  `{${Array.from({ length: 7000 }, (_, i) => `"k${i}":1`).join(',')}}`,
  Array.from({ length: 7000 }, (_, i) => `k${i}: 1`).join('\n'),
  // Aliases that double at each level: YAML's own bomb.
  ['a0: &a0 [x, x]', ...Array.from({ length: 40 }, (_, i) => `a${i + 1}: &a${i + 1} [*a${i}, *a${i}]`)].join(
    '\n',
  ),
  Array.from({ length: 9000 }, (_, i) => `&x${i} a`).join(' '),
]

/** Milliseconds of the processor that work takes. */
async function cost(work: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  try {
    await work()
  } catch {
    // Refusing is right.
  }
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

describe('100 kB of the worst input', () => {
  it.each(Object.entries(parsers))('takes %s no time', { timeout: 120_000 }, async (_, parse) => {
    const slow: string[] = []
    for (const text of worst) {
      let ms = await cost(() => parse(text))
      // The collector of garbage may have been at work.
      if (ms > BUDGET) ms = await cost(() => parse(text))
      if (ms > BUDGET) slow.push(`${JSON.stringify(text.slice(0, 24))}… ${Math.round(ms)} ms`)
    }
    expect(slow).toEqual([])
  })

  it('is given to every function of the source that parses', () => {
    const named = filesBelow('src')
      .filter(file => /\.tsx?$/.test(file))
      .flatMap(file => [...read(file).matchAll(/^export (?:async )?(?:function|const) (parse(?!r)\w+)/gm)])
      .map(([, name]) => name)
    expect(named.filter(name => !(name! in parsers))).toEqual([])
  })
})
