import { describe, expect, it } from 'vitest'
import { explainSource } from '../../../src/judge/explain/read/explain-source.js'
import { answerChange, login, tokenChange } from './changed-logins.js'
import { mistakes } from './mistakes.js'
import { type HarEntry, har, loginEntries, stream } from './recording.js'

/** The names of the findings in entries, with their severity. */
async function findings(entries: readonly HarEntry[]): Promise<string[]> {
  const { flows } = await explainSource(stream(har(entries)), 'test.har')
  return flows.flatMap(each => each.findings.map(({ severity, name }) => `${severity} ${name}`))
}

describe('a mistake in a recorded login', () => {
  it.each(Object.entries(mistakes))('%s', async (_name, [finding, entries]) => {
    expect(await findings(entries)).toEqual([finding])
  })

  it('is none in a right login', async () => {
    expect(await findings(loginEntries())).toEqual([])
  })

  it.each(['B0Jc…KWY', 'a.bc…xyz', 'a…bc…xyz', 'B0Jc...KWY', '.abc...x.z', '…', '•••••••••', '*********'])(
    'is none in a right login whose code_verifier an export hid: %s',
    async verifier => {
      expect(await findings(tokenChange({ code_verifier: verifier }))).toEqual([])
    },
  )

  it('is none in a login page that holds the request unencoded, as that of dex', async () => {
    const entries = loginEntries()
    const query = entries[2]!.request.url.split('?')[1]
    entries[4]!.request.url = `https://id.example/login?back=/authorize?a=b&${query}`
    expect(await findings(entries)).toEqual([])
  })

  it('is named once, by the fault that came first', async () => {
    const explanation = await explainSource(stream(har(answerChange({ state: undefined }))), 'x')
    expect(explanation.verdict.broken).toMatchObject({
      text: 'the callback came back without state',
      entry: 5,
    })
  })

  it('is one where the browser left the Authorization header of userinfo out', async () => {
    const [, entries] = mistakes['the code twice']!
    const userinfo = entries.find(({ request }) => request.url.endsWith('/me'))!
    const late = { ...userinfo, startedDateTime: '2026-03-01T10:00:09.000Z' }
    const refused = {
      ...late,
      request: { ...late.request, headers: [] },
      response: { ...late.response, status: 401, content: { mimeType: 'text/plain', size: 0 } },
    }
    expect(await findings([...entries.filter(each => each !== userinfo), refused])).toEqual([
      'fault code-reused',
    ])
  })

  it('is no missing iss where the server announces none (RFC 9207 §2.4)', async () => {
    const entries = login(
      messages => {
        delete messages.answer.iss
      },
      parts => {
        delete parts.metadata.authorization_response_iss_parameter_supported
      },
    )
    expect(await findings(entries)).toEqual([])
  })
})
