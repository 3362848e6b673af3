import { type HarEntry, har } from './recording.js'

type Change = (entry: HarEntry) => void

const each = (entries: HarEntry[], change: Change): HarEntry[] => {
  for (const entry of entries) change(entry)
  return entries
}

const pairs = (text: string) => [...new URLSearchParams(text)].map(([name, value]) => ({ name, value }))

/** Names and values as they were sent, as Chrome lists them. */
const sentPairs = (text: string) =>
  text.split('&').map(part => {
    const [name = '', value = ''] = part.split('=')
    return { name, value }
  })

const base64: Change = ({ response: { content } }) => {
  if (content.text === undefined) return
  content.text = Buffer.from(content.text).toString('base64')
  content.encoding = 'base64'
}

/** The words that differ between programs, by program. */
export const dialects: Readonly<Record<string, (entries: HarEntry[]) => string>> = {
  Chrome: entries =>
    har(
      each(entries, entry => {
        entry._initiator = { type: 'other' }
        entry._priority = 'VeryHigh'
        entry._resourceType = 'document'
        entry.connection = '443'
        entry.pageref = 'page_1'
        entry.request.httpVersion = 'h2'
        entry.request.headers.unshift(
          { name: ':authority', value: 'id.example' },
          { name: ':method', value: 'GET' },
        )
        if (entry.request.postData)
          entry.request.postData.params = sentPairs(entry.request.postData.text ?? '')
      }),
      { pages: [{ startedDateTime: '2026-03-01T10:00:00.000Z', id: 'page_1', title: 'x', pageTimings: {} }] },
    ),
  'Chrome without texts of forms': entries =>
    har(
      each(entries, ({ request: { postData } }) => {
        if (postData === undefined) return
        postData.params = sentPairs(postData.text ?? '')
        delete postData.text
      }),
    ),
  Firefox: entries =>
    har(
      each(entries, entry => {
        entry.startedDateTime = entry.startedDateTime.replace('T10:', 'T12:').replace('Z', '+02:00')
        entry._securityState = 'secure'
        entry.cache = {}
        entry.request.headersSize = 500
        if (entry.request.postData) entry.request.postData.params = pairs(entry.request.postData.text ?? '')
        entry.response.redirectURL =
          entry.response.headers.find(({ name }) => name === 'location')?.value ?? ''
      }),
      { creator: { name: 'Firefox', version: '140.0' }, browser: { name: 'Firefox', version: '140.0' } },
    ),
  'Firefox, without the status of an answer that a page did not stay for': entries =>
    har(
      each(entries, ({ request, response }) => {
        if (request.url.includes('/.well-known/')) response.status = 0
      }),
    ),
  Playwright: entries =>
    har(
      each(entries, entry => {
        Object.assign(entry, {
          _frameref: 'frame@1',
          _monotonicTime: 1.5,
          _serverPort: 443,
          pageref: 'page@1',
        })
        if (entry.request.postData) entry.request.postData.params = []
        entry.request.queryString = pairs(entry.request.url.split(/[?#]/)[1] ?? '')
        Object.assign(entry.response, { _transferSize: -1, redirectURL: '' })
      }),
      {
        creator: { name: 'Playwright', version: '1.57.0' },
        browser: { name: 'chromium', version: '143.0' },
        pages: [{ startedDateTime: '2026-03-01T10:00:00.000Z', id: 'page@1', title: 'x', pageTimings: {} }],
      },
    ),
  Safari: entries =>
    har(
      each(entries, entry => {
        base64(entry)
        const { headers } = entry.request
        entry.request.cookies = headers
          .filter(({ name }) => name === 'cookie')
          .map(() => ({ name: 'session', value: 'abc' }))
        entry.request.headers = headers.filter(({ name }) => name !== 'cookie')
        entry._fetchType = 'Network Load'
        entry._priority = 'high'
      }),
      { creator: { name: 'WebKit Web Inspector', version: '1.0' } },
    ),
  mitmproxy: entries =>
    `${har(
      each(entries, entry => {
        entry.startedDateTime = entry.startedDateTime.replace('.000Z', '.000123+00:00')
        entry.comment = ''
        if (entry.request.postData) entry.request.postData.params = pairs(entry.request.postData.text ?? '')
      }),
      { creator: { name: 'mitmproxy', version: '12.1.1', comment: '' } },
    )}\n`,
  Charles: entries =>
    har(
      each(entries, entry => {
        base64(entry)
        entry.comment = null
        entry.timings = null
        entry._charlesStatus = 'COMPLETE'
        const { request } = entry
        if (request.postData === undefined) return
        request.postData.params = pairs(request.postData.text ?? '')
        delete request.postData.text
      }),
      { creator: { name: 'Charles Proxy', version: '5.0.1' }, pages: undefined },
    ),
  Proxyman: entries =>
    har(
      each(entries, entry => {
        entry._isHTTPS = true
        entry._webSocketMessages = null
        entry.request.postData ??= { mimeType: '', text: '' }
        Object.assign(entry.response, { redirectURL: null, comment: null })
      }),
      { creator: { name: 'Proxyman', version: '5.20.0' }, browser: null },
    ),
  'a byte order mark': entries => `\ufeff${har(entries)}`,
  'spaces between everything': entries => JSON.stringify(JSON.parse(har(entries)), undefined, 2),
  'entries in the order in which they ended': entries => har([...entries].reverse()),
}
